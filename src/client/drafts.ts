import * as v from 'valibot';
import { edition } from '../domain/edition.ts';
import { readAs } from '../domain/shape.ts';

const draftShape = v.object({
  /** What the text was typed over. */
  base: v.object({ epoch: v.string(), seq: v.number(), text: v.string() }),
  text: v.string(),
  name: v.optional(v.string()),
  /** Milliseconds since the epoch. */
  savedAt: v.number(),
});

/** Text of an editor that is not saved yet. */
export type Draft = v.InferOutput<typeof draftShape>;

export interface Drafts {
  read(issueId: string): Draft | undefined;
  /** Answers whether the draft is kept: the browser may be out of room, or refuse to store anything for a frame. */
  keep(issueId: string, draft: Omit<Draft, 'savedAt'>): boolean;
  clear(issueId: string): void;
}

/** The browser's storage, which some browsers refuse to frames of other sites by throwing. */
function openStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Drafts in the browser, one for each issue, apart for every tenant and account. */
export function createDrafts(owner: { tenant: string; account: string }, storage = openStorage()): Drafts {
  const keyOf = (issueId: string) =>
    [`${edition.key}.draft`, owner.tenant, owner.account, issueId].map(encodeURIComponent).join('/');
  return {
    read: issueId => {
      try {
        return readAs(draftShape, JSON.parse(storage?.getItem(keyOf(issueId)) ?? 'null'));
      } catch {
        return undefined;
      }
    },
    keep: (issueId, draft) => {
      try {
        if (!storage) return false;
        storage.setItem(keyOf(issueId), JSON.stringify({ ...draft, savedAt: Date.now() }));
        return true;
      } catch {
        return false;
      }
    },
    clear: issueId => {
      try {
        storage?.removeItem(keyOf(issueId));
      } catch {
        // Storage that is refused holds nothing.
      }
    },
  };
}
