import { EditorSelection, type EditorState, type StateEffect, Transaction } from '@codemirror/state';
import { EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';
import { untilAborted } from '../../domain/timing.ts';
import { replaceText } from '../../text/document.ts';
import { setValues } from '../../text/edits/value.ts';
import { ChangedMeanwhile } from '../../text/errors.ts';
import { align, type Identified, mergeRows } from '../../text/identity.ts';
import { isLastingId } from '../../text/merge/pairing.ts';
import type { Conflict, Merged } from '../../text/merge.ts';
import { readChecklist } from '../../text/read.ts';
import { lastRowBefore, locate } from '../../text/rows.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import { checklistOf, rowsBetween, statuses } from '../checklist.ts';
import { foldsMoved } from '../commands/folding.ts';
import { compositionEnd } from '../composition.ts';
import { knownIds, rowIdsOf, setRowIds } from '../row-ids.ts';
import { conflictAt, conflictsRecorded, type ShownConflict, showConflicts, undecidedValues } from './conflicts.ts';
import { marksRemoteChange, onRemoteChange, rowsChanged } from './remote-changes.ts';
import { rowIdsRenamed } from './renamed-ids.ts';
import { rowMapping } from './row-mapping.ts';
import { idsOfVersion, isLastVersion, storedVersions, type TextVersion, versionReceived } from './stored-version.ts';
import { cursorStranded } from './stranded-cursor.ts';

/** A remote version of the text, and its common base with the open editor. */
export interface RemoteChange extends TextVersion {
  base: TextVersion;
  /** Conflicts that the merge of that text has reported, each at its row. */
  conflicts?: readonly ShownConflict[];
  /** It is the server's answer to this editor's text, whose open conflicts it has recorded. */
  isAnswer?: boolean;
}

/**
 * Merges a remote version into the open editor, row by row with the changes since `base`, outside the undo history;
 * cursor and scroll position stay. Waits for the end of a composition, since a change before the cursor would misplace
 * the composed text; a function is asked for the version then, and gives none where it no longer applies. Resolves, when
 * applied or the editor is gone, with the conflicts whose row was not found.
 */
export function receive(
  view: EditorView,
  change: RemoteChange | (() => RemoteChange | undefined),
): Promise<readonly Conflict[]> {
  const take = typeof change === 'function' ? change : () => change;
  const plugin = view.plugin(remote);
  return plugin ? plugin.receive(take) : Promise.resolve(take()?.conflicts ?? []);
}

class Remote implements PluginValue {
  private readonly view: EditorView;
  private readonly gone = new AbortController();
  /** Resolves when earlier changes are applied. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(view: EditorView) {
    this.view = view;
  }

  /** Applies changes in order, each when no composition is active. */
  receive(take: () => RemoteChange | undefined): Promise<readonly Conflict[]> {
    const { signal } = this.gone;
    const idle = this.last.then(() => compositionEnd(this.view));
    const entered = idle.then(() => {
      const change = signal.aborted ? undefined : take();
      return change ? applyRemote(this.view, change) : [];
    });
    this.last = entered.catch(() => undefined);
    return untilAborted(entered, signal).catch(error => {
      if (signal.aborted) return [];
      throw error;
    });
  }

  destroy() {
    this.gone.abort();
  }
}

/** The plugin behind {@link receive}. */
export const remote = ViewPlugin.fromClass(Remote);

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

const announcement = (count: number) =>
  count === 1
    ? 'You and someone else changed the same row. Press Alt F5 to go there.'
    : `You and someone else changed the same ${count} values. Yours are shown. Press Alt F5 to go from one to the next.`;

/** The result of a remote change for an editor's state. */
export interface Merge {
  /** None where nothing changes. */
  transaction: Transaction | undefined;
  /** The conflicts whose row was not found. */
  unplaced: readonly Conflict[];
  changedRows: number;
  /** The row or line that the cursor was in is deleted. */
  isCursorRowDeleted: boolean;
}

/** Merges a remote version into an editor's state, see {@link receive}. */
export function mergeRemote(state: EditorState, arrival: RemoteChange): Merge {
  const { base, text, rows, conflicts = [], isAnswer = false } = arrival;
  const registry = state.facet(statuses);
  const before = checklistOf(state);
  const ids = rowIdsOf(state);
  const read = (each: string) => (each === before.text ? before : readChecklist(each, registry, before));
  const identified = (version: TextVersion): Identified => ({
    text: version.text,
    rows: version.rows ?? read(version.text).rows.map(() => ''),
  });
  const baseIds = idsOfVersion(state, base);
  const start = identified({ text: isAnswer ? base.text : agreedBase(state, base.text, baseIds ?? []), rows: baseIds });
  const mine = { text: before.text, rows: ids };
  const merged = mergeRows(start, mine, identified({ text, rows }), storedVersions(state), read);
  const after = read(merged.text);
  const isComplete = merged.origins.length === after.rows.length;
  const [origins, nextIds] = isComplete ? [merged.origins, merged.rows] : [[], []];
  const inTheirs = rowsOfConflicts({ text, rows }, conflicts, registry);
  const indexes = [
    ...conflicts.map((conflict, index) => {
      const row = inTheirs[index];
      return { conflict, index: row === undefined ? -1 : origins.findIndex(({ theirs }) => theirs === row) };
    }),
    ...merged.conflicts.map(({ index, ...conflict }) => ({ conflict, index })),
  ];
  const unplaced = indexes.flatMap(({ conflict, index }) => (index < 0 ? [conflict] : []));

  const selected = state.selection.ranges.flatMap(({ from, to }) => rowsBetween(before, from, to));
  const mapping = rowMapping(
    before,
    state.doc,
    { checklist: after, rows: origins.map(({ mine }) => mine) },
    new Set(selected.map(({ index }) => index)),
  );
  const { head } = state.selection.main;
  const isCursorRowDeleted = mapping.isLineDeleted(head);
  const isRowThere = (position: number) => {
    const index = lastRowBefore(before, position);
    return origins.some(({ mine }) => mine === index);
  };
  const known = knownIds(nextIds, after.rows.length);
  const rowConflicts = indexes.flatMap(({ conflict, index }) => {
    const rowId = known[index];
    return rowId === undefined ? [] : [conflictAt(conflict, rowId)];
  });
  const isRenamed = known.some((id, index) => id !== ids[index]) || known.length !== ids.length;
  const isChanged = merged.text !== before.text;
  const effects: StateEffect<unknown>[] = [];
  if (isChanged || isRenamed) effects.push(setRowIds.of(known));
  const inVersion = idsOfTheirs(start, { text, rows }, origins, known, read);
  const version = { text, rows: inVersion.ids };
  const renamed = new Map([
    ...inVersion.renamed,
    ...origins.flatMap(({ mine, base: before = -1 }, index) => {
      // A row that is deleted here, and that others have kept, is back.
      const [old, id] = [mine === undefined ? start.rows[before] : ids[mine], nextIds[index]];
      return old !== undefined && old !== '' && id !== undefined && old !== id ? [[old, id] as const] : [];
    }),
  ]);
  if (!isLastVersion(state, version)) effects.push(versionReceived(version));
  if (renamed.size > 0) effects.push(rowIdsRenamed(renamed));
  if (isAnswer) effects.push(conflictsRecorded);
  const textAt = (checklist: Checklist, index: number) => checklist.rows[index]?.text;
  const isReworded = (rowId: string) => {
    const [was, is] = [textAt(before, ids.indexOf(rowId)), textAt(after, known.indexOf(rowId))];
    return was !== undefined && is !== undefined && was !== is;
  };
  const shown = showConflicts(state, rowConflicts, isAnswer ? undefined : rowConflicts, isReworded);
  effects.push(...shown.effects);
  if (shown.count > 0) effects.push(EditorView.announce.of(announcement(shown.count)));
  if (isChanged) effects.push(marksRemoteChange);
  if (isCursorRowDeleted) effects.push(cursorStranded(isRowThere(head) ? 'detail' : 'row'));
  if (effects.length === 0) return { transaction: undefined, unplaced, changedRows: 0, isCursorRowDeleted };

  const transaction = state.update({
    changes: mapping.changes,
    ...(isChanged && {
      selection: EditorSelection.create(state.selection.ranges.map(mapping.mapRange), state.selection.mainIndex),
    }),
    effects: [...effects, ...foldsMoved(state, mapping.steps, mapping.changes)],
    annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
  });
  return { transaction, unplaced, changedRows: rowsChanged(state, transaction.state), isCursorRowDeleted };
}

function applyRemote(view: EditorView, arrival: RemoteChange): readonly Conflict[] {
  const { transaction, unplaced, changedRows, isCursorRowDeleted } = mergeRemote(view.state, arrival);
  if (!transaction) return unplaced;
  const scroll = view.scrollSnapshot().map(transaction.changes);
  view.dispatch(transaction);
  if (scroll && transaction.docChanged) view.dispatch({ effects: scroll });
  if (changedRows > 0)
    for (const listener of view.state.facet(onRemoteChange)) listener({ rows: changedRows, isCursorRowDeleted });
  return unplaced;
}

/** Replaces the text of a field by another version, where it differs, outside the undo history; the cursor stays. */
export function receiveText(view: EditorView, text: string): void {
  const changes = replaceText(view.state.doc.toString(), text, 0);
  if (changes.length === 0) return;
  view.dispatch({ changes, annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)] });
}
