import { completionStatus, currentCompletions } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import type { Person } from '../../../src/domain/person.ts';
import { hintOf } from '../../../src/editor/complete/hint.ts';
import {
  type CalendarRequest,
  checklistEditor,
  type MountCalendar,
  type Provider,
  receive,
} from '../../../src/editor/index.ts';
import { fakeProvider } from './offers.ts';

const emma: Person = { accountId: 'a1', name: 'Emma Richards', avatar: 'javascript:alert(1)' };

let view: EditorView | undefined;
afterEach(() => {
  view?.destroy();
  vi.useRealTimers();
});

function editor(provider: Provider, calendar?: MountCalendar): EditorView {
  const config = { label: 'Text', editable: true, placeholder: '', save: () => undefined, provider };
  view = new EditorView({
    extensions: checklistEditor({ ...config, ...(calendar && { calendar }) }),
    parent: document.body,
  });
  view.focus();
  return view;
}

function type(into: EditorView, text: string): void {
  const { from, to } = into.state.selection.main;
  into.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    userEvent: 'input.type',
  });
}

function press(on: EditorView, key: string): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true });
  on.contentDOM.dispatchEvent(event);
  return event;
}

/** The list has been visible for a while: keys pressed as it appears belong to the text. */
function seen(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
}

const listed = (of: EditorView) => currentCompletions(of.state).map(({ label }) => label);
const shown = (of: EditorView) => vi.waitFor(() => expect(completionStatus(of.state)).toBe('active'));

test('a list opens while typing; its options have names, and only pictures from addresses', async () => {
  const made = editor(fakeProvider({ findPeople: async () => [emma] }));
  type(made, '- @em');
  await shown(made);
  const option = made.dom.querySelector('[role=option]');
  expect(option).toHaveTextContent('Emma Richards');
  expect(option?.querySelector('img')).toBeNull();
  expect(option?.querySelector('[aria-hidden]')).toHaveTextContent('ER');
  expect(made.contentDOM.getAttribute('aria-activedescendant')).toBe(option?.id);
  expect(made.dom.querySelector('[role=listbox]')).toHaveAttribute('aria-label', 'Suggestions');
});

test('Escape closes the list and goes no further, nor does the one before Tab leaves the text; the next one does', async () => {
  const made = editor(fakeProvider({ findPeople: async () => [emma] }));
  const outside = vi.fn();
  document.addEventListener('keydown', outside);
  type(made, '- @em');
  await shown(made);
  expect(press(made, 'Escape').defaultPrevented).toBe(true);
  expect(completionStatus(made.state)).toBeNull();
  expect(outside).not.toHaveBeenCalled();
  press(made, 'Escape');
  expect(outside).not.toHaveBeenCalled();
  press(made, 'Escape');
  expect(outside).toHaveBeenCalledOnce();
  document.removeEventListener('keydown', outside);
});

test('shows that no user was found until the text changes', async () => {
  const findPeople = vi.fn(async (): Promise<readonly Person[]> => []);
  const made = editor(fakeProvider({ findPeople }));
  type(made, '- @zed');
  await vi.waitFor(() => expect(hintOf(made.state)).toBe('No people match “zed”.'));
  expect(made.dom.querySelector('.cm-complete-hint')).toHaveTextContent('No people match');
  type(made, ' and');
  expect(hintOf(made.state)).toBe('No people match “zed”.');
  type(made, ' so on');
  expect(hintOf(made.state)).toBeUndefined();
});

test('a failure is said quietly, and typing goes on', async () => {
  const made = editor(fakeProvider({ findPeople: () => Promise.reject(new Error('Oh.')) }));
  type(made, '- @em');
  await vi.waitFor(() => expect(hintOf(made.state)).toBe("We couldn't search for people."));
  expect(press(made, 'Escape').defaultPrevented).toBe(true);
  expect(hintOf(made.state)).toBeUndefined();
  type(made, 'ma');
  expect(made.state.doc.toString()).toBe('- @emma');
});

test('a key that is typed while a phrase is read opens the list of what stands there then', async () => {
  let onAsked: () => void = () => undefined;
  const made = editor({
    ...fakeProvider(),
    today: () => {
      onAsked();
      return '2026-11-22';
    },
  });
  type(made, '- //31 decembe');
  const asked = new Promise<void>(resolve => {
    onAsked = resolve;
  });
  await asked;
  // The chunk that reads phrases has not come yet.
  type(made, 'r');
  await shown(made);
  expect(listed(made)[0]).toMatch(/31 December/);
});

test('a hanging lookup shows that it is loading, and a late answer is not shown', async () => {
  let answer: (found: readonly Person[]) => void = () => undefined;
  const made = editor(
    fakeProvider({
      findPeople: () =>
        new Promise(resolve => {
          answer = resolve;
        }),
    }),
  );
  type(made, '- @em');
  await vi.waitFor(() => expect(hintOf(made.state)).toBe('Searching…'));
  type(made, '! Then');
  expect(hintOf(made.state)).toBeUndefined();
  answer([emma]);
  await vi.waitFor(() => expect(completionStatus(made.state)).toBeNull());
  expect(listed(made)).toEqual([]);
});

test('an unfocused text shows no later answer', async () => {
  const made = editor(fakeProvider({ findPeople: async () => [emma] }));
  type(made, '- @em');
  await shown(made);
  made.contentDOM.blur();
  await vi.waitFor(() => expect(completionStatus(made.state)).toBeNull());
});

test('while an input method composes, its keys are its own', async () => {
  const made = editor(fakeProvider({ findPeople: async () => [emma] }));
  type(made, '- @em');
  await shown(made);
  seen();
  Object.defineProperty(made, 'composing', { value: true });
  press(made, 'Enter');
  expect(made.state.doc.toString()).not.toContain('accountid');
});

test('a day of the calendar goes where its slashes stand, wherever that is by then', async () => {
  let request: CalendarRequest | undefined;
  const gone = vi.fn();
  const made = editor(fakeProvider(), (parent, given) => {
    request = given;
    parent.append(document.createElement('button'));
    parent.querySelector('button')?.focus();
    return gone;
  });
  type(made, '- a 01/12/2026 //');
  await shown(made);
  seen();
  press(made, 'ArrowUp');
  expect(made.dom.querySelector('[aria-selected]')).toHaveTextContent('Pick a date…');
  press(made, 'Enter');
  expect(request).toMatchObject({ day: '2026-11-22', today: '2026-11-22' });
  made.dispatch({ changes: { from: 0, insert: '# Above\n' } });
  request?.pick('2027-02-03');
  expect(made.state.doc.toString()).toBe('# Above\n- a 01/12/2026 03/02/2027 ');
  expect(gone).toHaveBeenCalledOnce();
  expect(made.hasFocus).toBe(true);
});

test.each([
  ['reword the row above', '- one more\n- call \n- two\n'],
  ['add a row above', '- new\n- one\n- call \n- two\n'],
  ['delete the row above', '- call \n- two\n'],
  ['reword the row below', '- one\n- call \n- two more\n'],
  ['move the row up', '- call \n- one\n- two\n'],
  ['move the row down', '- one\n- two\n- call \n'],
  ['move the row between others', '- new\n- two\n- call \n- one\n'],
  ['tick the row', '- one\n+ call \n- two\n'],
  ['indent the row', '- one\n  - call \n- two\n'],
  ['move and tick the row', '+ call \n- one\n- two\n'],
  ['add a word to the row', '- one\n- please call \n- two\n'],
])('a list stays open when others %s', async (_, theirs) => {
  const made = editor(fakeProvider({ findPeople: async () => [emma] }));
  const base = '- one\n- call \n- two\n';
  made.dispatch({ changes: { from: 0, insert: base }, selection: { anchor: 13 } });
  type(made, '@em');
  await shown(made);
  await receive(made, { base: { text: base }, text: theirs });
  expect(made.state.doc.toString()).toBe(theirs.replace('call ', 'call @em'));
  expect(completionStatus(made.state)).toBe('active');
  expect(listed(made)).toEqual(['Emma Richards']);
});
