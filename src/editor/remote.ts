import { Transaction } from '@codemirror/state';
import { type EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';
import { merge } from '../text/merge.ts';
import { changesBetween } from './difference.ts';

/** Milliseconds after the end of a composition in which CodeMirror still reads what it left in the page. */
const SETTLED = 100;

/** A text that arrived from elsewhere, and the one that it and the open editor both come from. */
export interface Arrival {
  base: string;
  text: string;
}

/**
 * Lets text from elsewhere into the open editor: merged row by row with what was typed since `base`, outside the undo
 * history, cursor and scroll position kept. During a composition it waits, since a change before the cursor would put the
 * composed text in the wrong place. Resolves when the text is in, or when the editor is gone.
 */
export function receive(view: EditorView, arrival: Arrival): Promise<void> {
  const plugin = view.plugin(remote);
  return plugin ? plugin.receive(arrival) : Promise.resolve();
}

class Remote implements PluginValue {
  private readonly view: EditorView;
  private waiting: { arrival: Arrival; done: () => void }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.view = view;
  }

  receive(arrival: Arrival): Promise<void> {
    return new Promise(done => {
      this.waiting.push({ arrival, done });
      this.settle();
    });
  }

  /** Applies what waits, unless somebody composes. */
  settle() {
    if (this.view.composing) return;
    for (const { arrival, done } of this.waiting.splice(0)) {
      enter(this.view, arrival);
      done();
    }
  }

  composed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), SETTLED);
  }

  destroy() {
    clearTimeout(this.timer);
    for (const { done } of this.waiting.splice(0)) done();
  }
}

/** The plugin behind {@link receive}. */
export const remote = ViewPlugin.fromClass(Remote, {
  eventObservers: {
    compositionend() {
      this.composed();
    },
  },
});

function enter(view: EditorView, { base, text }: Arrival) {
  const mine = view.state.doc.toString();
  const merged = mine === base ? text : merge(base, mine, text).text;
  if (merged === mine) return;
  const changes = view.state.changes(changesBetween(mine, merged));
  const scroll = view.scrollSnapshot().map(changes);
  view.dispatch({
    changes,
    annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    ...(scroll && { effects: scroll }),
  });
}
