import { diagnosticCount, forceLinting } from '@codemirror/lint';
import { type EditorView, hasHoverTooltips, runScopeHandlers } from '@codemirror/view';
import { afterEach, expect, type Mock, test, vi } from 'vitest';
import { labelledText, similarNames } from '../../bench/similar-names.ts';
import { fixProblem } from '../../src/editor/diagnostics/menu.ts';
import { nextProblem } from '../../src/editor/diagnostics.ts';
import { type EditorConfig, setStatuses } from '../../src/editor/index.ts';
import { builtIn } from '../../src/text/status-registry.ts';
import { countedRegistry } from '../text/counted-registry.ts';
import { fakeProvider } from './complete/offers.ts';
import { editorOf, statuses } from './fixture.ts';

let view: EditorView;
afterEach(() => view?.destroy());

/** An editor with a checked text; returns the number of problems and errors. */
async function open(
  doc: string,
  { onProblems = vi.fn(), ...config }: Partial<EditorConfig> & { onProblems?: Mock } = {},
): Promise<{ all: number; errors: number }> {
  view = editorOf(doc, { onProblems, ...config });
  forceLinting(view);
  await vi.waitFor(() => expect(onProblems).toHaveBeenCalled());
  const [all, errors] = onProblems.mock.lastCall ?? [];
  return { all, errors };
}

const text = () => view.state.doc.toString();
const selected = () => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to);
const announced = () => view.dom.querySelector('.cm-announced')?.textContent;
const menu = () => view.dom.querySelector('[role=menu]');
const press = (key: string, init: KeyboardEventInit = {}) =>
  runScopeHandlers(view, new KeyboardEvent('keydown', { key, ...init, cancelable: true }), 'editor');

test('every kind of error is marked, and a text without any is not', async () => {
  expect(await open('- a\n+ b 2026-12-01\n> c\n')).toEqual({ all: 0, errors: 0 });
  view.destroy();
  const wrong = '> first\n- [ON HOL] x\n+ [ON HOLD] y\n- ask @bob by 30.02.2026\n- \n- ask @bob by 30.02.2026\n- z';
  const capacity = { limit: 10, sizeOf: (whole: string) => whole.length };
  const { all, errors } = await open(wrong, { capacity, itemLimit: 2 });
  expect(errors).toBe(1);
  expect(all).toBeGreaterThanOrEqual(9);
  expect(view.contentDOM.querySelectorAll('.cm-lintRange-warning').length).toBeGreaterThan(5);
});

test('the names of statuses are compared for the problem whose fixes are asked for, not for each', async () => {
  const { registry, reads } = countedRegistry(similarNames);
  const opened = open(labelledText, { statuses: registry });
  const before = reads();
  expect((await opened).all).toBe(573);
  expect(reads() - before).toBe(0);
  fixProblem(view);
  expect(reads() - before).toBeGreaterThan(similarNames.length);
  expect(reads() - before).toBeLessThan(4 * similarNames.length);
});

test('statuses that come later are problems no more', async () => {
  const onProblems = vi.fn();
  expect((await open('- [ON HOLD] x', { statuses: builtIn, onProblems })).all).toBe(1);
  view.dispatch(setStatuses(statuses));
  await vi.waitFor(() => expect(onProblems).toHaveBeenLastCalledWith(0, 0));
});

test('gates are looked at once the statuses of the project are known', async () => {
  let names: readonly string[] | undefined;
  const listeners = new Set<() => void>();
  const onProblems = vi.fn();
  const provider = fakeProvider({
    gateNames: () => names,
    subscribe: listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  expect((await open('# A !before:Donne', { provider, onProblems })).all).toBe(0);
  names = ['Done'];
  for (const listener of listeners) listener();
  await vi.waitFor(() => expect(onProblems).toHaveBeenLastCalledWith(1, 0));
  fixProblem(view);
  expect(text()).toBe('# A !before:Done');
});

test('a gate without a name is a problem once the cursor has left it', async () => {
  const onProblems = vi.fn();
  expect((await open('- a\n# A !before:', { onProblems })).all).toBe(0);
  view.dispatch({ selection: { anchor: 0 } });
  await vi.waitFor(() => expect(onProblems).toHaveBeenLastCalledWith(1, 0));
});

test('F8 and Shift-F8 go from one to the next and say which', async () => {
  await open('- by 30.02.2026\n- ok\n- [ON HOL] x');
  press('F8');
  expect(selected()).toBe('30.02.2026');
  expect(announced()).toBe("Problem 1 of 2: The date 30.02.2026 doesn't exist. Fixes are available.");
  press('F8');
  expect(selected()).toBe('[ON HOL]');
  press('F8');
  expect(selected()).toBe('30.02.2026');
  press('F8', { shiftKey: true });
  expect(selected()).toBe('[ON HOL]');
});

test.each([
  ['30.02.2026', true],
  ['[ON HOLD]', false],
])('what F8 shows of %s is open after another look while it is a problem: %s', async (problem, stays) => {
  const onProblems = vi.fn();
  await open('- by 30.02.2026\n- [ON HOLD] x', { statuses: builtIn, onProblems });
  press('F8');
  if (selected() !== problem) press('F8');
  expect([selected(), hasHoverTooltips(view.state)]).toEqual([problem, true]);
  view.dispatch(setStatuses(statuses));
  await vi.waitFor(() => expect(onProblems).toHaveBeenLastCalledWith(1, 0));
  expect(hasHoverTooltips(view.state)).toBe(stays);
});

test('without problems F8 says so', async () => {
  await open('- a');
  expect(nextProblem.run(view)).toBe(true);
  expect(announced()).toBe('No problems');
});

test('one fix is applied at once, as one step to undo', async () => {
  await open('- by 30.02.2026\n- ok');
  view.dispatch({ selection: { anchor: 6 } });
  press('.', { ctrlKey: true });
  expect(text()).toBe('- by 28.02.2026\n- ok');
  press('z', { ctrlKey: true });
  expect(text()).toBe('- by 30.02.2026\n- ok');
});

test('from elsewhere in the line the fix is found too, from other lines it is not', async () => {
  await open('- by 30.02.2026 at last\n- ok');
  fixProblem(view);
  expect(announced()).toBe('Nothing to fix here.');
  view.dispatch({ selection: { anchor: 20 } });
  fixProblem(view);
  expect(text()).toBe('- by 28.02.2026 at last\n- ok');
});

test('several fixes are a menu for the keyboard', async () => {
  await open('- a\n\n> lone detail\n- z');
  view.dispatch({ selection: { anchor: 8 } });
  fixProblem(view);
  const items = [...(menu()?.querySelectorAll('[role=menuitem]') ?? [])];
  expect(items.map(({ textContent }) => textContent)).toEqual(['Join with the item above', 'Turn into item']);
  expect(items[0]).toHaveFocus();
  items[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  expect(items[1]).toHaveFocus();
  (items[1] as HTMLElement).click();
  expect(text()).toBe('- a\n\n- lone detail\n- z');
  await vi.waitFor(() => expect(menu()).toBeNull());
  expect(view.contentDOM).toHaveFocus();
});

test('Escape closes the menu, changes nothing and goes no further', async () => {
  await open('- a\n\n> lone detail\n- z');
  view.dispatch({ selection: { anchor: 8 } });
  fixProblem(view);
  const listener = vi.fn();
  document.body.addEventListener('keydown', listener);
  const pressed = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
  menu()?.querySelector('[role=menuitem]')?.dispatchEvent(pressed);
  document.body.removeEventListener('keydown', listener);
  await vi.waitFor(() => expect(menu()).toBeNull());
  expect(listener).not.toHaveBeenCalled();
  expect(text()).toBe('- a\n\n> lone detail\n- z');
  expect(view.contentDOM).toHaveFocus();
});

test('a fix hits its place after typing above since the check', async () => {
  await open('- a\n- by 30.02.2026');
  view.dispatch({ changes: { from: 3, insert: ' longer\n- more' }, selection: { anchor: 25 } });
  fixProblem(view);
  expect(text()).toBe('- a longer\n- more\n- by 28.02.2026');
});

test('what is mended by hand meanwhile is not mended again', async () => {
  await open('- a\n- by 30.02.2026');
  view.dispatch({ changes: { from: 9, to: 11, insert: '27' }, selection: { anchor: 9 } });
  fixProblem(view);
  expect(text()).toBe('- a\n- by 27.02.2026');
});

test('an item without words is none while the cursor fills it', async () => {
  expect((await open('- a\n- ')).all).toBe(0);
  view.dispatch({ selection: { anchor: 1 } });
  await vi.waitFor(() => expect(view.contentDOM.querySelector('.cm-lintRange-warning')).not.toBeNull());
});

test('a person that is not settled is to be chosen, nothing is changed for them', async () => {
  await open('- ask @bob to\n- b');
  view.dispatch({ selection: { anchor: 7 } });
  fixProblem(view);
  expect(text()).toBe('- ask @bob to\n- b');
  expect(view.state.selection.main.head).toBe(10);
});

test('a text that is read only has problems, but none is mended', async () => {
  expect((await open('- by 30.02.2026', { editable: false })).all).toBe(1);
  expect(fixProblem(view)).toBe(false);
  view.dispatch({ selection: { anchor: 6 } });
  press('.', { ctrlKey: true });
  expect(text()).toBe('- by 30.02.2026');
});

test('what is too large is marked in the last line that has words', async () => {
  const capacity = { limit: 5, sizeOf: (whole: string) => whole.length };
  await open('- a\n- b\n\n', { capacity });
  const mark = view.contentDOM.querySelector('.cm-lintRange-error');
  expect(mark).toHaveTextContent('- b');
  expect(view.contentDOM.querySelector('.cm-lintPoint')).toBeNull();
});

test('of very many problems all are counted, errors and the first warnings marked', async () => {
  const capacity = { limit: 10, sizeOf: (whole: string) => whole.length };
  const { all, errors } = await open('- by 30.02.2026 or 31.04.2026\n# -\n'.repeat(800), { capacity });
  expect({ all, errors }).toEqual({ all: 1601, errors: 1 });
  expect(diagnosticCount(view.state)).toBe(1001);
});
