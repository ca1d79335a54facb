import { accountIdOf, mentionNotation } from '../references.ts';

export interface ExportOptions {
  /** A person's name for an account id, so that readers elsewhere see a name. Without it the mention stays as it is. */
  nameOf?: (accountId: string) => string | undefined;
}

/** A line with its mentions as `@Name` where the name is known. */
export function withNames(text: string, { nameOf }: ExportOptions): string {
  if (!nameOf) return text;
  return text.replace(mentionNotation, found => {
    const name = nameOf(accountIdOf(found));
    return name === undefined ? found : `@${name}`;
  });
}
