import type { HostBridge } from '../../../bridge/bridge.ts';
import { getPeople } from '../../../client/tracker/people.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { unknownPerson } from '../../../domain/person.ts';
import { mentionsIn } from '../../../text/export/person.ts';
import { type Conflict, isAttribute } from '../../../text/merge/row.ts';
import { valueWords } from '../../../text/merge/words.ts';

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
