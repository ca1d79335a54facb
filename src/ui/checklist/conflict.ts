import type { HostBridge } from '../../bridge/bridge.ts';
import type { Conflict } from '../../client/changes.ts';
import { getPeople } from '../../client/tracker/people.ts';
import { conflicts as words } from '../../domain/messages.ts';
import { unknownPerson } from '../../domain/person.ts';
import { mentionsIn } from '../../text/export/person.ts';
import { isAttribute } from '../../text/merge/row.ts';
import { valueWords } from '../../text/merge/words.ts';

type NameOf = (accountId: string) => string | undefined;

/** What is said of a conflict, with names for people; values are quoted. */
export function conflictParts({ row, attribute, mine, theirs }: Conflict, nameOf: NameOf) {
  const what = isAttribute(attribute) ? words.attributes[attribute] : attribute;
  const value = (side: string) => {
    const said = valueWords(attribute, side, nameOf);
    return side === '' || attribute === 'kind' ? said : `“${said}”`;
  };
  return { row: valueWords('text', row, nameOf), what, mine: value(mine), theirs: value(theirs) };
}

/** One conflict as a sentence. What this user wrote was kept; what somebody else wrote is quoted. */
export function conflictText(conflict: Conflict, nameOf: NameOf): string {
  const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
  return words.told(row, what, mine, theirs);
}

/** Conflicts as sentences that call people by their names, whom the tracker is asked for. */
export async function conflictTexts(bridge: HostBridge, conflicts: readonly Conflict[]): Promise<string[]> {
  const ids = conflicts.flatMap(({ row, mine, theirs }) => [row, mine, theirs].flatMap(mentionsIn));
  const people = new Map(ids.length > 0 ? await getPeople(bridge, [...new Set(ids)]) : []);
  return conflicts.map(conflict => conflictText(conflict, id => people.get(id)?.name ?? unknownPerson));
}
