/** In the place of the name of somebody whom the tracker does not know. */
export const unknownPerson = 'Unknown person';

const RULE = 'rule:';

/** The account of a rule, as the author of what it did; `rule` is its id, or what its template is called. */
export const ruleAccount = (rule: string): string => `${RULE}${rule}`;

/** The account as every user may know it: of a rule, that it was one. */
export const namedAuthor = (accountId: string): string => (accountId.startsWith(RULE) ? RULE : accountId);

/** The rule behind such an account, named by its template; `undefined` for a user. */
export function ruleAuthor(accountId: string): Person | undefined {
  if (!accountId.startsWith(RULE)) return undefined;
  const template = accountId.slice(RULE.length);
  return { accountId, name: template ? `Rule: ${template}` : 'Rule', avatar: '' };
}

/** Somebody as lists show them. */
export interface Person {
  accountId: string;
  name: string;
  /** Address of a picture of 16 pixels; empty where there is none. */
  avatar: string;
}
