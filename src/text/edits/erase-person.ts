import { FORMER_USER } from '../../domain/person.ts';

/** The mention of an account, which is its assignment, too. */
export const mentionOf = (accountId: string): string => `[~accountid:${accountId}]`;

/** The text with words in place of each mention of an account. Its rows stay. */
export const erasePerson = (text: string, accountId: string): string =>
  text.replaceAll(mentionOf(accountId), FORMER_USER);
