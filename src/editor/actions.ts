import { Annotation, Facet } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** What the application around an editor may want to know that somebody did by a command or a list, whatever it was about. */
export type Act = 'assigned' | 'mandatory';

/** Marks the transaction that does it. */
export const act = Annotation.define<Act>();

/** Told of each. */
export const onAct = Facet.define<(done: Act) => void>({
  enables: EditorView.updateListener.of(({ transactions, state }) => {
    for (const transaction of transactions) {
      const done = transaction.annotation(act);
      if (done) for (const hear of state.facet(onAct)) hear(done);
    }
  }),
});
