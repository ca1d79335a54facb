import * as v from 'valibot';
import type { Owner } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { readAs } from '../domain/shape.ts';
import { sleep } from '../domain/timing.ts';
import { keyOf, safeStorage } from './browser-storage.ts';
import { openPage, type Page } from './page.ts';

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

/** Where one editor of an issue keeps its unsaved text; no other editor that is open writes there. */
export interface DraftSlot {
  /** What was left there unsaved: by this window before it was loaded anew, or by an editor that is gone. */
  read(): Draft | undefined;
  /** Answers whether the draft is kept: the browser may be out of room, or refuse to store anything for a frame. */
  keep(draft: Omit<Draft, 'savedAt'>): boolean;
  clear(): void;
  /** Unsaved texts of further editors that are gone; each comes to an editor that is opened later. */
  readonly others: number;
}

/** Without locks nobody knows whether an editor is open: its draft is left alone for so many milliseconds. */
const PRESUMED_OPEN = 5 * 60_000;

/** Milliseconds that a page may take to go. */
const RELOAD = 300;

function parse(kept: string | undefined): Draft | undefined {
  try {
    return readAs(draftShape, JSON.parse(kept ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Takes a name for as long as the page is there. Answers whether nobody else had it. */
const claim = async (locks: LockManager | undefined, name: string, patience = 0): Promise<boolean> => {
  if (patience > 0) await sleep(patience);
  return new Promise(resolve => {
    if (!locks) return resolve(true);
    const held = locks.request(name, { ifAvailable: true }, lock => {
      resolve(lock !== null);
      return lock ? new Promise<void>(() => undefined) : undefined;
    });
    // Locks that are refused to this frame tell nothing of others.
    held.catch(() => resolve(true));
  });
};

/** Names that open pages have taken; `undefined` where nobody knows. */
async function claimed(locks: LockManager | undefined): Promise<ReadonlySet<string> | undefined> {
  try {
    const state = await locks?.query();
    return state && new Set(state.held?.map(({ name = '' }) => name));
  } catch {
    return undefined;
  }
}

const WINDOW = keyOf(`${edition.key}.window`);

/**
 * Opens a slot for an editor of an issue: the window's own if something was left there, else that of an editor that is
 * gone, the latest first, else an empty one. A window that was duplicated has the other one's name and needs its own.
 */
export async function openDraft(owner: Owner, issueId: string, page: Page = openPage()): Promise<DraftSlot> {
  const { locks } = page;
  const safe = safeStorage(page.storage);
  const names = safeStorage(page.session);
  const prefix = `${keyOf(`${edition.key}.draft`, owner.tenant, owner.account, issueId)}/`;
  const read = (key: string) => parse(safe.get(key));

  const taken = await claimed(locks);
  const savedAt = (key: string) => read(key)?.savedAt ?? 0;
  const isOrphan = (key: string) => (taken ? !taken.has(key) : savedAt(key) < Date.now() - PRESUMED_OPEN);
  const named = prefix + (names.get(WINDOW) ?? '');
  const left = safe.keys(prefix).filter(key => read(key) !== undefined);
  const orphans = left.filter(key => key !== named && isOrphan(key)).sort((a, b) => savedAt(b) - savedAt(a));

  let slot: string | undefined;
  const wanted = left.includes(named) ? [named, ...orphans] : [...orphans, named];
  for (const key of wanted) {
    if (key === prefix || slot !== undefined) continue;
    // A page that is loaded anew may come before its predecessor has quite gone.
    if ((await claim(locks, key)) || (key === named && (await claim(locks, key, RELOAD)))) slot = key;
  }
  if (slot === undefined) {
    const name = crypto.randomUUID();
    names.set(WINDOW, name);
    slot = prefix + name;
    await claim(locks, slot);
  }
  const own = slot;
  return {
    read: () => read(own),
    keep: draft => safe.set(own, JSON.stringify({ ...draft, savedAt: Date.now() })),
    clear: () => safe.remove(own),
    others: orphans.filter(key => key !== own).length,
  };
}
