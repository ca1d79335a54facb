import { completionStatus } from '@codemirror/autocomplete';
import { deleteCharBackward, undoDepth } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Person } from '../../src/domain/person.ts';
import { type Provider, setEditable, setPlain } from '../../src/editor/index.ts';
import { editorOf } from './fixture.ts';

const DOC = '- a\n- for [~accountid:mia] by 2026-11-20 :tada:\n- z';

/** People come to be known one by one. */
function fakeProvider() {
  const people = new Map<string, Person | null>();
  const listeners = new Set<() => void>();
  let today = '2026-11-22';
  const provider: Provider = {
    findPeople: async () => [],
    findIssues: async () => [],
    person: id => people.get(id),
    issue: () => undefined,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    today: () => today,
  };
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    provider,
    listeners,
    know: (id: string, person: Person | null) => {
      people.set(id, person);
      notify();
    },
    live: (day: string) => {
      today = day;
    },
    notify,
  };
}

let world: ReturnType<typeof fakeProvider>;
let view: EditorView;
beforeEach(() => {
  world = fakeProvider();
});
afterEach(() => {
  vi.useRealTimers();
  view.destroy();
});

function open(doc = DOC, provider = world.provider, plain = false) {
  view = editorOf(doc, { provider, plain });
  view.dispatch({ selection: { anchor: 0 } });
}

const chips = () => [...view.contentDOM.querySelectorAll('.cm-chip')].map(({ textContent }) => textContent);
const line = (index: number) => view.contentDOM.querySelectorAll('.cm-line')[index]?.textContent;
const mia: Person = { accountId: 'mia', name: 'Mia Krystof', avatar: 'https://x.test/mia.png' };

test('a mention shows name and picture as soon as they are loaded', async () => {
  open();
  expect(chips()).toContain('@…');
  world.know('mia', mia);
  await vi.waitFor(() => expect(chips()).toContain('@Mia Krystof'));
  expect(view.contentDOM.querySelector('.cm-chip-picture')).toHaveAttribute('src', mia.avatar);
  world.know('mia', null);
  await vi.waitFor(() => expect(chips()).toContain('Unknown person'));
});

test('on Android a person is a name, which is selected and deleted whole, and the text stays in the page', async () => {
  const agent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15) Chrome/130');
  world.know('mia', mia);
  open();
  agent.mockRestore();
  const name = () => view.contentDOM.querySelector('.cm-chip-name-text')?.getAttribute('data-words');
  expect(name()).toBe('@Mia Krystof');
  expect(line(1)).toBe(DOC.split('\n')[1]);
  // Its keyboards would mix letters up beside what is not text.
  expect(view.contentDOM.querySelector('[contenteditable=false]')).toBeNull();
  view.contentDOM
    .querySelector('.cm-chip-name')
    ?.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch' }));
  expect(selected()).toBe('[~accountid:mia]');
  expect(name()).toBe('@Mia Krystof');
  view.dispatch({ selection: { anchor: DOC.indexOf(' by') } });
  deleteCharBackward(view);
  expect(line(1)).toBe('- for  by 2026-11-20 :tada:');
});

test('a picture that does not come leaves no gap', async () => {
  open();
  world.know('mia', mia);
  await vi.waitFor(() => expect(view.contentDOM.querySelector('.cm-chip-picture')).not.toBeNull());
  view.contentDOM.querySelector('.cm-chip-picture')?.dispatchEvent(new Event('error'));
  expect(view.contentDOM.querySelector('.cm-chip-picture')).toBeNull();
});

test('emoji show when their table is there', async () => {
  open();
  await vi.waitFor(() => expect(chips()).toContain('🎉'));
});

test('the text is the same with chips, without them and with the cursor at one', async () => {
  open();
  await vi.waitFor(() => expect(chips()).toHaveLength(3));
  expect(view.state.doc.toString()).toBe(DOC);
  view.dispatch({ selection: { anchor: DOC.indexOf('2026') } });
  expect(chips()).toEqual(['@…', 'Fri 20 Nov overdue', '🎉']);
  view.dispatch(setPlain(true));
  expect(chips()).toEqual([]);
  expect(line(1)).toBe(DOC.split('\n')[1]);
  view.dispatch(setPlain(false));
  expect(chips().length).toBeGreaterThan(0);
});

/** Types at the cursor, a character at a time. */
const type = (text: string) => {
  for (const insert of text) view.dispatch(view.state.replaceSelection(insert), { userEvent: 'input.type' });
};

test('what is typed stays text until the cursor leaves it', () => {
  open('- a', world.provider);
  view.dispatch({ selection: { anchor: 3 } });
  type(' 2026-11-25');
  expect(chips()).toEqual([]);
  deleteCharBackward(view);
  type('4');
  expect(line(0)).toBe('- a 2026-11-24');
  type(' ');
  expect(chips()).toEqual(['Tue 24 Nov']);
  // What is back at its end deletes it whole.
  deleteCharBackward(view);
  deleteCharBackward(view);
  expect(view.state.doc.toString()).toBe('- a ');
});

test('while a mouse button is down nothing moves under the pointer', async () => {
  open('- a', world.provider);
  view.dispatch({ selection: { anchor: 3 } });
  type(' 2026-11-25');
  view.dispatch({ selection: { anchor: 0 }, userEvent: 'select.pointer' });
  expect(chips()).toEqual([]);
  window.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
  await vi.waitFor(() => expect(chips()).toEqual(['Wed 25 Nov']));
});

const selected = () => {
  const { from, to } = view.state.selection.main;
  return view.state.sliceDoc(from, to);
};
const chip = (kind: string) => {
  const found = view.contentDOM.querySelector(`.cm-chip-${kind}`);
  if (!found) throw new Error(`No chip of a ${kind}.`);
  return found;
};
const mouse = (kind: string, type: string, more: MouseEventInit = {}) =>
  chip(kind).dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0, detail: 1, ...more }));

test('a press selects a chip, and Shift extends the selection by it', () => {
  open();
  mouse('person', 'mousedown');
  expect(selected()).toBe('[~accountid:mia]');
  expect(chip('person')).toHaveClass('cm-chip-selected-alone');
  mouse('overdue', 'mousedown', { shiftKey: true });
  expect(selected()).toBe('[~accountid:mia] by 2026-11-20');
  expect(chip('person')).toHaveClass('cm-chip-selected-covered');
  expect(chip('overdue')).toHaveClass('cm-chip-selected-covered');
});

test('a picture stays the same element when its chip is selected', async () => {
  open();
  world.know('mia', mia);
  await vi.waitFor(() => expect(view.contentDOM.querySelector('img')).not.toBeNull());
  const picture = view.contentDOM.querySelector('img');
  mouse('person', 'mousedown');
  expect(view.contentDOM.querySelector('img')).toBe(picture);
});

const press = (key: string) =>
  view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

test.each([
  ['person', '[~accountid:mia]', '@'],
  ['overdue', '2026-11-20', '//'],
  ['emoji', ':tada:', ':'],
])('Enter opens the list of a %s, and Escape leaves text and undo as they were', async (kind, text, trigger) => {
  open();
  await vi.waitFor(() => expect(chips()).toHaveLength(3));
  mouse(kind, 'mousedown');
  press('Enter');
  expect(view.state.doc.toString()).toBe(DOC.replace(text, trigger));
  type('q');
  press('Escape');
  expect(view.state.doc.toString()).toBe(DOC);
  expect(selected()).toBe(text);
  expect(undoDepth(view.state)).toBe(0);
  // Once more leaves the chip.
  press('Escape');
  expect(view.state.selection.main.empty).toBe(true);
  expect(view.state.selection.main.head).toBe(DOC.indexOf(text) + text.length);
});

test('Enter while the list of a chip is loading does not break the line', async () => {
  let answer: (found: Person[]) => void = () => {};
  const found = new Promise<Person[]>(resolve => {
    answer = resolve;
  });
  open(DOC, { ...world.provider, findPeople: () => found });
  await vi.waitFor(() => expect(chips()).toHaveLength(3));
  mouse('person', 'mousedown');
  press('Enter');
  type('mia');
  await vi.waitFor(() => expect(completionStatus(view.state)).toBe('pending'));
  press('Enter');
  expect(view.state.doc.toString()).toBe(DOC.replace('[~accountid:mia]', '@mia'));
  answer([mia]);
  await vi.waitFor(() => expect(completionStatus(view.state)).toBe('active'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
  press('Enter');
  expect(view.state.doc.toString()).toBe(DOC);
});

test('a custom status is changed in its brackets', () => {
  open('- [ON HOLD] wait');
  mouse('status', 'mousedown');
  press('Enter');
  expect(view.state.doc.toString()).toBe('- [] wait');
  expect(view.state.selection.main.head).toBe(3);
  press('Escape');
  expect(view.state.doc.toString()).toBe('- [ON HOLD] wait');
});

test('a picker that is left with nothing typed leaves the chip', () => {
  open();
  mouse('person', 'mousedown');
  press('Enter');
  view.dispatch({ selection: { anchor: 0 } });
  expect(view.state.doc.toString()).toBe(DOC);
  mouse('person', 'mousedown');
  press('Enter');
  type('Bob');
  view.dispatch({ selection: { anchor: 0 } });
  expect(view.state.doc.toString()).toBe(DOC.replace('[~accountid:mia]', '@Bob'));
});

test('in a text that is read only, a chip is selected but not changed', () => {
  open();
  view.dispatch(setEditable(false));
  mouse('person', 'mousedown');
  press('Enter');
  expect(view.state.doc.toString()).toBe(DOC);
});

test('a tick takes the reproach away at once', () => {
  open();
  view.dispatch({ changes: { from: 4, to: 5, insert: '+' } });
  expect(chips()).toContain('Fri 20 Nov');
});

test('at midnight the day is another one', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  open('\n- by 2026-11-23');
  expect(chips()).toEqual(['Mon 23 Nov']);
  world.live('2026-11-23');
  vi.advanceTimersByTime(60_000);
  return vi.waitFor(() => expect(chips()).toEqual(['Mon 23 Nov today']));
});

test('a provider that fails leaves an editor that works', () => {
  const fail = () => {
    throw new Error('no');
  };
  open('\n- for [~accountid:mia] see WEB-1', { ...world.provider, person: fail, issue: fail });
  expect(chips()).toEqual(['@…']);
  view.dispatch({ changes: { from: 0, insert: '- new' } });
  expect(chips()).toEqual(['@…']);
});

test('one that answers while it is asked does no harm', async () => {
  const provider = {
    ...world.provider,
    person: () => {
      world.notify();
      return mia;
    },
  };
  open(DOC, provider);
  await vi.waitFor(() => expect(chips()).toContain('@Mia Krystof'));
});

test('an editor that is gone listens no more', () => {
  open();
  view.destroy();
  expect(world.listeners.size).toBe(0);
});
