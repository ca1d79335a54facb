import type { HostBridge } from '../../bridge/bridge.ts';
import type { Conflict } from '../../client/changes.ts';
import { getPeople } from '../../client/tracker/people.ts';
import { conflicts as words } from '../../domain/messages.ts';
import { unknownPerson } from '../../domain/person.ts';
import { mentionsIn } from '../../text/export/person.ts';
import { isAttribute } from '../../text/merge/row.ts';
import { valueWords } from '../../text/merge/words.ts';

type NameOf = (accountId: string) => string | undefined;

/** One conflict as a sentence. What this user wrote was kept; what somebody else wrote is quoted. */
export function conflictText({ row, attribute, mine, theirs }: Conflict, nameOf: NameOf): string {
  const what = isAttribute(attribute) ? words.attributes[attribute] : attribute;
  const value = (side: string) => {
    const said = valueWords(attribute, side, nameOf);
    return side === '' || attribute === 'kind' ? said : `“${said}”`;
  };
  return words.told(valueWords('text', row, nameOf), what, value(mine), value(theirs));
}

/** Conflicts as sentences that call people by their names, whom the tracker is asked for. */
export async function conflictTexts(bridge: HostBridge, conflicts: readonly Conflict[]): Promise<string[]> {
  const ids = conflicts.flatMap(({ row, mine, theirs }) => [row, mine, theirs].flatMap(mentionsIn));
  const people = new Map(ids.length > 0 ? await getPeople(bridge, [...new Set(ids)]) : []);
  return conflicts.map(conflict => conflictText(conflict, id => people.get(id)?.name ?? unknownPerson));
}
