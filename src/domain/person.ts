/** Name of an account that the tracker does not know. */
export const unknownPerson = 'Unknown person';

/** Authors that are no accounts of the tracker, by the word before the colon: the app's own changes, and erased persons. */
const kinds: Readonly<Record<string, string>> = {
  rule: 'Rule',
  automation: 'Automation',
  api: 'API',
  former: 'Former user',
};
/** How the accounts of these authors begin. */
export const authorPrefixes = (): string[] => Object.keys(kinds).map(kind => `${kind}:`);
const kindOf = (accountId: string): string => accountId.split(':')[0] ?? '';

/** The account that stands for each erased person. */
export const formerAccount = 'former:';

/** The account of a rule as an author; `rule` is its id, or its template's name. */
export const ruleAccount = (rule: string): string => `rule:${rule}`;

/** The account of an API token as an author; `token` is its id, or its name. */
export const apiAccount = (token: string): string => `api:${token}`;

/** The account of an incoming webhook as an author; `webhook` is its id, or its name. */
export const automationAccount = (webhook: string): string => `automation:${webhook}`;

/** The incoming webhook or API token that an author is; `undefined` for a user or a rule. */
export function programOf(accountId: string): { kind: 'automation' | 'api'; id: string } | undefined {
  const kind = kindOf(accountId);
  if (kind !== 'api' && kind !== 'automation') return undefined;
  return { kind, id: accountId.slice(kind.length + 1) };
}

/** The account as shown to all users: a rule's, webhook's or token's without its id. */
export const namedAuthor = (accountId: string): string => (appAuthor(accountId) ? `${kindOf(accountId)}:` : accountId);

/** The rule, webhook or API token of such an account, named by its template or name; `undefined` for a user. */
export function appAuthor(accountId: string): Person | undefined {
  const [kind = '', ...rest] = accountId.split(':');
  const words = Object.hasOwn(kinds, kind) && kinds[kind];
  if (!words) return undefined;
  const name = rest.join(':');
  return { accountId, name: name ? `${words}: ${name}` : words, avatar: '' };
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
