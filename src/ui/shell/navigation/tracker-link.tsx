import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { useBridge } from '../hooks.ts';

/** One question for all links of a page: the tracker's address does not change under it. */
const sites = new WeakMap<HostBridge, Promise<string>>();

function siteOf(bridge: HostBridge): Promise<string> {
  const asked = sites.get(bridge) ?? bridge.hostUrl('/').then(url => url.replace(/\/+$/, ''));
  sites.set(bridge, asked);
  return asked;
}

/** The tracker's address without a slash at its end, once the host has said it. */
export function useSite(): string {
  const bridge = useBridge();
  const [site, setSite] = useState('');
  useEffect(() => {
    let wanted = true;
    siteOf(bridge).then(
      url => wanted && setSite(url),
      () => sites.delete(bridge),
    );
    return () => {
      wanted = false;
    };
  }, [bridge]);
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
