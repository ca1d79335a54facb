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

/** Milliseconds for which rows changed remotely are highlighted. */
const HIGHLIGHT_MS = 4_000;

/** Rows that were deleted, in words. */
export interface Deletions {
  /** Deleted by the other side, and kept because they were edited here. */
  readonly kept: readonly string[];
  /** In the text again after they were deleted. */
  readonly returned: readonly string[];
}

/** The effects of a remote change on an open text. */
export interface RemoteChangeNote extends Deletions {
  /** The number of rows that differ. */
  rows: number;
  /** The row that the cursor was in is deleted. */
  isCursorRowDeleted: boolean;
}

/** Listeners called after a remote change. */
export const onRemoteChange = Facet.define<(note: RemoteChangeNote) => void>();

/** Accounts of the authors of the remote change that comes in, as far as they are known. */
export const remoteAuthors = Facet.define<() => readonly string[]>();

/** Highlights the rows that differ before and after this transaction. */
const markChanged = StateEffect.define<null>();
const faded = StateEffect.define<null>();

/** The effect that highlights a transaction's rows. */
export const marksRemoteChange = markChanged.of(null);

const mark = Decoration.line({ class: 'cm-check-arrived' });

/** Unchanged rows are the same objects in both readings. */
const without = (rows: readonly Row[], others: readonly Row[]): number => {
  const known = new Set(others);
  return rows.reduce((count, row) => (known.has(row) ? count : count + 1), 0);
};

/** The number of rows that differ between two states. */
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
      else if (effect.is(markChanged)) {
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

/** Removes the highlights some seconds after the last remote change. */
const fading = ViewPlugin.fromClass(
  class implements PluginValue {
    private timer: ReturnType<typeof setTimeout> | undefined;

    update({ transactions, view }: ViewUpdate) {
      if (!transactions.some(({ effects }) => effects.some(effect => effect.is(markChanged)))) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => view.dispatch({ effects: faded.of(null) }), HIGHLIGHT_MS);
    }

    destroy() {
      clearTimeout(this.timer);
    }
  },
);

const look = EditorView.baseTheme({
  '.cm-check-arrived': {
    boxShadow: 'inset 3px 0 var(--ds-border-information, #357DE8)',
    animation: `cm-check-arrived ${HIGHLIGHT_MS}ms ease-in`,
  },
  '@keyframes cm-check-arrived': {
    from: { backgroundColor: 'var(--ds-background-information, #E9F2FE)' },
    to: { backgroundColor: 'transparent' },
  },
  '@media (prefers-reduced-motion: reduce)': {
    '.cm-check-arrived': { animation: 'none', backgroundColor: 'var(--ds-background-information, #E9F2FE)' },
  },
});

/** Highlights rows changed remotely for some seconds, without animation where reduced motion is preferred. */
export const remoteChanges: Extension = [marks, fading, look];
