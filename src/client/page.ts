import { openStorage } from './browser-storage.ts';

/** What the browser gives to the page of one frame; whatever is refused to it is missing. */
export interface Page {
  /** Shared by all frames of ours; tells the others of its changes. */
  storage: Storage | undefined;
  /** Of this window alone, and there again when it is loaded anew. */
  session: Storage | undefined;
  /** They end with the frame that holds them. */
  locks: LockManager | undefined;
  /** Where storage, network and visibility are told. */
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

function openLocks(): LockManager | undefined {
  try {
    return globalThis.navigator?.locks;
  } catch {
    return undefined;
  }
}

export const openPage = (): Page => ({
  storage: openStorage('localStorage'),
  session: openStorage('sessionStorage'),
  locks: openLocks(),
  window,
});
