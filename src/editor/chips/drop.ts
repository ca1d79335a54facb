import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { spaceBehind } from '../complete/option.ts';
import { chipAt, chipsIn } from './chip.ts';

/** Whether a text inserted at a position needs a blank before it. */
const spaceBefore = (state: EditorState, position: number): boolean =>
  /[^\s([]$/.test(state.sliceDoc(Math.max(0, position - 1), position));

/** A blank that becomes superfluous when a chip between two blanks is removed. */
function spareBlank(state: EditorState, from: number, to: number): number {
  const before = state.sliceDoc(Math.max(0, from - 1), from);
  return /^[ \t\xa0]$/.test(before) && /^[ \t\xa0]$/.test(state.sliceDoc(to, to + 1)) ? 1 : 0;
}

const countChips = (state: EditorState): number => chipsIn(state, 0, state.doc.length).length;

/**
 * A chip that is dragged elsewhere stays one: beside a word it is parted by a blank. If it or another one would be no
 * chip any more, as a status behind words, and beside itself, it stays where it is.
 */
export const chipDropping = EditorState.transactionFilter.of(transaction => {
  const isMove = transaction.isUserEvent('move.drop');
  const { startState: state, changes } = transaction;
  const chip = isMove || transaction.isUserEvent('input.drop') ? chipAt(state, state.selection.main) : undefined;
  if (!chip || state.selection.ranges.length > 1) return transaction;
  const text = state.sliceDoc(chip.from, chip.to);
  let at: number | undefined;
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    if (inserted.toString() === text && (from === to || (from === chip.from && to === chip.to))) at = from;
  });
  if (at === undefined) return transaction;
  if (isMove && at >= chip.from && at <= chip.to) return [];
  const [before, behind] = [spaceBefore(state, at) ? ' ' : '', spaceBehind(state, at) ? ' ' : ''];
  const removedRange = { from: chip.from, to: chip.to + spareBlank(state, chip.from, chip.to) };
  // If the chip is dropped right behind the spare blank, that blank stays in the text.
  if (at === removedRange.to) removedRange.to = chip.to;
  const specs = state.changes([...(isMove ? [removedRange] : []), { from: at, insert: `${before}${text}${behind}` }]);
  const from = specs.mapPos(at, -1) + before.length;
  const spec: TransactionSpec = {
    changes: specs,
    selection: EditorSelection.range(from, from + text.length),
    userEvent: isMove ? 'move.drop' : 'input.drop',
    scrollIntoView: transaction.scrollIntoView,
  };
  const dropped = state.update({ ...spec, filter: false }).state;
  const isWhole = chipAt(dropped, dropped.selection.main)?.meaning.kind === chip.meaning.kind;
  return isWhole && countChips(dropped) === countChips(state) + (isMove ? 0 : 1) ? spec : [];
});
