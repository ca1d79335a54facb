import { ChangeSet, type StateEffect, Transaction } from '@codemirror/state';
import { EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';
import { untilAborted } from '../../domain/timing.ts';
import { replaceText } from '../../text/document.ts';
import { ChangedMeanwhile } from '../../text/errors.ts';
import { type Conflict, merge } from '../../text/merge.ts';
import { readChecklist } from '../../text/read.ts';
import { locate } from '../../text/rows.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import { statuses } from '../checklist.ts';
import { compositionEnd } from '../composition.ts';
import { conflictsFound, type ShownConflict } from './conflicts.ts';
import { changesBetween } from './diff.ts';
import { marksRemoteChange, onRemoteChange, rowsChanged } from './remote-changes.ts';

/** A remote version of the text, and its common base with the open editor. */
export interface RemoteChange {
  base: string;
  text: string;
  /** Conflicts that the merge of that text has reported, each at its row. */
  conflicts?: readonly ShownConflict[];
}

/**
 * Merges a remote version into the open editor, row by row with the changes since `base`, outside the undo history;
 * cursor and scroll position stay. Waits for the end of a composition, since a change before the cursor would misplace
 * the composed text. Resolves, when applied or the editor is gone, with the conflicts whose row was not found.
 */
export function receive(view: EditorView, arrival: RemoteChange): Promise<readonly Conflict[]> {
  const plugin = view.plugin(remote);
  return plugin ? plugin.receive(arrival) : Promise.resolve(arrival.conflicts ?? []);
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
  receive(arrival: RemoteChange): Promise<readonly Conflict[]> {
    const { signal } = this.gone;
    const left = arrival.conflicts ?? [];
    const idle = this.last.then(() => compositionEnd(this.view));
    const entered = idle.then(() => (signal.aborted ? left : applyRemote(this.view, arrival)));
    this.last = entered.catch(() => undefined);
    return untilAborted(entered, signal).catch(error => {
      if (signal.aborted) return left;
      throw error;
    });
  }

  destroy() {
    this.gone.abort();
  }
}

/** The plugin behind {@link receive}. */
export const remote = ViewPlugin.fromClass(Remote);

/** The starts of the conflicts' rows in a text; `undefined` for a row that is not unique. */
function rowStarts(text: string, conflicts: readonly ShownConflict[], registry: StatusRegistry) {
  if (conflicts.length === 0) return [];
  const checklist = readChecklist(text, registry);
  return conflicts.map(conflict => {
    try {
      return { conflict, from: checklist.starts[locate(checklist, { index: -1, text: conflict.row })] };
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return { conflict, from: undefined };
      throw error;
    }
  });
}

const announcement = (count: number) =>
  count === 1
    ? 'You and someone else changed the same row. Press Alt F5 to go there.'
    : `You and someone else changed the same ${count} values. Yours are shown. Press Alt F5 to go from one to the next.`;

function applyRemote(view: EditorView, { base, text, conflicts = [] }: RemoteChange): readonly Conflict[] {
  const { state } = view;
  const mine = state.doc.toString();
  const registry = state.facet(statuses);
  const { text: merged, conflicts: fresh } =
    mine === base ? { text, conflicts: [] } : merge(base, mine, text, registry);
  // Unsaved changes may have moved or reworded rows of the remote text.
  const typed = ChangeSet.of(changesBetween(text, merged), text.length);
  const places = [
    ...rowStarts(text, conflicts, registry).map(({ conflict, from }) => ({
      conflict,
      from: from === undefined ? undefined : typed.mapPos(from, 1),
    })),
    ...rowStarts(merged, fresh, registry),
  ];
  const placed = places.flatMap(({ conflict, from }) => (from === undefined ? [] : [{ conflict, from }]));
  if (merged !== mine || placed.length > 0) {
    const changes = state.changes(changesBetween(mine, merged));
    const scroll = view.scrollSnapshot().map(changes);
    const effects: StateEffect<unknown>[] = scroll ? [scroll] : [];
    if (placed.length > 0) effects.push(conflictsFound(placed), EditorView.announce.of(announcement(placed.length)));
    if (merged !== mine) effects.push(marksRemoteChange);
    view.dispatch({
      changes,
      effects,
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    });
    const rows = rowsChanged(state, view.state);
    if (rows > 0) for (const listener of view.state.facet(onRemoteChange)) listener(rows);
  }
  return places.flatMap(({ conflict, from }) => (from === undefined ? [conflict] : []));
}

/** Replaces the text of a field by another version, where it differs, outside the undo history; the cursor stays. */
export function receiveText(view: EditorView, text: string): void {
  const changes = replaceText(view.state.doc.toString(), text, 0);
  if (changes.length === 0) return;
  view.dispatch({ changes, annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)] });
}
