import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import EditorScreen from '../../../../src/ui/screens/editor/editor-screen.tsx';
import { fakeIssue, show } from '../../issue.tsx';

async function open(text: string) {
  const issue = fakeIssue(text);
  await show(issue, <EditorScreen />);
  const textbox = await screen.findByRole('textbox', { name: 'Checklist of ABC-1 as text' });
  await waitFor(() => expect(textbox).toHaveFocus());
  return issue;
}

/** Chooses a command from the palette. */
const choose = async (name: RegExp) => {
  await userEvent.keyboard('{F1}');
  await userEvent.click(within(await palette()).getByRole('option', { name }));
};

const palette = () => screen.findByRole('listbox', { name: 'Commands' });

test('the palette has the commands of the editor and the page around it, with keys', async () => {
  const issue = await open('- a');
  await userEvent.keyboard('{F1}');
  const options = within(await palette()).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([
      'SaveCtrl+S',
      'Next problemF8',
      'Previous problemShift+F8',
      'Fix problem…Ctrl+.',
      'Paste as plain textCtrl+Shift+V',
      'Show suggestionsCtrl+Space',
      'Toggle plain text',
      'Close editor',
    ]),
  );
  // Only during a conflict.
  expect(options.filter(({ textContent }) => textContent.includes('conflict'))).toEqual([]);
  await userEvent.click(screen.getByRole('option', { name: 'Close editor' }));
  expect(issue.closed).toHaveLength(1);
});

test('the palette and the button toggle plain text', async () => {
  await open('- a');
  await choose(/^Toggle plain text/);
  expect(screen.getByRole('button', { name: 'Plain text', pressed: true })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Plain text' }));
  expect(screen.getByRole('button', { name: 'Plain text', pressed: false })).toBeVisible();
});

test('the palette pastes plain text if the browser allows it, and otherwise names the key', async () => {
  await open('- a');
  await choose(/^Paste as plain text/);
  const said = 'The browser blocks access to the clipboard. Press Ctrl+Shift+V to paste as plain text.';
  expect(await screen.findByText(said)).toBeVisible();
});
