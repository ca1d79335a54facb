import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { useBridge, useServices } from '../services/services.ts';

/** One question for all links of a page: the tracker's address does not change under it. One that failed is asked again. */
function createSite(bridge: HostBridge): () => Promise<string> {
  let asked: Promise<string> | undefined;
  return () => {
    asked ??= bridge.hostUrl('/').then(url => url.replace(/\/+$/, ''));
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
}

/** The tracker's address without a slash at its end, once the host has said it. */
export function useSite(): string {
  const siteOf = useServices().once(createSite);
  const [site, setSite] = useState('');
  useEffect(() => {
    let wanted = true;
    siteOf().then(
      url => wanted && setSite(url),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [siteOf]);
  return site;
}

/**
 * A link to a page of the tracker. A plain click leaves through the host, which also works inside its mobile app; with a
 * modifier, or from the context menu, it is an ordinary link.
 */
export function TrackerLink({ path, children }: { path: string; children: ReactNode }) {
  const bridge = useBridge();
  const site = useSite();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    bridge.navigate(path);
  };
  return (
    <a href={site + path} target="_blank" rel="noopener noreferrer" onClick={follow}>
      {children}
    </a>
  );
}
