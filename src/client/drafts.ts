import * as v from 'valibot';
import type { Owner } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { readAs } from '../domain/shape.ts';
import { sleep } from '../domain/timing.ts';
import { keyOf, safeStorage } from './browser-storage.ts';
import { openPage, type Page } from './page.ts';

const draftShape = v.object({
  /** The text that was edited. */
  base: v.object({
    epoch: v.string(),
    seq: v.number(),
    text: v.string(),
    rows: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  }),
  text: v.string(),
  /** The lasting ids of the rows of `text`; '' for a row without one. */
  rows: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  /** The base's values before the conflicts that the user has not decided. */
  undecided: v.exactOptional(v.array(v.object({ index: v.number(), attribute: v.string(), value: v.string() }))),
  /** The text that was being sent when it was kept: the stored one may have its new rows. */
  sent: v.exactOptional(v.object({ text: v.string(), rows: v.optional(v.pipe(v.array(v.string()), v.readonly())) })),
  name: v.optional(v.string()),
  /** Milliseconds since the epoch. */
  savedAt: v.number(),
});

/** Unsaved text of an editor. */
export type Draft = v.InferOutput<typeof draftShape>;

/** The storage slot of one open editor of an issue; no other open editor writes to it. */
export interface DraftSlot {
  /** The unsaved text found there: of this window before a reload, or of a closed editor. */
  read(): Draft | undefined;
  /** Returns whether the draft is stored: storage may be full or denied. */
  keep(draft: Omit<Draft, 'savedAt'>): boolean;
  clear(): void;
  /** Number of unsaved texts of further closed editors; each goes to an editor opened later. */
  readonly others: number;
}

/** Milliseconds of typing that may be lost with the page: some engines end a frame's scripts without an event. */
export const DRAFT_DELAY = 250;

/** A reloading page has released its locks by then. */
const RELOAD_WAIT_MS = 300;

function parse(kept: string | undefined): Draft | undefined {
  try {
    return readAs(draftShape, JSON.parse(kept ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Acquires a lock until the page closes. Resolves with whether it was free. */
const claim = async (locks: LockManager | undefined, name: string, delay = 0): Promise<boolean> => {
  if (delay > 0) await sleep(delay);
  return new Promise(resolve => {
    if (!locks) return resolve(true);
    const lockRequest = locks.request(name, { ifAvailable: true }, lock => {
      resolve(lock !== null);
      return lock ? new Promise<void>(() => undefined) : undefined;
    });
    // Locks are denied to this frame.
    lockRequest.catch(() => resolve(true));
  });
};

/** Names of the locks held by open pages; `undefined` if locks cannot be queried: every draft may be of an open page then. */
async function claimed(locks: LockManager | undefined): Promise<ReadonlySet<string> | undefined> {
  try {
    const state = await locks?.query();
    return state && new Set(state.held?.map(({ name = '' }) => name));
  } catch {
    return undefined;
  }
}

const WINDOW_KEY = keyOf(`${edition.key}.window`);

const prefixOf = ({ tenant, account }: Owner, issueId: string): string =>
  `${keyOf(`${edition.key}.draft`, tenant, account, issueId)}/`;

/** Unsaved texts of an issue in closed editors. */
export interface WaitingDrafts {
  count: number;
  discard(): void;
}

/**
 * Finds the unsaved texts of an issue that no open editor holds, without taking a lock: the next editor finds them, too.
 * None if the browser does not say which are held. A reloading page may still hold its own for a moment.
 */
export async function waitingDrafts(
  owner: Owner,
  issueId: string,
  page: Pick<Page, 'storage' | 'locks'> = openPage(),
): Promise<WaitingDrafts> {
  const safe = safeStorage(page.storage);
  const storedKeys = () => safe.keys(prefixOf(owner, issueId)).filter(key => parse(safe.get(key)) !== undefined);
  if (storedKeys().length > 0) await sleep(RELOAD_WAIT_MS);
  const claimedKeys = await claimed(page.locks);
  const keys = claimedKeys ? storedKeys().filter(key => !claimedKeys.has(key)) : [];
  return {
    count: keys.length,
    discard: () => {
      for (const key of keys) safe.remove(key);
    },
  };
}

/**
 * Opens a slot for an editor of an issue: the window's own if it holds a draft, else the slot of a closed editor,
 * latest first, else an empty one. A duplicated window has the original's name and gets a slot of its own.
 */
export async function openDraft(owner: Owner, issueId: string, page: Page = openPage()): Promise<DraftSlot> {
  const { locks } = page;
  const safe = safeStorage(page.storage);
  const names = safeStorage(page.session);
  const prefix = prefixOf(owner, issueId);
  const readDraft = (key: string) => parse(safe.get(key));

  const claimedKeys = await claimed(locks);
  const savedAt = (key: string) => readDraft(key)?.savedAt ?? 0;
  const named = prefix + (names.get(WINDOW_KEY) ?? '');
  const storedKeys = safe.keys(prefix).filter(key => readDraft(key) !== undefined);
  const orphans = storedKeys
    .filter(key => key !== named && claimedKeys?.has(key) === false)
    .sort((a, b) => savedAt(b) - savedAt(a));

  let slot: string | undefined;
  const candidateKeys = storedKeys.includes(named) ? [named, ...orphans] : [...orphans, named];
  for (const key of candidateKeys) {
    if (key === prefix || slot !== undefined) continue;
    // A reloaded page may open before its predecessor has released the lock.
    if ((await claim(locks, key)) || (key === named && (await claim(locks, key, RELOAD_WAIT_MS)))) slot = key;
  }
  if (slot === undefined) {
    const name = crypto.randomUUID();
    names.set(WINDOW_KEY, name);
    slot = prefix + name;
    await claim(locks, slot);
  }
  const claimedSlot = slot;
  return {
    read: () => readDraft(claimedSlot),
    keep: draft => safe.set(claimedSlot, JSON.stringify({ ...draft, savedAt: Date.now() })),
    clear: () => safe.remove(claimedSlot),
    others: orphans.filter(key => key !== claimedSlot).length,
  };
}
