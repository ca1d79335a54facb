import { type ChangeSet, EditorState, type Extension } from '@codemirror/state';
import { rewordingChanges } from '../../text/merge/rewording.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf, sourceOf } from '../../text/rows.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { checklistOf, statuses } from '../checklist.ts';
import { returnedRows, rowIdsOf } from '../row-ids.ts';

/** A row without the blank lines around it: its text, and its position. */
function trimmedRow(checklist: Checklist, index: number): { text: string; from: number; to: number } {
  const source = sourceOf(checklist, index);
  const text = source.trim();
  const from = rangeOf(checklist, index).from + source.indexOf(text);
  return { text, from, to: from + text.length };
}

/** Whether a change has put all of a range of the new text there. */
function isInserted(changes: ChangeSet, from: number, to: number): boolean {
  let isWithin = false;
  changes.iterChangedRanges((_from, _to, start, end) => {
    isWithin ||= start <= from && to <= end;
  });
  return isWithin;
}

/** The changes of a text with pasted rows, after which each row that others brought back stands where it was pasted. */
function movesAfter(state: EditorState, changes: ChangeSet, after: Checklist): TextChange[] {
  const returned = returnedRows(state);
  const [before, ids] = [checklistOf(state), rowIdsOf(state)];
  const movedIds = new Set<string>();
  return after.rows.flatMap((_, index) => {
    const pasted = trimmedRow(after, index);
    const id = returned.get(pasted.text);
    const returnedIndex = id === undefined || movedIds.has(id) ? -1 : ids.indexOf(id);
    if (id === undefined || returnedIndex < 0 || !isInserted(changes, pasted.from, pasted.to)) return [];
    const old = rangeOf(before, returnedIndex);
    const [from, to] = [changes.mapPos(old.from, 1), changes.mapPos(old.to, -1)];
    // The row was pasted over, or into.
    if (to - from !== old.to - old.from) return [];
    movedIds.add(id);
    const rewording = rewordingChanges(pasted.text, trimmedRow(before, returnedIndex).text, pasted.from);
    return [...rewording, { from, to, insert: '' }];
  });
}

/**
 * Moves a row that was cut here, and that others brought back by rewording it before it was pasted: the pasted row gets the
 * row's present words, and the row is gone from its old place. Otherwise one row would stand in the text twice.
 */
export const pastedRows: Extension = EditorState.transactionFilter.of(transaction => {
  const { startState, changes, docChanged, newDoc } = transaction;
  if (!docChanged || !transaction.isUserEvent('input.paste') || returnedRows(startState).size === 0) return transaction;
  const after = readChecklist(newDoc.toString(), startState.facet(statuses), checklistOf(startState));
  const moves = movesAfter(startState, changes, after);
  return moves.length === 0 ? transaction : [transaction, { changes: moves, sequential: true }];
});
