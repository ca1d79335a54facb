import { Transaction } from '@codemirror/state';
import { type EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';
import { untilAborted } from '../../domain/timing.ts';
import { replaceText } from '../../text/document.ts';
import type { Conflict } from '../../text/merge.ts';
import { compositionEnd } from '../composition.ts';
import { mergeRemote, type RemoteChange } from './merge-remote.ts';
import { onRemoteChange } from './remote-changes.ts';

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

function applyRemote(view: EditorView, arrival: RemoteChange): readonly Conflict[] {
  const { transaction, unplaced, changedRows, isCursorRowDeleted, deletions } = mergeRemote(view.state, arrival);
  if (!transaction) return unplaced;
  const scroll = view.scrollSnapshot().map(transaction.changes);
  const hasFocus = () => view.dom.contains(view.root.activeElement);
  const hadFocus = hasFocus();
  view.dispatch(transaction);
  // A choice that is over takes the focused button along.
  if (hadFocus && !hasFocus()) view.focus();
  if (scroll && transaction.docChanged) view.dispatch({ effects: scroll });
  if ((changedRows > 0 && (!arrival.isFirst || isCursorRowDeleted)) || deletions.kept.length > 0) {
    const note = { rows: changedRows, isCursorRowDeleted, ...deletions };
    for (const listener of view.state.facet(onRemoteChange)) listener(note);
  }
  return unplaced;
}

/** Replaces the text by another version, where it differs, outside the undo history; the cursor stays. */
export function receiveText(view: EditorView, text: string): void {
  const changes = replaceText(view.state.doc.toString(), text, 0);
  if (changes.length === 0) return;
  view.dispatch({ changes, annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)] });
}

/** Replaces the text of a field: a cursor at its end stays there, so that nothing is typed in front of words that others add there. */
export function receiveInField(view: EditorView, text: string): void {
  const { main } = view.state.selection;
  const isAtEnd = main.empty && main.head === view.state.doc.length;
  receiveText(view, text);
  if (isAtEnd) view.dispatch({ selection: { anchor: view.state.doc.length } });
}
