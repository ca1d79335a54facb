import { ChangeSet, type StateEffect, Transaction } from '@codemirror/state';
import { EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';
import { ChangedMeanwhile } from '../../text/errors.ts';
import { type Conflict, merge } from '../../text/merge.ts';
import { readChecklist } from '../../text/read.ts';
import { locate } from '../../text/rows.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { statuses } from '../checklist.ts';
import { settled } from '../composition.ts';
import { conflictsFound } from './conflicts.ts';
import { changesBetween } from './diff.ts';
import { marksArrival, onArrival, rowsChanged } from './remote-changes.ts';

/** A text that arrived from elsewhere, and the one that it and the open editor both come from. */
export interface Arrival {
  base: string;
  text: string;
  /** What a merge elsewhere, which made that text, could not decide: each has its row there. */
  conflicts?: readonly Conflict[];
}

/**
 * Lets text from elsewhere into the open editor: merged row by row with what was typed since `base`, outside the undo
 * history, cursor and scroll position kept. During a composition it waits, since a change before the cursor would put the
 * composed text in the wrong place. What both sides changed is asked at its row. Resolves when the text is in, or when
 * the editor is gone, with those conflicts whose row is not to be found.
 */
export function receive(view: EditorView, arrival: Arrival): Promise<readonly Conflict[]> {
  const plugin = view.plugin(remote);
  return plugin ? plugin.receive(arrival) : Promise.resolve(arrival.conflicts ?? []);
}

class Remote implements PluginValue {
  private readonly view: EditorView;
  private readonly gone = new AbortController();
  /** Settled when what arrived before is in. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(view: EditorView) {
    this.view = view;
  }

  /** One after the other, each when nobody composes. */
  receive(arrival: Arrival): Promise<readonly Conflict[]> {
    const { signal } = this.gone;
    const left = arrival.conflicts ?? [];
    const turn = this.last.then(() => settled(this.view));
    const entered = turn.then(() => (signal.aborted ? left : enter(this.view, arrival)));
    this.last = entered.catch(() => undefined);
    return new Promise((resolve, reject) => {
      const stop = () => resolve(left);
      signal.addEventListener('abort', stop);
      entered.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  destroy() {
    this.gone.abort();
  }
}

/** The plugin behind {@link receive}. */
export const remote = ViewPlugin.fromClass(Remote);

/** Where the rows of conflicts begin in a text that holds them; nowhere for a row that is not to be told from others. */
function placesOf(text: string, conflicts: readonly Conflict[], registry: StatusRegistry) {
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

const announced = (count: number) =>
  count === 1
    ? 'You and someone else changed the same row. Press Alt F5 to go there.'
    : `You and someone else changed the same ${count} values. Yours are shown. Press Alt F5 to go from one to the next.`;

function enter(view: EditorView, { base, text, conflicts = [] }: Arrival): readonly Conflict[] {
  const { state } = view;
  const mine = state.doc.toString();
  const registry = state.facet(statuses);
  const { text: merged, conflicts: fresh } =
    mine === base ? { text, conflicts: [] } : merge(base, mine, text, registry);
  // What was typed since may have moved or reworded the rows of the text that arrived.
  const typed = ChangeSet.of(changesBetween(text, merged), text.length);
  const places = [
    ...placesOf(text, conflicts, registry).map(({ conflict, from }) => ({
      conflict,
      from: from === undefined ? undefined : typed.mapPos(from, 1),
    })),
    ...placesOf(merged, fresh, registry),
  ];
  const placed = places.flatMap(({ conflict, from }) => (from === undefined ? [] : [{ conflict, from }]));
  if (merged !== mine || placed.length > 0) {
    const changes = state.changes(changesBetween(mine, merged));
    const scroll = view.scrollSnapshot().map(changes);
    const effects: StateEffect<unknown>[] = scroll ? [scroll] : [];
    if (placed.length > 0) effects.push(conflictsFound(placed), EditorView.announce.of(announced(placed.length)));
    if (merged !== mine) effects.push(marksArrival);
    view.dispatch({
      changes,
      effects,
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    });
    const rows = rowsChanged(state, view.state);
    if (rows > 0) for (const tell of view.state.facet(onArrival)) tell(rows);
  }
  return places.flatMap(({ conflict, from }) => (from === undefined ? [conflict] : []));
}
