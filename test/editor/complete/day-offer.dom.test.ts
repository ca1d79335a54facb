import { history } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { dayOffers, offeredDay } from '../../../src/editor/complete/day-offer.ts';
import { dayAtEnd } from '../../../src/editor/complete/day-words.ts';
import { completions } from '../../../src/editor/complete.ts';
import { provider } from '../../../src/editor/provider.ts';
import { stateOf } from '../fixture.ts';
import { fakeProvider, TODAY } from './offers.ts';

// The editor loads it at the first words.
beforeAll(() => import('../../../src/editor/complete/day-words.ts'));

let view: EditorView | undefined;
afterEach(() => view?.destroy());

/** An editor in which a user types at the cursor. */
async function typed(before: string, words: string) {
  const state = stateOf(
    before,
    history(),
    completions(),
    dayOffers(() => true),
    provider.of(fakeProvider()),
  );
  const editor = new EditorView({ state, parent: document.body });
  view = editor;
  editor.focus();
  editor.dispatch({ ...editor.state.replaceSelection(words), userEvent: 'input.type' });
  return editor;
}

const text = ({ state }: EditorView) => state.doc.toString();
const offer = () => document.querySelector<HTMLElement>('.cm-day-offer');

test('a day in words at the end of a new item is offered, and Tab makes it the due date', async () => {
  const editor = await typed('- |', 'Call Anna by Friday');
  await vi.waitFor(() => expect(offer()).toHaveTextContent('Due Friday 27 November'));
  expect(text(editor)).toBe('- Call Anna by Friday');
  await userEvent.keyboard('{Tab}');
  expect(text(editor)).toBe('- Call Anna 2026-11-27');
  expect(offer()).toBeNull();
});

test('it is taken by a click, and the text keeps the focus', async () => {
  const editor = await typed('# A\n- one\n- |\n- two', 'appeler demain');
  await vi.waitFor(() => expect(offer()).not.toBeNull());
  const shown = offer();
  if (shown) await userEvent.click(shown);
  expect(text(editor)).toBe('# A\n- one\n- appeler 2026-11-23\n- two');
  expect(editor.hasFocus).toBe(true);
});

test('typing on leaves the words as they are, and so does Escape', async () => {
  const editor = await typed('- |', 'review tomorrow');
  await vi.waitFor(() => expect(offeredDay(editor.state)).toBe('2026-11-23'));
  await userEvent.keyboard('{Escape}');
  expect(offeredDay(editor.state)).toBeUndefined();
  editor.dispatch({ ...editor.state.replaceSelection(' evening'), userEvent: 'input.type' });
  await new Promise(resolve => setTimeout(resolve));
  expect(offeredDay(editor.state)).toBeUndefined();
  expect(text(editor)).toBe('- review tomorrow evening');
});

test.each([
  ['an item that has a date', '- 2026-12-24 | ', 'or tomorrow'],
  ['an item with details', '- |\n> more', 'tomorrow'],
  ['a header', '# |', 'tomorrow'],
  ['the middle of an item', '- | and more', 'tomorrow'],
  ['an item of nothing but a day', '- |', 'by Friday.'],
  ['a mandatory item of nothing but a day', '- ! |', 'tomorrow'],
])('nothing is offered in %s', async (_, before, words) => {
  const editor = await typed(before, words);
  await new Promise(resolve => setTimeout(resolve));
  expect(offeredDay(editor.state)).toBeUndefined();
});

test.each([
  ['Call Anna tomorrow', '2026-11-23', 'tomorrow'],
  ['Ship it by Friday.', '2026-11-27', 'by Friday.'],
  ['Review in 3 days', '2026-11-25', 'in 3 days'],
  ['Send it by 12 Dec', '2026-12-12', 'by 12 Dec'],
  ['Bericht bis Freitag', '2026-11-27', 'bis Freitag'],
  ['prüfen in 3 Tagen', '2026-11-25', 'in 3 Tagen'],
  ['enviar mañana', '2026-11-23', 'mañana'],
  ['llamar el viernes', '2026-11-27', 'el viernes'],
  ['ligar amanhã', '2026-11-23', 'amanhã'],
  ['chiamare domani', '2026-11-23', 'domani'],
  ['bellen op vrijdag', '2026-11-27', 'op vrijdag'],
  ['報告書 明日', '2026-11-23', '明日'],
  ['打电话 明天', '2026-11-23', '明天'],
  [`${'Yesterday the report for Monday '.repeat(9)}by Friday`, '2026-11-27', 'by Friday'],
  [`${'報告書'.repeat(40)}明日`, '2026-11-23', '明日'],
])('“%s” says %s', (words, day, said) => {
  expect(dayAtEnd(words, TODAY)).toEqual({ from: words.length - said.length, day });
});

test.each([
  'the cat sat',
  'das ist so',
  'upgrade to 1.2',
  'fix it in 5 minutes',
  'do it now',
  'meet at 5',
  'call tomorrow evening',
  'plan for March',
  'due yesterday',
  'Friday to Sunday',
  'version 2026',
])('“%s” says no day', words => {
  expect(dayAtEnd(words, TODAY)).toBeUndefined();
});
