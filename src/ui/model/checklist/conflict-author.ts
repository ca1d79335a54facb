import type { GraphqlClient } from '../../../client/graphql.ts';
import { type ChangeKind, getHistory, type HistoryEntry } from '../../../client/history.ts';
import { sleep } from '../../../domain/timing.ts';
import { withoutMarks } from '../../../text/merge/details.ts';
import type { Attribute, Conflict } from '../../../text/merge.ts';

type OfRow = Pick<Conflict<string>, 'rowId' | 'attribute' | 'theirs'>;

const kinds: Readonly<Record<Attribute, ChangeKind>> = {
  text: 'REWORDED',
  details: 'DETAILS',
  status: 'STATUS',
  assignee: 'ASSIGNEE',
  dueDate: 'DUE_DATE',
  kind: 'RETYPED',
};
const kindOf = (attribute: string): ChangeKind | undefined => new Map(Object.entries(kinds)).get(attribute);

/** Whether a revision gave the row the value that a conflict calls theirs. */
function hasWritten({ changes }: HistoryEntry, { rowId, attribute, theirs }: OfRow): boolean {
  const value = attribute === 'details' ? withoutMarks(theirs).trim() : theirs;
  return (changes ?? []).some(change => {
    if ((rowId && change.rowId !== rowId) || change.kind !== kindOf(attribute)) return false;
    return value === '' ? change.to === '' : change.to?.includes(value);
  });
}

/** Milliseconds before each question: a text may come from another tab before the server has it. */
const DELAYS_MS = [0, 2_000, 8_000];

/**
 * Finds by the history of its row, or of all where that is not known, who wrote the other value of a conflict: an account,
 * the user's own where it was another tab. The answer to a change does not name it, and the event that does may be missed.
 * `undefined`: it is not known.
 */
export async function findAuthor(
  graphql: GraphqlClient,
  issueId: string,
  conflict: OfRow,
): Promise<string | undefined> {
  const filter = conflict.rowId ? { rowId: conflict.rowId } : null;
  for (const delay of DELAYS_MS) {
    await sleep(delay);
    const { checklistHistory } = await graphql.query(getHistory, { issueId, before: null, filter });
    const writer = checklistHistory.entries.find(entry => hasWritten(entry, conflict));
    if (writer) return writer.account;
  }
  return undefined;
}
