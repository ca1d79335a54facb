/** Name of an account that the tracker does not know. */
export const unknownPerson = 'Unknown person';

/** Name of a person who was erased, in texts and as an author. */
export const FORMER_USER = 'Former user';

/** The account in the place of an erased author. The tracker has no such account. */
export const formerAccount = 'former';

/** The author of a foreign change if the tracker does not name one. */
export const OUTSIDE_ACCOUNT = 'tracker';

/** Authors that are no accounts of the tracker, by the prefix of their accounts: automatic changes of the app. */
const kinds = { 'rule:': 'Rule', 'automation:': 'Automation', 'api:': 'API' } as const;
type Prefix = keyof typeof kinds;
/** How the accounts of these authors begin. */
export const authorPrefixes = Object.keys(kinds) as readonly Prefix[];
const prefixOf = (accountId: string): Prefix | undefined => authorPrefixes.find(prefix => accountId.startsWith(prefix));

/** The account of a rule as an author; `rule` is its id, or its template's name. */
export const ruleAccount = (rule: string): string => `rule:${rule}`;

/** The account of an API token as an author; `token` is its id, or its name. */
export const apiAccount = (token: string): string => `api:${token}`;

/** The account of an incoming webhook as an author; `webhook` is its id, or its name. */
export const automationAccount = (webhook: string): string => `automation:${webhook}`;

/** The incoming webhook or API token that an author is; `undefined` for a user or a rule. */
export function programOf(accountId: string): { kind: 'automation' | 'api'; id: string } | undefined {
  const prefix = prefixOf(accountId);
  if (prefix === undefined || prefix === 'rule:') return undefined;
  return { kind: prefix === 'api:' ? 'api' : 'automation', id: accountId.slice(prefix.length) };
}

/** The account as shown to all users: a rule's, webhook's or token's without its id. */
export const namedAuthor = (accountId: string): string => prefixOf(accountId) ?? accountId;

/**
 * The author of an account that the tracker does not have: a rule, webhook or API token, named by its template or name,
 * an erased person, or an unnamed author outside the app; `undefined` for a user.
 */
export function appAuthor(accountId: string): Person | undefined {
  const fixed = accountId === formerAccount ? FORMER_USER : accountId === OUTSIDE_ACCOUNT ? 'Another app' : undefined;
  if (fixed) return { accountId, name: fixed, avatar: '' };
  const prefix = prefixOf(accountId);
  if (!prefix) return undefined;
  const name = accountId.slice(prefix.length);
  return { accountId, name: name ? `${kinds[prefix]}: ${name}` : kinds[prefix], avatar: '' };
}

/** A person's name on a screen: an ellipsis while unread (undefined), and words for no such account (null). */
export const personName = (person: Person | null | undefined): string =>
  person === undefined ? '…' : (person?.name ?? unknownPerson);

/** A person in lists. */
export interface Person {
  accountId: string;
  name: string;
  /** Address of a picture of 16 pixels; empty without one. */
  avatar: string;
}
