import type { HostBridge } from '../../../bridge/bridge.ts';
import type { ConflictView, UserConflict } from '../../../client/checklist.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { getConflicts } from '../../../client/history.ts';
import { getPeople } from '../../../client/tracker/people.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { unknownPerson } from '../../../domain/person.ts';
import { mentionsIn } from '../../../text/export/person.ts';
import { type Conflict, isAttribute } from '../../../text/merge/row.ts';
import { splitContent } from '../../../text/merge/units.ts';
import { valueWords } from '../../../text/merge/words.ts';
import { readChecklist } from '../../../text/read.ts';

type NameOf = (accountId: string) => string | undefined;

/** The parts of a conflict's message: people by name, values quoted. */
export function conflictParts({ row, attribute, mine, theirs }: Conflict<string>, nameOf: NameOf) {
  const what = isAttribute(attribute) ? words.attributes[attribute] : attribute;
  const value = (side: string) => {
    const said = valueWords(attribute, side, nameOf);
    return side === '' || attribute === 'kind' ? said : `“${said}”`;
  };
  return { row: valueWords('text', row, nameOf), what, mine: value(mine), theirs: value(theirs) };
}

/** A conflict as a sentence: the user's value was kept, the other author's is quoted. */
export function conflictText(conflict: Conflict<string>, nameOf: NameOf): string {
  const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
  return words.mineKept(row, what, mine, theirs);
}

/** Loads the names of the people mentioned in conflicts and of `accounts`. */
export async function namesIn(
  bridge: HostBridge,
  conflicts: readonly Conflict<string>[],
  accounts: readonly string[] = [],
): Promise<(accountId: string) => string> {
  const mentioned = conflicts.flatMap(({ row, mine, theirs }) => [row, mine, theirs].flatMap(mentionsIn));
  const ids = new Set([...accounts, ...mentioned]);
  const people = new Map(ids.size > 0 ? await getPeople(bridge, [...ids]) : []);
  return id => people.get(id)?.name ?? unknownPerson;
}

/** Conflicts as sentences with people's names. */
export async function conflictTexts(bridge: HostBridge, conflicts: readonly Conflict<string>[]): Promise<string[]> {
  const nameOf = await namesIn(bridge, conflicts);
  return conflicts.map(conflict => conflictText(conflict, nameOf));
}

interface OverwrittenQuery {
  /** Texts of rows that the user saved here, and what shows conflicts at their rows. */
  view?: ConflictView;
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

/** Whether the value that was overwritten is one of these texts, as they were typed. */
function isSaved({ attribute, theirs }: Conflict<string>, saved: Iterable<string>): boolean {
  const texts = [...saved];
  if (attribute === 'details') return texts.includes(theirs.replace(/^[ \t]*>[ \t]?/gm, ''));
  // What was typed may be an item or a header, whose marks do not count.
  const bodiesOf = (text: string) =>
    readChecklist(`- ${text}\n# ${text}`).rows.map(row => splitContent({ row, content: row.text }).body);
  return attribute === 'text' && texts.some(text => bodiesOf(text).includes(theirs));
}

/**
 * A sentence for each value that a concurrent change of another account overwrote. Texts that the user saved here are
 * shown at their rows instead, where that is possible.
 */
export async function overwrittenTexts(query: OverwrittenQuery): Promise<string[]> {
  const { bridge, graphql, issueId, account, reported, within, view } = query;
  const { entries } = (await graphql.query(getConflicts, { issueId })).checklistHistory;
  const newest = Date.parse(entries[0]?.created ?? '');
  const found = entries.filter(({ epoch, seq, created, account: by, conflicts }) => {
    const revision = `${epoch} ${seq}`;
    if (conflicts.length === 0 || by === account || newest - Date.parse(created) > within || reported.has(revision))
      return false;
    reported.add(revision);
    return true;
  });
  const fresh = found.flatMap(({ account: by, conflicts }) => {
    const left = conflicts.filter(conflict => {
      const { row, attribute, mine, theirs } = conflict;
      const shown: UserConflict = { row, attribute, mine: theirs, theirs: mine, stored: 'theirs', by };
      return !isSaved(conflict, view?.saved ?? []) || view?.show?.([shown])?.length !== 0;
    });
    return left.length > 0 ? [{ account: by, conflicts: left }] : [];
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
