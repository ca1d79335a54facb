import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import EditorScreen from '../../../../src/ui/editor/editor-screen.tsx';
import { fakeIssue, show } from '../../issue.tsx';

/** A window as wide as a desk's. */
function wide(matches = true) {
  vi.spyOn(window, 'matchMedia').mockImplementation(media =>
    Object.assign(new EventTarget(), {
      matches: media === '(min-width: 800px)' && matches,
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
}

async function open(text: string, may = {}) {
  const page = await show(fakeIssue(text), <EditorScreen />, may);
  await screen.findByRole('textbox', { name: 'Checklist of ABC-1 as text' });
  return page;
}

/** Under which the browser keeps how it stands, and what it keeps. */
const key = () => Object.keys(localStorage).find(name => name.endsWith('/preview')) ?? '';
const kept = () => localStorage.getItem(key());

const preview = () => screen.findByRole('region', { name: 'Preview' });

test('is switched by its button and by keys, and remembered', async () => {
  wide();
  await open('# Head\n- a\n+ b');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  expect(within(await preview()).getByRole('heading', { name: 'Head' })).toBeVisible();
  expect(within(await preview()).getByText('1/2')).toBeVisible();
  await userEvent.keyboard('{Control>}{Alt>}p{/Alt}{/Control}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull());
  expect(kept()).toBe('{"open":false,"width":40}');
});

test('opens by itself where it was open, as wide as it was', async () => {
  wide();
  const { unmount } = await open('- a');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await preview();
  screen.getByRole('separator').focus();
  await userEvent.keyboard('{ArrowRight}');
  unmount();
  await open('- a');
  expect(await preview()).toBeVisible();
  expect(screen.getByRole('separator')).toHaveAttribute('aria-valuenow', '38');
});

test.each(['{"open":true,"width":900}', '{', 'null', '{"open":"yes"}'])('what is no setting is none: %s', async odd => {
  wide();
  const { unmount } = await open('- a');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await preview();
  unmount();
  localStorage.setItem(key(), odd);
  await open('- a');
  await userEvent.click(screen.getByRole('button', { name: 'Preview', pressed: false }));
  await preview();
  expect(screen.getByRole('separator')).toHaveAttribute('aria-valuenow', '40');
});

test('emoji show as such, a code that names none as text', async () => {
  wide();
  await open('# Done :tada:\n- **ship :rocket:** :nosuchcode:');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  const pane = within(await preview());
  await waitFor(() => expect(pane.getByRole('heading')).toHaveTextContent('Done 🎉'));
  expect((await pane.findByText('ship 🚀')).tagName).toBe('STRONG');
  expect(pane.getByText(/:nosuchcode:/)).toBeVisible();
});

test('the border moves by keys, as far as both sides have room', async () => {
  wide();
  await open('- a');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await preview();
  const border = screen.getByRole('separator', { name: 'Width of the preview' });
  border.focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(border).toHaveAttribute('aria-valuenow', '42');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  expect(border).toHaveAttribute('aria-valuenow', '70');
  expect(kept()).toBe('{"open":true,"width":70}');
});

test('a click reaches the row that it was for, though the text is ahead of what shows', async () => {
  wide();
  await open('- a\n- b\n- c');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  const pane = within(await preview());
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Checklist of ABC-1 as text' }));
  act(() => {
    view?.dispatch({
      changes: [
        { from: 0, insert: '- new\n' },
        { from: 7, insert: 'etter' },
      ],
    });
    expect(pane.getByRole('checkbox', { name: 'b' })).toBeVisible();
    fireEvent.click(pane.getByRole('checkbox', { name: 'b' }));
  });
  expect(view?.state.doc.toString()).toBe('- new\n- a\n+ better\n- c');
  expect(pane.getByRole('checkbox', { name: 'better' })).toBeChecked();
});

test('whoever may not edit sees it, and ticks nothing', async () => {
  wide();
  await open('- a', { canEditChecklist: false });
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  expect(within(await preview()).getByRole('checkbox', { name: 'a' })).toBeDisabled();
});

test('a narrow screen has neither preview nor button', async () => {
  wide(false);
  await open('- a');
  expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull();
});
