import { useSyncExternalStore } from 'react';

/** Goes to a page of this site without loading the document anew. */
export function go(path: string): void {
  history.pushState(null, '', path);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

const subscribe = (listener: () => void) => {
  window.addEventListener('popstate', listener);
  return () => window.removeEventListener('popstate', listener);
};

/** The page's address; renders again when it changes. */
export const useAddress = (): URL => new URL(useSyncExternalStore(subscribe, () => location.href));
