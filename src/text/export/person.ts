import { accountIdOf } from '../references.ts';

export interface ExportOptions {
  /** A person's name for an account id, so that readers elsewhere see a name. Without it the mention stays as it is. */
  nameOf?: (accountId: string) => string | undefined;
}

/** Looks a name up by account id. */
export const nameIn =
  (names: Readonly<Record<string, string>>) =>
  (accountId: string): string | undefined =>
    Object.hasOwn(names, accountId) ? names[accountId] : undefined;

/** Mentions in the tracker's notation, wherever they stand in a text. */
const notation = /\[~accountid:[A-Za-z0-9:_-]{1,128}\]/g;

/** The people that a text mentions in the tracker's notation, by account id. */
export const mentionsIn = (text: string): string[] => (text.match(notation) ?? []).map(accountIdOf);

/** A line with its mentions as `@Name` if the name is known. */
export function withNames(text: string, { nameOf }: ExportOptions): string {
  if (!nameOf) return text;
  return text.replace(notation, found => {
    const name = nameOf(accountIdOf(found));
    return name === undefined ? found : `@${name}`;
  });
}
