import { type EditorState, StateEffect, StateField, type Transaction } from '@codemirror/state';
import type { TextRange } from '../../text/edits/format.ts';
import { chipsIn } from './chip.ts';

/** Redraws all chips after a change outside the text. */
export const redraw = StateEffect.define<null>();

const isHeld = ({ from, to }: TextRange, { selection }: EditorState) =>
  selection.ranges.some(({ head }) => head >= from && head <= to);

/** The chips at the cursors that a transaction's input is a part of. */
function typedBy({ state, changes }: Transaction): TextRange[] {
  const inputs: TextRange[] = [];
  changes.iterChangedRanges((_fromA, _toA, from, to) => inputs.push({ from, to }));
  return inputs.flatMap(({ from, to }) =>
    chipsIn(state, from, to).filter(chip => chip.from < Math.max(to, from + 1) && chip.to >= to && isHeld(chip, state)),
  );
}

/**
 * Chips that are being typed. They stay text until the cursor leaves them, so that nothing is replaced while it is
 * written and Backspace takes back one character. A pressed mouse button leaves them, too: the text does not move under
 * the pointer.
 */
export const typedChips = StateField.define<readonly TextRange[]>({
  create: () => [],
  update: (before, transaction) => {
    const { docChanged, selection, changes, state, effects } = transaction;
    const corrected = before.length > 0 && transaction.isUserEvent('delete');
    if (docChanged && (corrected || transaction.isUserEvent('input.type'))) return typedBy(transaction);
    if (before.length === 0) return before;
    const moved = docChanged
      ? before.map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
      : before;
    const hasLeft = docChanged || (selection !== undefined && !transaction.isUserEvent('select.pointer'));
    return hasLeft || effects.some(effect => effect.is(redraw)) ? moved.filter(place => isHeld(place, state)) : moved;
  },
});
