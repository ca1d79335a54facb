import { type EditorState, type Extension, Facet, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { Row } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';

/** Milliseconds for which rows that came from elsewhere are marked. */
const MARKED = 4_000;

/** Told how many rows a change made elsewhere has touched. */
export const onArrival = Facet.define<(rows: number) => void>();

/** Marks the rows that are not the same in this transaction as before it. */
const arrived = StateEffect.define<null>();
const faded = StateEffect.define<null>();

/** What makes a transaction one whose rows are marked. */
export const marksArrival = arrived.of(null);

const mark = Decoration.line({ class: 'cm-check-arrived' });

/** Unchanged rows are the same objects in both readings. */
const without = (rows: readonly Row[], others: readonly Row[]): number => {
  const known = new Set(others);
  return rows.reduce((count, row) => (known.has(row) ? count : count + 1), 0);
};

/** Rows of which two states hold different versions, of those that either holds alone too. */
export function rowsChanged(before: EditorState, after: EditorState): number {
  const [old, now] = [checklistOf(before).rows, checklistOf(after).rows];
  return Math.max(without(now, old), without(old, now));
}

/** The lines of the rows that a state holds and the one before it did not. */
function markNew(before: EditorState, after: EditorState): DecorationSet {
  const known = new Set(checklistOf(before).rows);
  const { rows, starts } = checklistOf(after);
  return Decoration.set(
    rows.flatMap((row, index) => (known.has(row) ? [] : [mark.range(after.doc.lineAt(starts[index] ?? 0).from)])),
  );
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(faded)) next = Decoration.none;
      else if (effect.is(arrived)) {
        const fresh = markNew(transaction.startState, transaction.state);
        next = next.size === 0 ? fresh : next.update({ add: spans(fresh) });
      }
    }
    return next;
  },
  provide: field => EditorView.decorations.from(field),
});

function spans(set: DecorationSet) {
  const ranges: ReturnType<typeof mark.range>[] = [];
  for (const cursor = set.iter(); cursor.value; cursor.next()) ranges.push(mark.range(cursor.from));
  return ranges;
}

/** Takes the marks away some seconds after the last one came. */
const fading = ViewPlugin.fromClass(
  class implements PluginValue {
    private timer: ReturnType<typeof setTimeout> | undefined;

    update({ transactions, view }: ViewUpdate) {
      if (!transactions.some(({ effects }) => effects.some(effect => effect.is(arrived)))) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => view.dispatch({ effects: faded.of(null) }), MARKED);
    }

    destroy() {
      clearTimeout(this.timer);
    }
  },
);

const look = EditorView.baseTheme({
  '.cm-check-arrived': {
    boxShadow: 'inset 3px 0 var(--ds-border-information, #357DE8)',
    animation: `cm-check-arrived ${MARKED}ms ease-in`,
  },
  '@keyframes cm-check-arrived': {
    from: { backgroundColor: 'var(--ds-background-information, #E9F2FE)' },
    to: { backgroundColor: 'transparent' },
  },
  '@media (prefers-reduced-motion: reduce)': {
    '.cm-check-arrived': { animation: 'none', backgroundColor: 'var(--ds-background-information, #E9F2FE)' },
  },
});

/** Rows that came from elsewhere are marked for some seconds; those without motion just as long, and without it. */
export const arrivals: Extension = [marks, fading, look];
