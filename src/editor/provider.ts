import { Facet } from '@codemirror/state';
import type { IssueSummary } from '../domain/issue.ts';
import type { Person } from '../domain/person.ts';

/** What an editor knows of the world outside its text. All of it may fail, hang or come late: the text goes on without. */
export interface Provider {
  /** People whose name matches, at most ten. */
  findPeople(query: string, signal: AbortSignal): Promise<readonly Person[]>;
  /** Issues whose key begins with what is typed, such as `WEB-1`; the nearest first, at most ten. */
  findIssues(key: string, signal: AbortSignal): Promise<readonly IssueSummary[]>;
  /**
   * Somebody by account id: `undefined` while nobody has said, `null` when there is no such person. The first question
   * makes it be fetched; whoever subscribes hears when something new is known.
   */
  person(accountId: string): Person | null | undefined;
  /** An issue by key, likewise. */
  issue(key: string): IssueSummary | null | undefined;
  /** Returns what ends it. */
  subscribe(listener: () => void): () => void;
  /** Today's day where the user is, as `yyyy-mm-dd`. */
  today(): string;
  /** Shortcodes of emoji that were used here, the latest first. Without it no emoji is preferred. */
  recentEmoji?(): readonly string[];
  usedEmoji?(code: string): void;
}

const nothing: Provider = {
  findPeople: async () => [],
  findIssues: async () => [],
  person: () => undefined,
  issue: () => undefined,
  subscribe: () => () => undefined,
  today: () => new Date().toLocaleDateString('sv'),
};

/** Where an editor asks. Without one it completes and shows what the text alone says. */
export const provider = Facet.define<Provider, Provider>({ combine: given => given[0] ?? nothing });
