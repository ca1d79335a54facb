import type { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Person } from '../../src/domain/person.ts';
import { type Provider, setPlain } from '../../src/editor/index.ts';
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

test('the text is the same with chips, without them and under the cursor', async () => {
  open();
  await vi.waitFor(() => expect(chips()).toHaveLength(3));
  expect(view.state.doc.toString()).toBe(DOC);
  view.dispatch({ selection: { anchor: 35 } });
  expect(chips()).toEqual(['@…', '🎉']);
  expect(line(1)).toContain('2026-11-20');
  view.dispatch({ selection: { anchor: 0 } });
  expect(chips()).toEqual(['@…', 'Fri 20 Nov overdue', '🎉']);
  view.dispatch(setPlain(true));
  expect(chips()).toEqual([]);
  expect(line(1)).toBe(DOC.split('\n')[1]);
  view.dispatch(setPlain(false));
  expect(chips().length).toBeGreaterThan(0);
});

test('while a mouse button is down nothing moves under the pointer', async () => {
  open();
  view.contentDOM.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 }));
  view.dispatch({ selection: { anchor: 35 } });
  expect(chips()).toContain('Fri 20 Nov overdue');
  window.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
  await vi.waitFor(() => expect(chips()).not.toContain('Fri 20 Nov overdue'));
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
