import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import EditorScreen from '../../../../../src/ui/screens/editor/editor-screen.tsx';
import { fakeIssue, show } from '../../../issue.tsx';

/** A window of desktop width. */
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

/** The storage key of the preview's state, and its value. */
const key = () => Object.keys(localStorage).find(name => name.endsWith('/preview')) ?? '';
const kept = () => localStorage.getItem(key());

const preview = () => screen.findByRole('region', { name: 'Preview' });

test('its button and keys toggle it, and the state is remembered', async () => {
  wide();
  await open('# Head\n- a\n+ b');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  expect(within(await preview()).getByRole('heading', { name: 'Head' })).toBeVisible();
  expect(within(await preview()).getByText('1/2')).toBeVisible();
  await userEvent.keyboard('{Control>}{Alt>}p{/Alt}{/Control}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull());
  expect(kept()).toBe('{"open":false,"width":40}');
});

test('opens automatically with the remembered state and width', async () => {
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

test.each(['{"open":true,"width":900}', '{', 'null', '{"open":"yes"}'])(
  'an invalid stored value is ignored: %s',
  async odd => {
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
  },
);

test('custom statuses show in the preview and count in the figures from the start', async () => {
  wide();
  const issue = fakeIssue('- [In review] a\n+ [Accepted] b');
  const status = { former: [], going: false };
  issue.statuses = [
    { slug: 'in-review', name: 'In review', color: 'yellow', checked: false, ...status },
    { slug: 'accepted', name: 'Accepted', color: 'green', checked: true, ...status },
  ];
  await show(issue, <EditorScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  const pane = within(await preview());
  expect(await pane.findByRole('checkbox', { name: 'a' })).toBeVisible();
  expect(pane.getByText('In review')).toHaveClass('check-status');
  expect(pane.getByRole('checkbox', { name: 'b' })).toBeChecked();
  await waitFor(() => expect(screen.getByText('1 of 2 done, 50%')).toBeVisible());
});

test('emoji show as such, an unknown code as text', async () => {
  wide();
  await open('# Done :tada:\n- **ship :rocket:** :nosuchcode:');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  const pane = within(await preview());
  await waitFor(() => expect(pane.getByRole('heading')).toHaveTextContent('Done 🎉'));
  expect((await pane.findByText('ship 🚀')).tagName).toBe('STRONG');
  expect(pane.getByText(/:nosuchcode:/)).toBeVisible();
});

test('keys move the separator, within the minimum width of both sides', async () => {
  wide();
  await open('- a');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await preview();
  const border = screen.getByRole('separator', { name: 'Preview width' });
  border.focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(border).toHaveAttribute('aria-valuenow', '42');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  expect(border).toHaveAttribute('aria-valuenow', '70');
  expect(kept()).toBe('{"open":true,"width":70}');
});

test('a click on the preview ticks the intended row although the text is newer than the preview', async () => {
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

test('without the permission to edit it shows, and its boxes are disabled', async () => {
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
