import { EditorView } from '@codemirror/view';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import EditorScreen from '../../../src/ui/screens/editor/editor-screen.tsx';
import TemplatesScreen from '../../../src/ui/screens/templates/templates-screen.tsx';
import { fakeIssue, show } from '../issue.tsx';
import { answer, page } from '../screens/templates/server.ts';

/** A frame without a focus, as an engine leaves it that ignores `focus()` in a cross-site frame. */
const unfocus = () => act(async () => document.activeElement instanceof HTMLElement && document.activeElement.blur());

async function editor() {
  await show(fakeIssue('- a\n'), <EditorScreen />);
  const text = await screen.findByRole('textbox', { name: 'Checklist of ABC-1 as text' });
  await waitFor(() => expect(text).toHaveFocus());
  await unfocus();
  expect(document.body).toHaveFocus();
  return text;
}
const doc = (text: HTMLElement) => EditorView.findFromDOM(text)?.state.doc.toString();

test('the first keys in the editor’s frame go into its text, although it has no focus', async () => {
  const text = await editor();
  await userEvent.keyboard('xy');
  expect(text).toHaveFocus();
  expect(doc(text)).toMatch(/^xy?- a\n/);
});

test('the first key may be a command of the text', async () => {
  const text = await editor();
  await userEvent.keyboard('{Control>}{End}{/Control}');
  expect(text).toHaveFocus();
  await userEvent.keyboard('{Backspace}{Backspace}z');
  expect(doc(text)).toBe('- z');
  await unfocus();
  await userEvent.keyboard('{F1}');
  expect(await screen.findByRole('combobox', { name: 'Commands' })).toHaveFocus();
});

test('what is selected elsewhere can be copied', async () => {
  const text = await editor();
  getSelection()?.selectAllChildren(screen.getByRole('button', { name: 'Close' }));
  await userEvent.keyboard('{Control>}c{/Control}');
  expect(text).not.toHaveFocus();
  getSelection()?.removeAllRanges();
});

test('keys that lead elsewhere, and those of another field, stay where they are', async () => {
  const text = await editor();
  await userEvent.keyboard('{Tab}');
  expect(doc(text)).toBe('- a\n');
  screen.getByRole('button', { name: 'Close' }).focus();
  await userEvent.keyboard('z{Control>}b{/Control}');
  expect(doc(text)).toBe('- a\n');
});

test('the first key in the frame of “Apply template” goes into its search', async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, { getTemplates: () => page([]) });
  await show(
    issue,
    <TemplatesScreen />,
    { canImportTemplate: true },
    {
      surface: 'dialog',
      projectId: '10',
      dialogData: { issueId: '1', issueKey: 'ABC-1', purpose: 'import' },
    },
  );
  const search = await screen.findByRole('textbox', { name: 'Search' });
  await unfocus();
  await userEvent.keyboard('re');
  expect(search).toHaveFocus();
  expect(search).toHaveValue('re');
});
