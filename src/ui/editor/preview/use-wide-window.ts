import { useSyncExternalStore } from 'react';

/** Below this there is no room for two. */
const wide = '(min-width: 800px)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is wide enough for a preview beside the text. */
export const useWideWindow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches);
