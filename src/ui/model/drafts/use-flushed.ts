import { useEffect } from 'react';

/**
 * Calls `flush` when a field or the window loses the focus, when the page is hidden and on unmount: what is typed is
 * stored then, since the page may end. `flush` must be stable.
 */
export function useFlushed(flush: () => void): void {
  useEffect(() => {
    const leaves = ['blur', 'visibilitychange', 'pagehide'] as const;
    for (const type of leaves) window.addEventListener(type, flush, true);
    return () => {
      for (const type of leaves) window.removeEventListener(type, flush, true);
      flush();
    };
  }, [flush]);
}
