import {
  codeFolding,
  foldAll,
  foldable,
  foldEffect,
  foldedRanges,
  foldService,
  unfoldAll,
  unfoldEffect,
} from '@codemirror/language';
import {
  type ChangeSet,
  EditorSelection,
  type EditorState,
  type Extension,
  type StateEffect,
  type TransactionSpec,
} from '@codemirror/state';
import { type Command, EditorView } from '@codemirror/view';
import { sections } from '../../text/progress.ts';
import { lastRowBefore, rangeOf } from '../../text/rows.ts';
import type { Checklist } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';
import type { Steps } from '../collaboration/row-mapping.ts';

interface Fold {
  from: number;
  to: number;
}

interface SectionFold extends Fold {
  /** Index of the header's row. */
  header: number;
}

/** Asked for line by line, of one reading of the text. */
const foldsOfChecklist = new WeakMap<Checklist, readonly SectionFold[]>();

/** The ranges that folded sections hide: all lines below a header. A section without such lines has no range. */
function foldsOf(state: EditorState): readonly SectionFold[] {
  const checklist = checklistOf(state);
  const folds = foldsOfChecklist.get(checklist) ?? foldsIn(state, checklist);
  foldsOfChecklist.set(checklist, folds);
  return folds;
}

function foldsIn(state: EditorState, checklist: Checklist): SectionFold[] {
  return sections(checklist).flatMap(({ header, end }) => {
    const line = state.doc.lineAt(checklist.starts[header] ?? 0);
    const last = rangeOf(checklist, end - 1).to;
    const to = checklist.text[last - 1] === '\n' ? last - 1 : last;
    return to > line.to ? [{ from: line.to, to, header }] : [];
  });
}

/** The section that begins in a line, for CodeMirror's own folding. */
const bySection = foldService.of((state, lineStart, lineEnd) => {
  const checklist = checklistOf(state);
  const index = lastRowBefore(checklist, lineEnd);
  if (checklist.rows[index]?.kind !== 'header' || (checklist.starts[index] ?? 0) < lineStart) return null;
  const fold = foldsOf(state).find(({ header }) => header === index);
  return fold ? { from: fold.from, to: fold.to } : null;
});

/** The folded ranges that touch a range. */
const foldedIn = (state: EditorState, start = 0, end = state.doc.length): Fold[] => {
  const touchedFolds: Fold[] = [];
  foldedRanges(state).between(start, end, (from, to) => void touchedFolds.push({ from, to }));
  return touchedFolds;
};

/**
 * Refits folds after a change: rows added to the end of a folded section are folded too, rows moved to another section
 * are shown.
 */
const refold = EditorView.updateListener.of(({ docChanged, state, view }) => {
  if (!docChanged) return;
  const folded = foldedIn(state);
  if (folded.length === 0) return;
  const folds = new Map(foldsOf(state).map(({ from, to }) => [from, to]));
  const { head } = state.selection.main;
  const isFolded = new Set(folded.flatMap(({ from, to }) => (folds.get(from) === to ? [from] : [])));
  const effects: StateEffect<Fold>[] = [];
  for (const { from, to } of folded) {
    const end = folds.get(from);
    if (end === to) continue;
    effects.push(unfoldEffect.of({ from, to }));
    if (end === undefined || isFolded.has(from) || (head > from && head <= end)) continue;
    isFolded.add(from);
    effects.push(foldEffect.of({ from, to: end }));
  }
  if (effects.length > 0) view.dispatch({ effects });
});

/**
 * Folds the sections again after a remote change that moved rows, which CodeMirror takes for deleted ones, or has made the
 * header's line longer. What CodeMirror takes for the folded range may have the cursor in it then, and be shown. Only the
 * first character is folded here: `refold` finds the end.
 */
export function foldsMoved(state: EditorState, steps: Steps, changes: ChangeSet): StateEffect<Fold>[] {
  const { doc } = state;
  const folded = foldedIn(state);
  if (folded.length === 0) return [];
  const after = changes.apply(doc);
  const moved = folded.flatMap(({ from: start, to }) => {
    // Words and details may come in at the end of the header's line.
    const from = after.lineAt(steps.mapPos(doc.lineAt(start).from, doc)).to;
    const isKept = !steps.reorders && changes.mapPos(start, 1) === from && changes.mapPos(to, -1) > from;
    return isKept || from >= after.length ? [] : [from];
  });
  // CodeMirror takes the ranges as they come, and fails if they are not in order.
  return moved.sort((a, b) => a - b).map(from => foldEffect.of({ from, to: from + 1 }));
}

/** Folding of sections below their header; folds survive remote changes. */
export const folding: Extension = [
  codeFolding({ placeholderText: '…' }),
  bySection,
  refold,
  EditorView.theme({
    '.cm-foldPlaceholder': {
      margin: '0 4px',
      padding: '0 6px',
      border: '1px solid var(--ds-border, #0B120E24)',
      borderRadius: '3px',
      color: 'var(--ds-text-subtle, #505258)',
      backgroundColor: 'var(--ds-background-neutral, #0515240F)',
    },
  }),
];

const announce = (text: string) => EditorView.announce.of(text);

/** The range that folds at the end of a line, and whether it is folded. */
export function foldAt(state: EditorState, lineStart: number): (Fold & { folded: boolean }) | undefined {
  // A folded range makes the line longer in the page than it is in the text.
  const { from, to } = state.doc.lineAt(lineStart);
  const folded = foldedIn(state, from, to).find(fold => fold.from >= from && fold.from <= to);
  if (folded) return { ...folded, folded: true };
  const range = foldable(state, from, to);
  return range ? { ...range, folded: false } : undefined;
}

/** Takes a cursor in a folded range to its header: it would show the range again with the next change. */
function cursorOutOf(ranges: readonly Fold[], { selection }: EditorState): TransactionSpec {
  const { head } = selection.main;
  const range = ranges.find(({ from, to }) => head > from && head <= to);
  return range ? { selection: EditorSelection.cursor(range.from) } : {};
}

const foldingOf = ({ state }: EditorView, range: Fold): TransactionSpec => ({
  effects: [foldEffect.of({ from: range.from, to: range.to }), announce('Section folded')],
  ...cursorOutOf([range], state),
});

/** Folds the section at a line, or unfolds it. */
export function toggleFold(view: EditorView, lineStart: number): void {
  const range = foldAt(view.state, lineStart);
  if (!range) return;
  const { from, to, folded } = range;
  view.dispatch(
    folded ? { effects: [unfoldEffect.of({ from, to }), announce('Section unfolded')] } : foldingOf(view, range),
  );
}

/** Folds the section that the cursor is in, which then stands at the header. */
export const foldSection: Command = view => {
  const { state } = view;
  const { head } = state.selection.main;
  const folded = foldedIn(state);
  const inside = foldsOf(state).filter(
    ({ from, to }) =>
      state.doc.lineAt(from).from <= head && head <= to && !folded.some(fold => fold.from === from && fold.to === to),
  );
  const section = inside.at(-1);
  if (!section) return false;
  view.dispatch({ ...foldingOf(view, section), scrollIntoView: true });
  return true;
};

/** Unfolds the folded sections in the cursor's line. */
export const unfoldSection: Command = view => {
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  const folds = foldedIn(view.state, line.from, line.to);
  if (folds.length === 0) return false;
  view.dispatch({ effects: [...folds.map(fold => unfoldEffect.of(fold)), announce('Section unfolded')] });
  return true;
};

/** Folds every section. */
export const foldSections: Command = view => {
  if (!foldAll(view)) return false;
  view.dispatch({ effects: announce('All sections folded'), ...cursorOutOf(foldedIn(view.state), view.state) });
  return true;
};

/** Unfolds everything. */
export const unfoldSections: Command = view => {
  if (!unfoldAll(view)) return false;
  view.dispatch({ effects: announce('All sections unfolded') });
  return true;
};
