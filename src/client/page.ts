import { openStorage } from './browser-storage.ts';

/** The browser's interfaces for the page of one frame; `undefined` if denied. */
export interface Page {
  /** Shared by all our frames; a change fires `storage` events in the other frames. */
  storage: Storage | undefined;
  /** Of this window only; survives a reload. */
  session: Storage | undefined;
  /** Released when the frame that holds them closes. */
  locks: LockManager | undefined;
  /** Source of storage, network and visibility events. */
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

/** Whether the user can see the page. */
export const isVisible = (): boolean => document.visibilityState !== 'hidden';

/** Calls back when the page is shown or hidden. Returns the function that stops it. */
export function onVisibility(
  listener: () => void,
  target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> = document,
): () => void {
  target.addEventListener('visibilitychange', listener);
  return () => target.removeEventListener('visibilitychange', listener);
}

/** Calls back when the page becomes visible, and when the network returns, which may be while the page is hidden. */
export function onReturn(listener: () => void, target: Page['window'] = window): () => void {
  const stop = onVisibility(() => {
    if (isVisible()) listener();
  }, target);
  target.addEventListener('online', listener);
  return () => {
    stop();
    target.removeEventListener('online', listener);
  };
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
