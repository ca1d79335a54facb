import type { HostBridge } from '../../../bridge/bridge.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { getConflicts } from '../../../client/history.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { conflictParts, namesIn } from './conflict-text.ts';

interface Looking {
  bridge: HostBridge;
  graphql: GraphqlClient;
  issueId: string;
  /** Whose own conflicts were told already, as an answer to the change. */
  account: string;
  /** Versions whose conflicts were told. */
  told: Set<string>;
  /** Milliseconds before the newest version in which a conflict is news. */
  within: number;
}

/** What others gave other values at the same time, and theirs stand: a sentence for each. */
export async function overwrittenTexts(looking: Looking): Promise<string[]> {
  const { bridge, graphql, issueId, account, told, within } = looking;
  const { entries } = (await graphql.query(getConflicts, { issueId })).checklistHistory;
  const newest = Date.parse(entries[0]?.created ?? '');
  const fresh = entries.filter(({ epoch, seq, created, account: by, conflicts }) => {
    const version = `${epoch} ${seq}`;
    if (conflicts.length === 0 || by === account || newest - Date.parse(created) > within || told.has(version))
      return false;
    told.add(version);
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
