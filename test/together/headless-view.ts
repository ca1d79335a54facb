import { type EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import { EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view';
import { remote } from '../../src/editor/collaboration/remote.ts';

/** A view without a page: it holds a state, calls the listeners and receives remote changes. */
export interface HeadlessView {
  state: EditorState;
  composing: boolean;
  readonly contentDOM: EventTarget;
  dispatch(...input: readonly (TransactionSpec | readonly Transaction[])[]): void;
  destroy(): void;
}

/** The part of a plugin that makes its value. */
interface Creating {
  create(view: EditorView): PluginValue;
}

/** `onUpdate` is called with each state before the listeners. */
export function createHeadlessView(
  initial: EditorState,
  onUpdate: (transactions: readonly Transaction[], before: EditorState, after: EditorState) => void,
): HeadlessView & EditorView {
  const made = {
    state: initial,
    composing: false,
    contentDOM: new EventTarget(),
    dom: { contains: () => false },
    root: { activeElement: null },
    dispatch: (...input: readonly (TransactionSpec | readonly Transaction[])[]) => {
      const [first] = input;
      const given = first instanceof Transaction ? [first] : first;
      const transactions = Array.isArray(given)
        ? (given as readonly Transaction[])
        : [view.state.update(...(input as TransactionSpec[]))];
      const before = view.state;
      let after = before;
      for (const transaction of transactions) {
        if (transaction.startState !== after) throw new RangeError('A transaction does not start from the state.');
        after = transaction.state;
      }
      made.state = after;
      onUpdate(transactions, before, after);
      const update = {
        view,
        state: after,
        startState: before,
        transactions,
        docChanged: transactions.some(({ docChanged }) => docChanged),
        selectionSet: transactions.some(({ selection }) => selection !== undefined),
      } as unknown as ViewUpdate;
      for (const listener of after.facet(EditorView.updateListener)) listener(update);
    },
    plugin: (wanted: unknown) => (wanted === remote ? receiving : null),
    scrollSnapshot: () => ({ map: () => undefined }),
    focus: () => undefined,
    destroy: () => receiving.destroy?.(),
  };
  const view = made as unknown as HeadlessView & EditorView;
  const receiving = (remote as unknown as Creating).create(view);
  return view;
}
