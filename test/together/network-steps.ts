import { insertNewline } from '@codemirror/commands';
import type { ChecklistEdit } from '../../src/domain/change.ts';
import { continueList } from '../../src/editor/commands/continue.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import type { Checklist } from '../../src/text/types.ts';
import { type OpenText, textOf } from '../../src/ui/text-editor/saving/open-text.ts';
import { pass, turn } from './clock.ts';
import { type EditorWindow, nameOf } from './editor-window.ts';
import type { Ledger } from './ledger.ts';
import { arriveAll, type Collaboration, type Person } from './people.ts';
import { placeOf, sourcesOf } from './rows.ts';
import type { Kind, Step } from './steps.ts';
import { wordsIn } from './words.ts';

type Play = (
  collaboration: Collaboration,
  person: Person,
  step: Step,
) => string | undefined | Promise<string | undefined>;

/** Milliseconds: a pause in typing, the adoption of another frame's change, the end of a request without an answer. */
const PAUSES = [600, 6_000, 70_000] as const;

let bulkCount = 0;
let wordCount = 0;

/** A colleague's change of all rows. */
function bulkEdit(text: string, { at, to }: Step, newWord: () => string): { edit: ChecklistEdit; said: string } {
  const checklist = readChecklist(text);
  const sources = sourcesOf(checklist).map(source => (source.endsWith('\n') ? source : `${source}\n`));
  if (at % 3 === 0) {
    const turned = sources.map((_, index) => sources[(index + to) % sources.length]);
    return { edit: { kind: 'updateChecklistFromText', text: turned.join('') }, said: 'moves all rows' };
  }
  const edits = checklist.rows.flatMap((row, index) => {
    const target = targetOf(checklist, index);
    if (at % 3 === 1)
      return { kind: 'updateChecklistItem' as const, target, values: { text: `${row.text} ${newWord()}` } };
    return row.kind === 'checkbox' ? { kind: 'setItemStatus' as const, target, status: 'done' } : [];
  });
  return { edit: { kind: 'changeChecklistItems', edits }, said: at % 3 === 1 ? 'rewords all rows' : 'ticks all items' };
}

const pollFrames = (person: Person) => {
  for (const { store } of person.desk.frames) void store.refresh().catch(() => undefined);
};

const COLLEAGUE = -2;

/** The index of the stored row that has a token; -1 without one. */
const storedIndex = (checklist: Checklist, token: string): number =>
  sourcesOf(checklist).findIndex(source => wordsIn(source).includes(token));

/** Changes the text of an editor, as its user does. */
function edit(editor: EditorWindow, { document }: { document: OpenText }, ledger: Ledger, change: () => void): void {
  const before = textOf(document);
  change();
  ledger.local(nameOf(editor), before, textOf(document));
  editor.lastTyped = undefined;
}

/** A colleague's word at the end of the stored row that has a token. */
async function addWord({ server, ledger }: Collaboration, token: string): Promise<void> {
  const checklist = readChecklist(server.text());
  const index = storedIndex(checklist, token);
  const row = checklist.rows[index];
  if (!row) return;
  const values = { text: `${row.text} ${ledger.newWord(COLLEAGUE)}` };
  const reworded = { kind: 'updateChecklistItem' as const, target: targetOf(checklist, index), values };
  await server.colleague(`word ${++wordCount}`, reworded);
}

/** The user types a blank at the end of a row, and a word behind it once a colleague's word has come in there. */
async function typeOn(all: Collaboration, person: Person): Promise<string | undefined> {
  const { editor, desk, index } = person;
  const { ledger, broken } = all;
  if (!editor?.opened || editor.isStranded || editor.opened.view.composing) return undefined;
  const { opened } = editor;
  const { view } = opened;
  const place = placeOf(view.state, view.state.selection.main.head);
  const line = place && view.state.doc.lineAt(place.start);
  if (!place?.token || !line || !/\S$/.test(line.text)) return undefined;
  const type = (text: string, at: number) =>
    edit(editor, opened, ledger, () =>
      view.dispatch({
        changes: { from: at, insert: text },
        selection: { anchor: at + text.length },
        userEvent: 'input.type',
      }),
    );
  type(' ', line.to);
  await addWord(all, place.token);
  pollFrames(person);
  await turn();
  await arriveAll(all, desk.person);
  if (person.editor !== editor || editor.isStranded) return `types a blank in ${place.token}`;
  const { head } = view.state.selection.main;
  const behind = view.state.sliceDoc(head, view.state.doc.lineAt(head).to);
  const word = ledger.newWord(index);
  type(word, head);
  if (/^\S/.test(behind))
    broken.push(`${person.name}: ${word} is typed in front of "${behind}", and its blank was at the end of a row`);
  return `types a blank in ${place.token}, and ${word} when a colleague's word has come in`;
}

/** The user begins a new row, and types into it once a colleague's new row has come in at the same place. */
async function enterOn(all: Collaboration, person: Person): Promise<string | undefined> {
  const { editor, desk, index } = person;
  const { server, ledger, broken } = all;
  if (!editor?.opened || editor.isStranded || editor.opened.view.composing) return undefined;
  const { opened } = editor;
  const { view } = opened;
  const place = placeOf(view.state, view.state.selection.main.head);
  if (!place?.token) return undefined;
  if (place.source.trimEnd().includes('\n')) ledger.reshape(index, wordsIn(place.source));
  view.dispatch({ selection: { anchor: view.state.doc.lineAt(place.start).to }, userEvent: 'select' });
  edit(editor, opened, ledger, () => void (continueList(view) || insertNewline(view)));
  const above = storedIndex(readChecklist(server.text()), place.token);
  const theirs = ledger.newToken(COLLEAGUE);
  const added = { kind: 'addChecklistItemsFromText' as const, text: theirs, index: above + 1 };
  await server.colleague(`row ${++wordCount}`, added);
  pollFrames(person);
  await turn();
  await arriveAll(all, desk.person);
  if (person.editor !== editor || editor.isStranded) return `begins a row below ${place.token}`;
  const token = ledger.newToken(index);
  edit(editor, opened, ledger, () => view.dispatch({ ...view.state.replaceSelection(token), userEvent: 'input.type' }));
  const others = wordsIn(placeOf(view.state, view.state.selection.main.head)?.source ?? '').filter(
    word => word !== token,
  );
  if (others.includes(theirs)) broken.push(`${person.name}: the new rows ${token} and ${theirs} are one`);
  return `begins a row below ${place.token}, and types ${token} when a colleague's ${theirs} has come in there`;
}

export const networkPlays: Partial<Record<Kind, Play>> = {
  offline: ({ network }, { desk }) => {
    if (network.isOffline(desk.person)) return undefined;
    network.goOffline(desk.person);
    return 'goes offline';
  },
  online: ({ network }, person) => {
    const { desk } = person;
    if (!network.isOffline(desk.person)) return undefined;
    network.goOnline(desk.person);
    for (const { page } of desk.frames) page.window.dispatchEvent(new Event('online'));
    pollFrames(person);
    return 'goes online';
  },
  arrive: ({ network }, { desk }, { at }) => {
    const mine = network.waiting().filter(({ person }) => person === desk.person);
    const delivery = mine[at % Math.max(1, mine.length)];
    if (!delivery) return undefined;
    network.arrive(delivery);
    return `: ${delivery.what} of frame ${delivery.frame} arrives`;
  },
  arriveAll: async (collaboration, { desk }) => {
    if (!collaboration.network.waiting().some(({ person }) => person === desk.person)) return undefined;
    await arriveAll(collaboration, desk.person);
    return ': everything arrives';
  },
  lose: ({ network }, { desk }, { at }) => {
    const mine = network.waiting().filter(({ person }) => person === desk.person);
    const delivery = mine[at % Math.max(1, mine.length)];
    if (!delivery) return undefined;
    network.lose(delivery);
    return `: ${delivery.what} is lost`;
  },
  poll: (_all, person) => {
    pollFrames(person);
    return 'begins to read';
  },
  bulk: async ({ server, ledger }, _person, step) => {
    const { edit, said } = bulkEdit(server.text(), step, () => ledger.newWord(COLLEAGUE));
    // A text without rows has nothing to reword, one without items nothing to tick.
    if ('edits' in edit && edit.edits.length === 0) return undefined;
    await server.colleague(`bulk ${++bulkCount}`, edit);
    return `sees that a colleague ${said}`;
  },
  typeOn,
  enterOn,
  wait: async (_all, _person, { at }) => {
    const pause = PAUSES[at % PAUSES.length] ?? 0;
    await pass(pause);
    return `waits for ${pause} ms`;
  },
};
