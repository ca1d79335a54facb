import type { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { editorOf } from './fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

/** The editor's lines with a text in it. */
function linesOf(doc: string): HTMLElement[] {
  view = editorOf(doc, { plain: true });
  return [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-line')];
}

test.each([
  ['# One', 'cm-check-header cm-check-h1'],
  ['### Three', 'cm-check-header cm-check-h3'],
  ['- a', 'cm-check-item cm-check-todo'],
  ['plain', 'cm-check-item cm-check-todo'],
  ['~ a', 'cm-check-item cm-check-in-progress'],
  ['+ a', 'cm-check-item cm-check-done'],
  ['x a', 'cm-check-item cm-check-skipped'],
])('the line %j looks like what it is', (text, classes) => {
  expect(linesOf(text)[0]).toHaveClass(...classes.split(' '));
});

test('details differ from their item, blank lines are undecorated', () => {
  const [item, detail, blank] = linesOf('- a\n> d\n\n- b');
  expect(item).not.toHaveClass('cm-check-detail');
  expect(detail).toHaveClass('cm-check-detail');
  expect(blank?.className).not.toContain('cm-check');
});

test('a custom status has its colour, brackets that name none are text', () => {
  const [known, unknown] = linesOf('- [on  hold] a\n- [nothing] b');
  expect(known?.querySelector('.cm-check-status-purple')).toHaveTextContent('[on hold]');
  expect(unknown?.querySelector('.cm-check-status')).toBeNull();
});

test('marks and the mandatory sign stand out', () => {
  const [line] = linesOf('- ! must');
  expect(line?.querySelector('.cm-check-mark')).toHaveTextContent('-');
  expect(line?.querySelector('.cm-check-mandatory')).toHaveTextContent('!');
});

test('spelling is checked, but not of what no dictionary knows', () => {
  const [line] = linesOf('- see ABC-12 and `code` by 2026-12-01, [~accountid:a1] :tada: https://x.test/');
  expect(view?.contentDOM).toHaveAttribute('spellcheck', 'true');
  const unspelled = [...(line?.querySelectorAll('[spellcheck=false]') ?? [])].map(({ textContent }) => textContent);
  expect(unspelled).toEqual(['ABC-12', '`code`', '2026-12-01', '[~accountid:a1]', ':tada:', 'https://x.test/']);
});

test('a tick changes the look of its line at once', () => {
  linesOf('- a\n- b');
  view?.dispatch({ changes: { from: 4, to: 5, insert: '+' } });
  const [first, second] = view?.contentDOM.querySelectorAll('.cm-line') ?? [];
  expect(first).toHaveClass('cm-check-todo');
  expect(second).toHaveClass('cm-check-done');
});
