import type { GraphqlClient } from '../../../client/graphql.ts';
import { getHistory, type HistoryEntry } from '../../../client/history.ts';
import { withoutMarks } from '../../../text/merge/details.ts';
import type { Conflict } from '../../../text/merge.ts';

type OfRow = Pick<Conflict<string>, 'rowId' | 'attribute' | 'theirs'>;

/** Whether a revision gave the row the value that a conflict calls theirs. */
function hasWritten({ changes }: HistoryEntry, { rowId, attribute, theirs }: OfRow): boolean {
  const value = attribute === 'details' ? withoutMarks(theirs).trim() : theirs;
  const kind = attribute === 'text' ? 'reworded' : attribute;
  return (changes ?? []).some(change => {
    if ((rowId && change.rowId !== rowId) || change.kind !== kind) return false;
    return value === '' ? change.to === '' : change.to?.includes(value);
  });
}

/**
 * Finds by the history of its row, or of all where that is not known, who wrote the other value of a conflict: an account,
 * the user's own where it was another tab. The answer to a change does not name it, and the event that does may be missed.
 * `undefined`: it is not known.
 */
export async function findAuthor(
  graphql: GraphqlClient,
  issueId: string,
  me: string | undefined,
  conflict: OfRow,
): Promise<string | undefined> {
  const filter = conflict.rowId ? { rowId: conflict.rowId } : null;
  const { entries } = (await graphql.query(getHistory, { issueId, before: null, filter })).checklistHistory;
  const writer = entries.find(entry => hasWritten(entry, conflict));
  const author = writer ?? (filter ? entries.find(({ account }) => account !== me) : undefined);
  return author?.account;
}
