import type { EditorState } from '@codemirror/state';
import { offeredText } from '../../src/ui/text-editor/saving/saving.ts';
import { fakeBrowser, memory } from '../client/fake-browser.ts';
import { turn } from './clock.ts';
import { type EditorWindow, openEditorWindow } from './editor-window.ts';
import { headersIn } from './folds.ts';
import { type Desk, openFrame } from './frame.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createNetwork, type Network } from './network.ts';
import type { Panel } from './panel-steps.ts';
import { choiceLaw, doubledLaw, keptLaw } from './received.ts';
import { offeredIn } from './rows.ts';
import { hasReturned, selectionLaw } from './selected.ts';
import { createServer, type Server } from './server.ts';
import type { Plan } from './steps.ts';
import { tokenIn, tokenOf, wordsIn } from './words.ts';

/** A user with a panel, and with an editor at times; or the second tab of a user, with an editor of its own. */
export interface Person {
  name: string;
  /** Its place among all: two tabs of one user are two. */
  index: number;
  desk: Desk;
  panel: Panel;
  editor: EditorWindow | undefined;
  /** The storage of the editor's window. */
  session: Storage;
}

/** A choice that a user left open, by the words that each side alone has. */
export interface Closing {
  name: string;
  mine: readonly string[];
  theirs: readonly string[];
}

/** A server, a network and people, and what was broken so far. */
export interface Collaboration {
  server: Server;
  network: Network;
  ledger: Ledger;
  people: readonly Person[];
  broken: string[];
  /** The choices that were open when an editor was closed by a save. */
  closings: Closing[];
  /** Opens an editor; a reload keeps the window's storage. */
  openEditor(person: Person, isReload: boolean): EditorWindow;
}

const NAMES = ['Ana', 'Ben', 'Cleo', 'Dan'] as const;

const FILLERS = ['alpha', 'beta', 'gamma', 'delta', 'kappa', 'sigma', 'omega', 'theta'];

/** Rows of a section at the start, with its header. */
const SECTION_ROWS = 4;

/** The text that everyone begins with: headers, each with its items. */
function initialText(rows: number): string {
  const words = (index: number) => `${FILLERS[index % FILLERS.length]} ${FILLERS[(index * 3 + 1) % FILLERS.length]}`;
  return Array.from(
    { length: rows },
    (_, index) => `${index % SECTION_ROWS === 0 ? '#' : '-'} ${tokenOf(index + 1)} ${words(index)} tail\n`,
  ).join('');
}

export async function startCollaboration({
  people: count,
  rows,
  hasTrackerCopy,
  hasSecondTab = false,
}: Omit<Plan, 'steps'>): Promise<Collaboration> {
  const server = createServer(initialText(rows));
  await server.start();
  const network = createNetwork();
  const ledger = createLedger(server);
  ledger.known(server.text());
  const broken: string[] = [];
  const world = { server, network, hasTrackerCopy };

  const receivedBy = (name: string) => (window: EditorWindow, before: EditorState, after: EditorState) => {
    const { broken: moved, isStranded } = selectionLaw(before, after);
    window.isStranded = isStranded || (window.isStranded && !hasReturned(before, after));
    // A row that others changed while it was cut is back: pasting it then makes a copy, which is meant.
    const cut = tokenIn(window.clipboard ?? '');
    if (cut !== undefined && wordsIn(after.doc.toString()).includes(cut)) window.clipboard = undefined;
    // A section without rows cannot be folded.
    const headers = headersIn(after).map(({ token }) => token);
    window.folded = window.folded.filter(token => headers.includes(token));
    // Until a change of another frame is acknowledged, its conflicts are not known here.
    const isPending = (window.frame.store.get()?.waiting ?? 0) > 0;
    const kept = isPending ? [] : keptLaw(before, after, ledger);
    const doubled = isPending ? [] : doubledLaw(`${name}'s editor`, after.doc.toString(), ledger, offeredIn(after));
    const isTorn = window.opened?.view.composing && !before.doc.eq(after.doc);
    if (isTorn) broken.push(`${name}: the text changes while an input method composes in it`);
    const found = [...moved, ...kept, ...choiceLaw(before, after, ledger), ...doubled];
    broken.push(...found.map(what => `${name}: ${what}`));
  };
  const failed = (error: unknown) => broken.push(`an error: ${error instanceof Error ? error.stack : String(error)}`);

  const people = NAMES.slice(0, count).map((name, index): Person => {
    const desk: Desk = { person: index, account: name, browser: fakeBrowser(), frames: new Set() };
    const frame = openFrame(world, desk, memory());
    void frame.store.refresh();
    void frame.store.prepare();
    return { name, index, desk, panel: { frame, made: [] }, editor: undefined, session: memory() };
  });
  const [first] = people;
  if (hasSecondTab && first)
    people.push({ ...first, name: `${first.name}, in another tab,`, index: people.length, session: memory() });
  const collaboration: Collaboration = {
    server,
    network,
    ledger,
    people,
    broken,
    closings: [],
    openEditor: (person, isReload) => {
      if (!isReload) person.session = memory();
      const window = openEditorWindow(world, person.desk, person.session, {
        received: receivedBy(person.name),
        failed,
      });
      person.editor = window;
      return window;
    },
  };
  await turn();
  await arriveAll(collaboration);
  return collaboration;
}

/** Lets everything arrive that is on its way, in order, and what that sends. */
export async function arriveAll({ network }: Collaboration, person?: number, frame?: number): Promise<void> {
  const isMeant = (each: { person: number; frame: number }) =>
    (person === undefined || each.person === person) && (frame === undefined || each.frame === frame);
  for (let found = network.waiting().find(isMeant); found; found = network.waiting().find(isMeant)) {
    network.arrive(found);
    await turn();
  }
}

/** Ends a person's editor, which is gone from the desk then. */
export function closeEditor(person: Person): void {
  person.editor?.close();
  person.editor = undefined;
}

/** Whether a rejected text waits for the next editor. */
export const hasOffered = ({ panel }: Person): boolean =>
  panel.frame.store.get()?.rejected.some(change => offeredText(change) !== undefined) ?? false;
