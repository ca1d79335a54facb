/** Name of an account that the tracker does not know. */
export const unknownPerson = 'Unknown person';

const RULE = 'rule:';
const AUTOMATION = 'automation:';

/** The account of a rule as an author; `rule` is its id, or its template's name. */
export const ruleAccount = (rule: string): string => `${RULE}${rule}`;

/** The account of an incoming webhook as an author, by its id or name. */
export const automationAccount = (webhook: string): string => `${AUTOMATION}${webhook}`;

/** Whether an author is an incoming webhook. */
export const isAutomation = (accountId: string): boolean => accountId.startsWith(AUTOMATION);

/** The account as shown to all users: a rule's or webhook's without its id. */
export const namedAuthor = (accountId: string): string =>
  [RULE, AUTOMATION].find(prefix => accountId.startsWith(prefix)) ?? accountId;

/**
 * The rule of such an account, named by its template, or the incoming webhook, by its name; `undefined` for a user.
 */
export function automaticAuthor(accountId: string): Person | undefined {
  const prefix = namedAuthor(accountId);
  if (prefix !== RULE && prefix !== AUTOMATION) return undefined;
  const kind = prefix === RULE ? 'Rule' : 'Automation';
  const name = accountId.slice(prefix.length);
  return { accountId, name: name ? `${kind}: ${name}` : kind, avatar: '' };
}

/** A person in lists. */
export interface Person {
  accountId: string;
  name: string;
  /** Address of a picture of 16 pixels; empty without one. */
  avatar: string;
}
