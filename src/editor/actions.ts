import { Annotation, Facet } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** User actions by command or completion that the application may count. */
export type Action = 'assigned' | 'mandatory';

/** Annotates the transaction of an action. */
export const action = Annotation.define<Action>();

/** Listeners called with each action. */
export const onAction = Facet.define<(done: Action) => void>({
  enables: EditorView.updateListener.of(({ transactions, state }) => {
    for (const transaction of transactions) {
      const done = transaction.annotation(action);
      if (done) for (const listener of state.facet(onAction)) listener(done);
    }
  }),
});
