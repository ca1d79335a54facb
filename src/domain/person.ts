/** Name of an account that the tracker does not know. */
export const unknownPerson = 'Unknown person';

const RULE = 'rule:';

/** The account of a rule as an author; `rule` is its id, or its template's name. */
export const ruleAccount = (rule: string): string => `${RULE}${rule}`;

/** The account as shown to all users: a rule's without its id. */
export const namedAuthor = (accountId: string): string => (accountId.startsWith(RULE) ? RULE : accountId);

/** The rule of such an account, named by its template; `undefined` for a user. */
export function ruleAuthor(accountId: string): Person | undefined {
  if (!accountId.startsWith(RULE)) return undefined;
  const template = accountId.slice(RULE.length);
  return { accountId, name: template ? `Rule: ${template}` : 'Rule', avatar: '' };
}

/** A person in lists. */
export interface Person {
  accountId: string;
  name: string;
  /** Address of a picture of 16 pixels; empty without one. */
  avatar: string;
}
