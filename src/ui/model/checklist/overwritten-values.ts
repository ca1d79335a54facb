import type { HostBridge } from '../../../bridge/bridge.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { getConflicts } from '../../../client/history.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { conflictParts, namesIn } from './conflict-text.ts';

interface OverwrittenQuery {
  bridge: HostBridge;
  graphql: GraphqlClient;
  issueId: string;
  /** The user's account: its own conflicts came with the response to the change. */
  account: string;
  /** Revisions whose conflicts were reported; extended by the call. */
  reported: Set<string>;
  /** Milliseconds before the newest revision within which conflicts are reported. */
  within: number;
}

/** A sentence for each value that a concurrent change of another account overwrote. */
export async function overwrittenTexts(query: OverwrittenQuery): Promise<string[]> {
  const { bridge, graphql, issueId, account, reported, within } = query;
  const { entries } = (await graphql.query(getConflicts, { issueId })).checklistHistory;
  const newest = Date.parse(entries[0]?.created ?? '');
  const fresh = entries.filter(({ epoch, seq, created, account: by, conflicts }) => {
    const revision = `${epoch} ${seq}`;
    if (conflicts.length === 0 || by === account || newest - Date.parse(created) > within || reported.has(revision))
      return false;
    reported.add(revision);
    return true;
  });
  if (fresh.length === 0) return [];
  const nameOf = await namesIn(
    bridge,
    fresh.flatMap(({ conflicts }) => conflicts),
    fresh.map(entry => entry.account),
  );
  return fresh.flatMap(({ account: by, conflicts }) =>
    conflicts.map(conflict => {
      const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
      return words.overwritten(row, nameOf(by), what, mine, theirs);
    }),
  );
}
