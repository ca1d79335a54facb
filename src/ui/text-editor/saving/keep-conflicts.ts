import { Transaction } from '@codemirror/state';
import type { ViewUpdate } from '@codemirror/view';
import { isSameConflict, isSameValue, type SavedValues } from '../../../client/outbox/saved-values.ts';
import { conflictsOf, type ShownConflict } from '../../../editor/index.ts';

/** Keeps the open conflicts that the server has recorded for the next editor and the panel, until the user decides them. */
export function keepConflicts(
  saved: SavedValues | undefined,
  { startState, state, transactions }: Pick<ViewUpdate, 'startState' | 'state' | 'transactions'>,
): void {
  const [before, after] = [conflictsOf(startState), conflictsOf(state)];
  if (!saved || (before.length === 0 && after.length === 0)) return;
  const kept = saved.conflicts();
  const isNew = (each: ShownConflict) =>
    each.before === undefined && !before.includes(each) && !kept.some(other => isSameConflict(each, other));
  saved.keepConflicts(
    after.filter(isNew).map(({ row, attribute, mine, theirs, rowId, stored = 'mine', by }) => {
      const conflict = { row, attribute, mine, theirs, rowId, stored };
      return by === undefined ? conflict : { ...conflict, by };
    }),
  );
  // A foreign change that hides a choice is no decision of the user.
  if (transactions.some(each => each.annotation(Transaction.remote))) return;
  saved.settleConflicts(before.filter(each => !after.some(other => isSameValue(each, other))));
}
