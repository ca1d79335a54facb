import { EditorView } from '@codemirror/view';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { PROPERTY_CAPACITY } from '../../../../src/domain/constants.ts';
import EditorScreen from '../../../../src/ui/screens/editor/editor-screen.tsx';
import { StatusBar } from '../../../../src/ui/screens/editor/status-bar.tsx';
import { fakeIssue, show } from '../../issue.tsx';

afterEach(() => vi.restoreAllMocks());

const figures = { checked: 1, total: 2, percent: 50, rows: 3, size: 100, left: Number.POSITIVE_INFINITY };
const bar = (over: Partial<typeof figures>, problems?: { all: number; errors: number }, onProblem = () => {}) =>
  render(<StatusBar figures={{ ...figures, ...over }} problems={problems} onProblem={onProblem} />);

test.each([
  [{ size: PROPERTY_CAPACITY - 3000 }, '3,000 of 32,768 characters left', undefined],
  [{ size: PROPERTY_CAPACITY }, '0 of 32,768 characters left', 'editor-scarce'],
  [{ size: PROPERTY_CAPACITY + 1 }, '1 character over the limit', 'editor-over'],
  [{ size: PROPERTY_CAPACITY + 1200 }, '1,200 characters over the limit', 'editor-over'],
  [{ left: 3 }, '3 items left', undefined],
  [{ left: 0 }, '0 items left', 'editor-scarce'],
  [{ left: -1 }, '1 item over the limit', 'editor-over'],
])('%j reads %j', (over, words, look) => {
  bar(over);
  const found = screen.getByText(words);
  if (look) expect(found).toHaveClass(look);
  else expect(found).not.toHaveAttribute('class');
});

test('what is left of the capacity shows only below a tenth of it', () => {
  bar({ size: Math.floor(PROPERTY_CAPACITY * 0.9) });
  expect(screen.queryByText(/characters/)).toBeNull();
  bar({ size: Math.floor(PROPERTY_CAPACITY * 0.9) + 1 });
  expect(screen.getByText('3,276 of 32,768 characters left')).toBeVisible();
});

test('problems are a button that moves to the next one', async () => {
  const onProblem = vi.fn();
  bar({}, { all: 3, errors: 1 }, onProblem);
  await userEvent.click(screen.getByRole('button', { name: '3 problems' }));
  expect(onProblem).toHaveBeenCalledOnce();
});

test('without problems there is no button', () => {
  bar({}, { all: 0, errors: 0 });
  expect(screen.queryByRole('button')).toBeNull();
});

const textbox = () => screen.getByRole('textbox', { name: 'Checklist of ABC-1 as text' });
const chips = () => textbox().querySelectorAll('.cm-chip').length;

async function open(text: string) {
  await show(fakeIssue(text), <EditorScreen />);
  await waitFor(() => expect(textbox()).toHaveFocus());
}

test('the bar counts the problems of the open text and moves to them', async () => {
  await open('- a\n- by 30.02.2026');
  const button = await screen.findByRole('button', { name: '1 problem' });
  await userEvent.click(button);
  expect(textbox()).toHaveFocus();
  const { state } = EditorView.findFromDOM(textbox()) ?? {};
  expect(state?.sliceDoc(state.selection.main.from, state.selection.main.to)).toBe('30.02.2026');
});

test('the plain text button turns chips off and on', async () => {
  await open('- a\n- by 2026-12-01');
  expect(chips()).toBe(1);
  const toggle = screen.getByRole('button', { name: 'Plain text' });
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  expect(chips()).toBe(0);
  expect(textbox()).toHaveFocus();
  await userEvent.click(toggle);
  expect(chips()).toBe(1);
});

test("the choice of plain text is kept in the host's cookies where the browser blocks its storage", async () => {
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Denied.', 'SecurityError');
  });
  const issue = fakeIssue('- a\n- by 2026-12-01');
  const cookies = new Map<string, string>();
  issue.bridge.preferences = {
    get: async key => cookies.get(key),
    set: async (key, value) => void cookies.set(key, value),
  };
  const first = await show(issue, <EditorScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Plain text', pressed: false }));
  await waitFor(() => expect([...cookies.values()]).toEqual(['true']));
  first.unmount();
  await show(issue, <EditorScreen />);
  expect(await screen.findByRole('button', { name: 'Plain text', pressed: true })).toBeVisible();
  await waitFor(() => expect(chips()).toBe(0));
});
