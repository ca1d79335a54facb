import { useEffect } from 'react';
import { useSite } from './site.ts';

/** Names the document after the screen. */
export function useTitle(title: string): void {
  const { site } = useSite();
  useEffect(() => {
    document.title = `${title} – ${site}`;
  }, [title, site]);
}
