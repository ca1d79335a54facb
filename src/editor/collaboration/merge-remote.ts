import { EditorSelection, type EditorState, type StateEffect, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { setValues } from '../../text/edits/value.ts';
import { ChangedMeanwhile } from '../../text/errors.ts';
import { align, type Identified, idsAnswered, renamedRows } from '../../text/identity.ts';
import { isLastingId } from '../../text/merge/pairing.ts';
import { attributeOf } from '../../text/merge/row.ts';
import { documentOf, type Unit } from '../../text/merge/units.ts';
import { countWords, differenceOf } from '../../text/merge/word-counts.ts';
import type { Attribute, Conflict, Merged, Origin } from '../../text/merge.ts';
import { type MergedRows, mergeRows } from '../../text/merge-rows.ts';
import { readChecklist } from '../../text/read.ts';
import { lastRowBefore, locate, sourceOf } from '../../text/rows.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import { checklistOf, rowsBetween, statuses } from '../checklist.ts';
import { foldsMoved } from '../commands/folding.ts';
import { knownIds, rowIdsOf, setRowIds } from '../row-ids.ts';
import { nameFor } from './conflict-bar.ts';
import {
  conflictAt,
  conflictsRecorded,
  otherValue,
  type RowConflict,
  type ShownConflict,
  showConflicts,
  undecidedValues,
} from './conflicts.ts';
import { type Deletions, marksRemoteChange, remoteAuthors, rowsChanged } from './remote-changes.ts';
import { rowIdsRenamed } from './renamed-ids.ts';
import { rowMapping } from './row-mapping.ts';
import { idsOfVersion, isLastVersion, storedVersions, type TextVersion, versionReceived } from './stored-version.ts';
import { cursorReturned, cursorStranded, type DeletedLine, placeBefore, type RowPlace } from './stranded-cursor.ts';

/** A remote version of the text, and its common base with the open editor. */
export interface RemoteChange extends TextVersion {
  base: TextVersion;
  /** Conflicts that the merge of that text has reported, each at its row. */
  conflicts?: readonly ShownConflict[];
  /** It is the server's answer to this editor's text, whose open conflicts it has recorded. */
  isAnswer?: boolean;
  /** It is the server's first answer, in place of the tracker's copy that may be older: nothing has changed since then. */
  isFirst?: boolean;
}

/** The indexes of the conflicts' rows in a text; `undefined` for a row that is not unique. */
function rowsOfConflicts(
  { text, rows = [] }: TextVersion,
  conflicts: readonly ShownConflict[],
  registry: StatusRegistry,
): (number | undefined)[] {
  if (conflicts.length === 0) return [];
  const checklist = readChecklist(text, registry);
  return conflicts.map(({ row, rowId }) => {
    const index = rowId == null ? -1 : rows.indexOf(rowId);
    if (index >= 0) return index;
    try {
      return locate(checklist, { index: -1, text: row });
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return undefined;
      throw error;
    }
  });
}

/** The base, with the values before the conflicts that the user has not decided. */
function agreedBase(state: EditorState, text: string, rows: readonly string[]): string {
  const values = undecidedValues(state, rows);
  if (values.length === 0) return text;
  const registry = state.facet(statuses);
  return setValues(readChecklist(text, registry), values, (changed, like) =>
    readChecklist(changed, registry, readChecklist(like, registry)),
  );
}

/**
 * The ids that the rows of another version have here: those of the merged text. A row that is not in it is deleted here: it
 * has its own id, or that of the base. `renamed` are the deleted rows that have got another id than in the base.
 */
function idsOfTheirs(
  start: Identified,
  { text, rows = [] }: TextVersion,
  origins: Merged['origins'],
  merged: readonly string[],
  read: (text: string) => Checklist,
): { ids: readonly string[]; renamed: readonly (readonly [string, string])[] } {
  const theirs = read(text);
  const byIndex = new Map(origins.map(({ theirs: index = -1 }, at) => [index, merged[at] ?? '']));
  if (theirs.rows.every((_, index) => byIndex.has(index)))
    return { ids: theirs.rows.map((_, index) => byIndex.get(index) ?? ''), renamed: [] };
  const carried = align(read(start.text), start.rows, theirs, () => '');
  const ids = theirs.rows.map((_, index) => byIndex.get(index) ?? (rows[index] || (carried[index] ?? '')));
  return {
    ids,
    renamed: ids.flatMap((id, index) => {
      const before = carried[index] ?? '';
      return byIndex.has(index) || before === '' || isLastingId(before) ? [] : [[before, id] as const];
    }),
  };
}

const announcement = (count: number, who = 'someone else') =>
  count === 1
    ? `You and ${who} changed the same item. Press Alt F5 to go there.`
    : `You and ${who} changed the same ${count} values. Yours are shown. Press Alt F5 to go from one to the next.`;

/** The account of the author of the change that comes in, if there is one alone. */
function authorOf(state: EditorState): string | undefined {
  const [author, ...others] = state.facet(remoteAuthors).flatMap(authors => authors());
  return others.length === 0 ? author : undefined;
}

/** The rows of the merged text that were deleted: those that stay because they were edited here, and those that are back. */
function deletionsIn(state: EditorState, { after, origins, ids }: Meeting): Deletions {
  const earlier = new Set(storedVersions(state).flatMap(({ rows }) => rows.filter(isLastingId)));
  const wordsWhere = (isMeant: (origin: Origin, index: number) => boolean) =>
    origins.flatMap((origin, index) => (isMeant(origin, index) ? (after.rows[index]?.words ?? []) : []));
  return {
    kept: wordsWhere(({ base, mine, theirs }) => base !== undefined && mine !== undefined && theirs === undefined),
    returned: wordsWhere(
      ({ base, mine, theirs }, index) =>
        base === undefined && mine === undefined && theirs !== undefined && earlier.has(ids[index] ?? ''),
    ),
  };
}

/** The result of a remote change for an editor's state. */
export interface Merge {
  /** None where nothing changes. */
  transaction: Transaction | undefined;
  /** The conflicts whose row was not found. */
  unplaced: readonly Conflict[];
  changedRows: number;
  /** The row or line that the cursor was in is deleted. */
  isCursorRowDeleted: boolean;
  deletions: Deletions;
}

/** The remote version merged with the editor's text, row by row. */
interface Meeting {
  /** The editor's text, and that after the merge. */
  before: Checklist;
  after: Checklist;
  start: Identified;
  /** New names of rows that the editor knew by ids that the server does not keep. */
  names: ReadonlyMap<string, string>;
  merged: MergedRows;
  /** For each row of the merged text the rows that it was made of: none where it reads otherwise than its rows were written. */
  origins: Merged['origins'];
  /** The ids of the rows after the merge; the rows' number may differ from that of `origins`. */
  ids: readonly string[];
  read: (text: string) => Checklist;
}

function meet(state: EditorState, { base, text, rows, isAnswer = false }: RemoteChange): Meeting {
  const registry = state.facet(statuses);
  const before = checklistOf(state);
  const read = (each: string) => (each === before.text ? before : readChecklist(each, registry, before));
  const identified = (version: TextVersion): Identified => ({
    text: version.text,
    rows: version.rows ?? read(version.text).rows.map(() => ''),
  });
  const baseIds = idsOfVersion(state, base);
  const sent = identified({ text: isAnswer ? base.text : agreedBase(state, base.text, baseIds ?? []), rows: baseIds });
  const theirs = identified({ text, rows });
  const versions = storedVersions(state);
  const known = new Set(versions.flatMap(each => each.rows));
  const names = isAnswer ? idsAnswered(sent, theirs, known, read) : new Map<string, string>();
  const start = renamedRows(sent, names);
  const mine = renamedRows({ text: before.text, rows: rowIdsOf(state) }, names);
  const merged = mergeRows(start, mine, theirs, versions, read);
  const after = read(merged.text);
  const isComplete = merged.origins.length === after.rows.length;
  const ids = knownIds(isComplete ? merged.rows : [], after.rows.length);
  return { before, after, start, names, merged, origins: isComplete ? merged.origins : [], ids, read };
}

/** The conflicts that came with a version, and those of the merge, by the ids of their rows; `unplaced`: whose row was not found. */
function conflictsAfter(
  { text, rows, conflicts = [] }: RemoteChange,
  { merged, origins, ids }: Meeting,
  registry: StatusRegistry,
): { placed: readonly RowConflict[]; unplaced: readonly Conflict[] } {
  const inTheirs = rowsOfConflicts({ text, rows }, conflicts, registry);
  const indexes = [
    ...conflicts.map((conflict, index) => {
      const row = inTheirs[index];
      return { conflict, index: row === undefined ? -1 : origins.findIndex(({ theirs }) => theirs === row) };
    }),
    ...merged.conflicts.map(({ index, ...conflict }) => ({ conflict, index })),
  ];
  return {
    placed: indexes.flatMap(({ conflict, index }) => {
      const rowId = ids[index];
      return rowId === undefined ? [] : [conflictAt(conflict, rowId)];
    }),
    unplaced: indexes.flatMap(({ conflict, index }) => (index < 0 ? [conflict] : [])),
  };
}

/** The effects that make the rows' ids known, and the version that came in. */
function idEffects(state: EditorState, { text, rows }: RemoteChange, meeting: Meeting): StateEffect<unknown>[] {
  const { before, start, names, merged, origins, ids, read } = meeting;
  const idsBefore = rowIdsOf(state);
  const effects: StateEffect<unknown>[] = [];
  const isRenamed = ids.some((id, index) => id !== idsBefore[index]) || ids.length !== idsBefore.length;
  if (merged.text !== before.text || isRenamed) effects.push(setRowIds.of(ids));
  const inVersion = idsOfTheirs(start, { text, rows }, origins, ids, read);
  const version = { text, rows: inVersion.ids };
  if (!isLastVersion(state, version)) effects.push(versionReceived(version));
  const renamed = new Map([
    ...names,
    ...inVersion.renamed,
    ...origins.flatMap(({ mine, base = -1 }, index) => {
      // A row that is deleted here, and that others have kept, is back.
      const [old, id] = [mine === undefined ? start.rows[base] : idsBefore[mine], merged.rows[index]];
      return old && id && old !== id ? [[old, id] as const] : [];
    }),
  ]);
  if (renamed.size > 0) effects.push(rowIdsRenamed(renamed));
  return effects;
}

/** Whether a row has come to have a value: of words the last ones that it lacked, or no others than these. */
function isNowSaid(value: string, attribute: Attribute, was: Unit, is: Unit): boolean {
  const [before, after] = [was, is].map(unit => attributeOf(unit, attribute));
  if (before === after || after === value) return after === value && before !== value;
  if (attribute !== 'text') return false;
  const lacking = (text = '') => differenceOf(countWords(value), countWords(text)).lacking;
  return lacking(after) === 0 && lacking(before) > 0;
}

/** Shows the conflicts of a merge, and announces the new ones. */
function conflictEffects(
  state: EditorState,
  conflicts: readonly RowConflict[],
  { before, after, ids }: Meeting,
  isAnswer: boolean,
): StateEffect<unknown>[] {
  const [unitsBefore, units] = [before, after].map(checklist => documentOf(checklist).units);
  const idsBefore = rowIdsOf(state);
  const isAnswered = ({ conflict, rowId }: RowConflict) => {
    const [was, is] = [unitsBefore?.[idsBefore.indexOf(rowId)], units?.[ids.indexOf(rowId)]];
    return was !== undefined && is !== undefined && isNowSaid(otherValue(conflict), conflict.attribute, was, is);
  };
  const by = authorOf(state);
  const named = by === undefined ? conflicts : conflicts.map(each => ({ ...each, conflict: { by, ...each.conflict } }));
  const { effects, count } = showConflicts(state, named, isAnswer ? undefined : named, isAnswered);
  if (count === 0) return effects;
  const name = by === undefined ? undefined : nameFor(state, by);
  return [...effects, EditorView.announce.of(announcement(count, name))];
}

/** The cursor's place in its row, or in the one that was deleted before; none if the row is there, without the cursor's line. */
function lostPlace(state: EditorState, ids: readonly string[]): RowPlace | undefined {
  const before = placeBefore(state);
  if (before) return before;
  const checklist = checklistOf(state);
  const { head } = state.selection.main;
  const index = lastRowBefore(checklist, head);
  const rowId = rowIdsOf(state)[index];
  if (rowId === undefined || ids.includes(rowId)) return undefined;
  return { rowId, offset: head - (checklist.starts[index] ?? 0) };
}

const strandedEffects = (state: EditorState, { ids }: Meeting, deleted: DeletedLine | undefined) =>
  deleted ? [cursorStranded(deleted, deleted === 'row' ? lostPlace(state, ids) : undefined)] : [];

/** The cursor's position in its row, if that had been deleted and is back. */
function returnedPosition(state: EditorState, { after, ids }: Meeting): number | undefined {
  const place = placeBefore(state);
  const index = place ? ids.indexOf(place.rowId) : -1;
  const start = after.starts[index];
  if (!place || start === undefined) return undefined;
  const [line = ''] = sourceOf(after, index).split('\n');
  return start + Math.min(place.offset, line.trimEnd().length);
}

/** Merges a remote version into an editor's state, see {@link receive}. */
export function mergeRemote(state: EditorState, arrival: RemoteChange): Merge {
  const { isAnswer = false } = arrival;
  const meeting = meet(state, arrival);
  const { before, after, merged, origins } = meeting;
  const { placed, unplaced } = conflictsAfter(arrival, meeting, state.facet(statuses));
  const selected = state.selection.ranges.flatMap(({ from, to }) => rowsBetween(before, from, to));
  const mapping = rowMapping(
    before,
    state.doc,
    { checklist: after, rows: origins.map(({ mine }) => mine) },
    new Set(selected.map(({ index }) => index)),
  );
  const { main } = state.selection;
  const deletedLine = mapping.deletedLineAt(main.head);
  const isCursorRowDeleted = deletedLine !== undefined;
  const returned = main.empty ? returnedPosition(state, meeting) : undefined;
  const isChanged = merged.text !== before.text;
  const effects = [
    ...idEffects(state, arrival, meeting),
    ...(isAnswer ? [conflictsRecorded] : []),
    ...conflictEffects(state, placed, meeting, isAnswer),
    ...(isChanged ? [marksRemoteChange] : []),
    ...(returned === undefined ? strandedEffects(state, meeting, deletedLine) : [cursorReturned]),
  ];
  const deletions = deletionsIn(state, meeting);
  if (effects.length === 0) return { transaction: undefined, unplaced, changedRows: 0, isCursorRowDeleted, deletions };

  const selection =
    returned === undefined
      ? EditorSelection.create(state.selection.ranges.map(mapping.mapRange), state.selection.mainIndex)
      : EditorSelection.single(returned);
  // A selection that is set closes an open list of people or days.
  const isMapped = !isChanged || selection.eq(state.selection.map(mapping.changes));
  const transaction = state.update({
    changes: mapping.changes,
    ...(!isMapped && { selection }),
    effects: [...effects, ...foldsMoved(state, mapping.steps, mapping.changes)],
    annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
  });
  return { transaction, unplaced, changedRows: rowsChanged(state, transaction.state), isCursorRowDeleted, deletions };
}
