import { Facet } from '@codemirror/state';
import type { IssueSummary } from '../domain/issue.ts';
import type { Person } from '../domain/person.ts';

/** Account ids of people, shortcodes of emoji, and days: a named day by its name, any other as `yyyy-mm-dd`. */
export type RecentKind = 'people' | 'emoji' | 'days';

/** Data from outside the text. Any of it may fail, hang or be slow: the editor works without. */
export interface Provider {
  /** Users whose name matches, at most ten. */
  findPeople(query: string, signal: AbortSignal): Promise<readonly Person[]>;
  /** Issues whose key begins with the query, such as `WEB-1`; the nearest first, at most ten. */
  findIssues(key: string, signal: AbortSignal): Promise<readonly IssueSummary[]>;
  /**
   * A user by account id: `undefined` while unknown, `null` if there is none. The first call requests it; subscribers
   * are notified of new data.
   */
  person(accountId: string): Person | null | undefined;
  /** An issue by key, in the same way. */
  issue(key: string): IssueSummary | null | undefined;
  /**
   * Names of the statuses that the project's issues can have, which gates name: `undefined` while unknown, `null` where
   * they cannot be read. The first call requests them. Without it no name of a gate is completed or looked at.
   */
  gateNames?(): readonly string[] | null | undefined;
  /** Whether an issue URL is of this site, as long as that is known. Without it such URLs stay text. */
  isOwnAddress?(address: string): boolean;
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Today's day in the user's time zone, as `yyyy-mm-dd`. */
  today(): string;
  /** The values picked in this browser, the latest first. Without this function, no option is preferred. */
  recent?(kind: RecentKind): readonly string[];
  used?(kind: RecentKind, value: string): void;
}

const nothing: Provider = {
  findPeople: async () => [],
  findIssues: async () => [],
  person: () => undefined,
  issue: () => undefined,
  subscribe: () => () => undefined,
  today: () => new Date().toLocaleDateString('sv'),
};

/** The editor's data source. Without a source, the editor completes and shows only what the text contains. */
export const provider = Facet.define<Provider, Provider>({ combine: given => given[0] ?? nothing });
