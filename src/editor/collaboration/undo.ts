import { invertedEffects } from '@codemirror/commands';
import {
  EditorSelection,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  Text,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { applyChanges } from '../../text/document.ts';
import { type Identified, joinRows, rowsOf } from '../../text/identity.ts';
import { countWords, wordsIn } from '../../text/merge/word-counts.ts';
import { mergeRows } from '../../text/merge-rows.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf, sourceOf } from '../../text/rows.ts';
import type { Checklist } from '../../text/types.ts';
import { checklistOf, statuses } from '../checklist.ts';
import { rowIdsOf, setRowIds } from '../row-ids.ts';
import { changesBetween } from './diff.ts';
import { renamedIds } from './renamed-ids.ts';
import { type RowMapping, rowMapping } from './row-mapping.ts';
import { cursorStranded, type DeletedLine, deletedIn } from './stranded-cursor.ts';

/** A text with the ids that its rows had, and what was selected in it. */
interface Snapshot {
  doc: Text;
  rows: readonly string[];
  selection: EditorSelection;
}

/** A step of the history: it turns one text into another. */
interface Step {
  from: Snapshot;
  to: Snapshot;
}
const step = StateEffect.define<Step>();

const snapshot = (state: Transaction['state']): Snapshot => ({
  doc: state.doc,
  rows: rowIdsOf(state),
  selection: state.selection,
});

/** The present ids of rows by all that they have had. */
const presentIds = StateField.define<ReadonlyMap<string, string>>({
  create: () => new Map(),
  update: (before, transaction) => {
    const renamed = renamedIds(transaction);
    return renamed
      ? new Map([...[...before].map(([old, id]) => [old, renamed.get(id) ?? id] as const), ...renamed])
      : before;
  },
});

const stepsOf = ({ effects }: Transaction): readonly Step[] =>
  effects.flatMap(effect => (effect.is(step) ? effect.value : []));

/** The steps of one piece of typing, between which others have changed nothing, as one step. */
function joinedSteps(steps: readonly Step[]): readonly Step[] {
  const joined: Step[] = [];
  for (const { from, to } of steps) {
    const last = joined.at(-1);
    if (last?.to.doc === from.doc) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

/** A step that is undone is made again by the reverse one. */
const rememberSteps = invertedEffects.of(transaction => {
  const { docChanged, startState, state } = transaction;
  const known = stepsOf(transaction);
  if (known.length > 0) return known.map(({ from, to }) => step.of({ from: to, to: from })).reverse();
  if (!docChanged || !startState.field(presentIds, false)) return [];
  return [step.of({ from: snapshot(state), to: snapshot(startState) })];
});

const isMarked = (checklist: Checklist, index: number): boolean =>
  sourceOf(checklist, index).slice(0, checklist.rows[index]?.content.from).trim() !== '';

/** Whether each row of a text is the same row of another one, with words that this one has there or nowhere. */
function areSameRows(made: Checklist, wanted: Checklist): boolean {
  if (made.rows.length !== wanted.rows.length) return false;
  const wanting = wanted.rows.map((_, index) => new Set(wordsIn(sourceOf(wanted, index))));
  const all = new Set(wanting.flatMap(words => [...words]));
  return made.rows.every((_, index) => {
    const isOfKind = isMarked(made, index) === isMarked(wanted, index);
    const words = wordsIn(sourceOf(made, index));
    const isPlaced = words.every(word => wanting[index]?.has(word) || !all.has(word));
    return isOfKind && isPlaced && (wanting[index]?.size === 0 || words.some(word => wanting[index]?.has(word)));
  });
}

const isFullWord = (word: string) => /[\p{L}\p{N}]{2}/u.test(word);

/** Whether a text has a word more often than each of some others: signs do not count, which marks consist of. */
function hasMore(text: string, others: readonly string[]): boolean {
  const counts = others.map(countWords);
  return [...countWords(text)].some(
    ([word, count]) => isFullWord(word) && counts.every(other => count > (other.get(word) ?? 0)),
  );
}

/** A text without some of its rows. */
function withoutRows(
  { text, rows }: Identified,
  isLeftOut: (id: string) => boolean,
  read: (text: string) => Checklist,
): Identified {
  const checklist = read(text);
  if (checklist.rows.length !== rows.length || !rows.some(isLeftOut)) return { text, rows };
  const ranges = rows.flatMap((id, index) => (isLeftOut(id) ? rangeOf(checklist, index) : []));
  return { text: applyChanges(text, ranges), rows: rows.filter(id => !isLeftOut(id)) };
}

/**
 * The text of a step, with the rows that it brings back at its end if they are there already: this says nothing of their
 * place, so that they stay where others have them.
 */
function withReturnedLast(after: Identified, before: Identified, now: Identified, read: (text: string) => Checklist) {
  const [had, has] = [new Set(before.rows), new Set(now.rows)];
  const isReturned = (id: string) => id !== '' && has.has(id) && !had.has(id);
  if (!after.rows.some(isReturned)) return after;
  const returned = rowsOf(after, read).filter(({ id }) => isReturned(id));
  return joinRows(withoutRows(after, isReturned, read), returned);
}

/** A merged step without the rows that others have deleted since: these come back only if the step brings words back. */
function withoutDeleted(
  merged: Identified,
  { before, after, now }: Record<'before' | 'after' | 'now', Identified>,
  read: (text: string) => Checklist,
): Identified {
  const present = new Set(now.rows);
  if (merged.rows.every(id => present.has(id))) return merged;
  const [was, is] = [before, after].map(version => new Map(rowsOf(version, read).map(row => [row.id, row.said])));
  const isDeleted = (id: string) => {
    const [old, next] = [was?.get(id), is?.get(id)];
    return id !== '' && !present.has(id) && old !== undefined && next !== undefined && !hasMore(next, [old]);
  };
  return withoutRows(merged, isDeleted, read);
}

/** A text with the ids of its rows. */
interface IdentifiedRows {
  checklist: Checklist;
  rows: readonly string[];
}

/** The way from a text to a later one, whose rows are known by their ids. */
function mappingBetween(before: IdentifiedRows, doc: Text, { checklist, rows }: IdentifiedRows): RowMapping {
  const indexes = new Map(before.rows.map((id, index) => [id, index]));
  return rowMapping(before.checklist, doc, { checklist, rows: rows.map(id => indexes.get(id)) }, new Set());
}

/** A step made in the present text, character by character, in the rows that it was made in. */
function stepInRows(before: Identified, after: Identified, now: Identified, read: (text: string) => Checklist): string {
  const [was, is] = [before, now].map(({ text, rows }): IdentifiedRows => ({ checklist: read(text), rows }));
  const doc = Text.of(before.text.split('\n'));
  if (!was || !is) return now.text;
  const { steps } = mappingBetween(was, doc, is);
  let end = 0;
  const changes = changesBetween(before.text, after.text)
    .map(({ from, to = from, insert }) => ({
      from: steps.mapPos(from, doc, to > from ? 1 : -1),
      to: steps.mapPos(to, doc, -1),
      ...(insert !== undefined && { insert }),
    }))
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, ...change }) => {
      const start = Math.max(from, end);
      end = Math.max(start, to);
      return { from: start, to: end, ...change };
    });
  return applyChanges(now.text, changes);
}

/** Merges the steps with what others changed since; `undefined` where the history has made what is to be. */
function mergedSteps(
  made: Checklist,
  startState: EditorState,
  steps: readonly Step[],
  identified: (snapshot: Snapshot) => Identified,
  read: (text: string) => Checklist,
): IdentifiedRows | undefined {
  let now = identified(snapshot(startState));
  let isClear = true;
  const docs = new Set([startState.doc, ...steps.flatMap(({ from, to }) => [from.doc, to.doc])]);
  const known = new Set([...docs].flatMap(doc => wordsIn(doc.toString())));
  /** Whether a text has a word that no version has: it consists of parts of others' words. */
  const isTorn = (text: string) => wordsIn(text).some(word => isFullWord(word) && !known.has(word));
  for (const { from, to } of joinedSteps(steps)) {
    const before = identified(from);
    const after = withReturnedLast(identified(to), before, now, read);
    const merged = mergeRows(before, after, now, [], read);
    // Words that others have changed since stay as they are, and so does a row that would go.
    const keepsUndone = before.rows.some(id => id !== '' && !after.rows.includes(id) && merged.rows.includes(id));
    const isMerged = merged.conflicts.length === 0 && !keepsUndone;
    const kept = isMerged
      ? withoutDeleted(merged, { before, after, now }, read)
      : mergeRows(before, now, after, [], read);
    const typed = isMerged ? kept.text : stepInRows(before, after, now, read);
    const isInRows =
      !hasMore(now.text, [typed, before.text]) && areSameRows(read(typed), read(kept.text)) && !isTorn(typed);
    const { text, rows } = isInRows ? { ...kept, text: typed } : kept;
    // A row that is to come back may stand in others' words already: in what the history has made.
    const sources = [before.text, now.text, after.text];
    if (hasMore(text, sources) && !hasMore(made.text, sources)) return undefined;
    isClear &&= isMerged || isInRows;
    now = { text, rows };
  }
  const wanted = read(now.text);
  if (wanted.rows.length !== now.rows.length) return undefined;
  const isWhole = isClear ? made.text === now.text : areSameRows(made, wanted) && !isTorn(made.text);
  return { checklist: isWhole ? made : wanted, rows: now.rows };
}

/**
 * The selection before the step that is undone, in the rows of the present text; and the line that others have deleted,
 * if the cursor was in one.
 */
function selectionAmong(
  { selection, doc }: Snapshot,
  before: IdentifiedRows,
  { checklist, rows }: IdentifiedRows,
): { selection: EditorSelection; deleted?: DeletedLine } {
  const mapping = mappingBetween(before, doc, { checklist, rows });
  const deleted = mapping.deletedLineAt(selection.main.head);
  return {
    selection: EditorSelection.create(selection.ranges.map(mapping.mapRange), selection.mainIndex),
    ...(deleted && { deleted }),
  };
}

/**
 * The change that is left to make after an undo or a redo. The history maps what it takes back, and the cursor, through
 * others' changes character by character, so that they are lost in rows that moved, and rows may be torn, joined or there
 * twice: so the steps are merged with those changes row by row instead. If others changed the same words, characters decide
 * as long as the rows are whole. Rows that come back have the ids that they had, and the cursor is in the row that it was in.
 */
export function mendUndo(transaction: Transaction): TransactionSpec | undefined {
  const { startState, state } = transaction;
  const steps = stepsOf(transaction);
  const last = steps.at(-1);
  if (!last) return undefined;
  const present = state.field(presentIds);
  const registry = state.facet(statuses);
  const read = (text: string) => readChecklist(text, registry, checklistOf(startState));
  const identified = ({ doc, rows }: Snapshot): Identified => ({
    text: doc.toString(),
    rows: rows.map(id => present.get(id) ?? id),
  });
  const made = checklistOf(state);
  const ids = rowIdsOf(state);
  const before = identified(last.to);
  const isAsBefore = state.doc.eq(last.to.doc);
  const now = isAsBefore
    ? { checklist: made, rows: before.rows }
    : (mergedSteps(made, startState, steps, identified, read) ?? { checklist: made, rows: ids });
  const areKnown = now.rows.every((id, index) => id === ids[index]);
  const { selection, deleted = deletedIn(state) } = isAsBefore
    ? { selection: last.to.selection }
    : selectionAmong(last.to, { checklist: read(before.text), rows: before.rows }, now);
  if (now.checklist === made && areKnown && selection.eq(state.selection)) return undefined;
  return {
    changes: now.checklist === made ? [] : changesBetween(made.text, now.checklist.text),
    selection,
    effects: [setRowIds.of(now.rows), ...(deleted === null ? [] : [cursorStranded(deleted)])],
    annotations: Transaction.addToHistory.of(false),
  };
}

/** Keeps rows whole when a change is undone, or made again, among others' changes. */
export const undoAmongOthers: Extension = [
  rememberSteps,
  presentIds,
  EditorView.updateListener.of(({ view, transactions }) => {
    const last = transactions.at(-1);
    const mended = last && (last.isUserEvent('undo') || last.isUserEvent('redo')) && mendUndo(last);
    if (mended) view.dispatch(mended);
  }),
];
