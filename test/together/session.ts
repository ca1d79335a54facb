import { textOf } from '../../src/ui/text-editor/saving/open-text.ts';
import { pass, turn } from './clock.ts';
import { editorPlays } from './editor-steps.ts';
import { nameOf } from './editor-window.ts';
import { foldLaw } from './folds.ts';
import { closingLaw, doublesLaw, endLaw, rowsLaw, wordsLaw } from './laws.ts';
import { networkPlays } from './network-steps.ts';
import { isPanelStep, playInPanel } from './panel-steps.ts';
import { arriveAll, type Collaboration, closeEditor, hasOffered, type Person, startCollaboration } from './people.ts';
import { offeredIn } from './rows.ts';
import type { Kind, Plan, Step } from './steps.ts';
import { endComposition, windowPlays } from './window-steps.ts';
import { wordsIn } from './words.ts';

/** What happened in a session, and which law it broke, if any. */
export interface Outcome {
  log: readonly string[];
  broken: readonly string[];
}

/** Milliseconds that a step takes. */
const STEP_MS = 120;

/** Steps that decide an open choice: it is answered, or its row goes before the user's eyes; typing only over a selection. */
const decides: ReadonlySet<Kind> = new Set([
  ...(['takeMine', 'takeTheirs', 'deleteRow', 'cut', 'overtype', 'undo', 'redo'] as const),
  ...(['type', 'typeOver', 'deleteSelection'] as const),
]);

async function play(collaboration: Collaboration, person: Person, step: Step): Promise<string | undefined> {
  const { kind } = step;
  const { ledger } = collaboration;
  if (isPanelStep(kind)) return playInPanel(person.panel, ledger, { ...step, person: person.desk.person });
  const other = windowPlays[kind] ?? networkPlays[kind];
  if (other) return other(collaboration, person, step);
  const window = person.editor;
  const inEditor = editorPlays[kind];
  if (!window?.opened || !inEditor) return undefined;
  if (kind !== 'type') await endComposition(window);
  // Going elsewhere changes nothing of the text.
  if (kind !== 'undo' && kind !== 'goto') window.lastTyped = undefined;
  // Undo of a cut brings the row back: pasting it then makes a copy, which is meant.
  if (kind === 'undo' || kind === 'redo') window.clipboard = undefined;
  if (window.isClosed) return undefined;
  const { document, view } = window.opened;
  const [before, choices] = [textOf(document), offeredIn(view.state)];
  const report = (what: string) => void collaboration.broken.push(`${person.name}: ${what}`);
  const isDeciding = decides.has(kind) && (kind !== 'type' || !view.state.selection.main.empty);
  const said = inEditor({ window, view, ledger, person: person.index, report }, step);
  const after = textOf(document);
  ledger.local(nameOf(window), before, after);
  const left = new Set([...wordsIn(after), ...offeredIn(view.state)]);
  if (isDeciding)
    ledger.remove(
      nameOf(window),
      choices.filter(word => !left.has(word)),
    );
  return said;
}

/** The most rounds in which everything arrives and is saved. */
const MAX_SETTLE_ROUNDS = 30;
const ROUND_MS = 6_000;

const hasDraft = ({ desk }: Person) => [...desk.browser.entries.keys()].some(key => key.includes('.draft/'));

/** Brings everyone online, saves everything, and lets everything arrive. */
async function settle(collaboration: Collaboration): Promise<void> {
  const { people, network } = collaboration;
  for (const { desk } of people) network.goOnline(desk.person);
  for (let round = 0; round < MAX_SETTLE_ROUNDS; round++) {
    await arriveAll(collaboration);
    await pass(ROUND_MS);
    await arriveAll(collaboration);
    let isDone = true;
    for (const person of people) {
      const { editor, desk } = person;
      if (editor) await endComposition(editor);
      const state = editor?.opened?.saving.get();
      if (editor && !editor.opened) void editor.frame.store.refresh().catch(() => undefined);
      if (state === 'unsaved') void editor?.opened?.saving.save();
      if (!editor && (hasDraft(person) || hasOffered(person))) collaboration.openEditor(person, false);
      else if (
        editor &&
        state === 'saved' &&
        [...desk.browser.entries.keys()].filter(key => key.includes('.draft/')).length > 0
      )
        closeEditor(person);
      const isQuiet = person.editor === editor && (state === 'saved' || !editor);
      if (!isQuiet || [...desk.frames].some(({ store }) => store.get()?.state !== 'saved')) isDone = false;
      for (const { store } of desk.frames) {
        store.sendNow();
        void store.refresh().catch(() => undefined);
      }
    }
    await turn();
    if (isDone && round > 0) break;
  }
  await arriveAll(collaboration);
  await pass(ROUND_MS);
  await arriveAll(collaboration);
}

/** Plays a session and checks the laws after each step and at the end. */
export async function playSession({ steps, ...plan }: Plan): Promise<Outcome> {
  const log: string[] = [];
  const collaboration = await startCollaboration(plan);
  log.push(`   The text is ${JSON.stringify(collaboration.server.text())}`);
  const { broken } = collaboration;
  try {
    for (const [index, step] of steps.entries()) {
      const person = collaboration.people[step.person % collaboration.people.length];
      if (!person) continue;
      const said = await play(collaboration, person, step);
      await turn();
      await pass(STEP_MS);
      if (said !== undefined) log.push(`${String(index + 1).padStart(2)} ${person.name} ${said}`);
      for (const each of collaboration.people) {
        const isOwn = each === person && editorPlays[step.kind] !== undefined;
        broken.push(...foldLaw(each, isOwn, collaboration.ledger));
      }
      broken.push(...wordsLaw(collaboration), ...doublesLaw(collaboration), ...rowsLaw(collaboration));
      if (broken.length > 0) return { log, broken };
    }
    await settle(collaboration);
    log.push('   Everyone is online, everything is saved and has arrived.');
    broken.push(
      ...doublesLaw(collaboration),
      ...rowsLaw(collaboration),
      ...endLaw(collaboration),
      ...closingLaw(collaboration),
    );
  } catch (error) {
    broken.push(`an error: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    for (const person of collaboration.people) {
      closeEditor(person);
      for (const frame of person.desk.frames) frame.close();
    }
  }
  return { log, broken };
}
