import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { upgrade } from '../../../domain/links.ts';
import { useBridge, useServices } from '../services/services.ts';

/** Loads the tracker's base URL once per page; a failed load is retried at the next call. */
export function createSite(bridge: HostBridge): () => Promise<string> {
  let loading: Promise<string> | undefined;
  return () => {
    loading ??= bridge.hostUrl('/').then(url => url.replace(/\/+$/, ''));
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
}

/** The tracker's base URL without a trailing slash; empty until it is loaded. */
export function useSite(): string {
  const siteOf = useServices().once(createSite);
  const [site, setSite] = useState('');
  useEffect(() => {
    let isCurrent = true;
    siteOf().then(
      url => isCurrent && setSite(url),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [siteOf]);
  return site;
}

/**
 * A link to a page of the tracker. A plain click navigates through the host, which also works in its mobile app; with a
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

/** A link to the paid edition, next to limits of the Free edition. */
export const Upgrade = ({ children = 'Upgrade for more' }: { children?: string }) => (
  <a href={upgrade} target="_blank" rel="noreferrer">
    {children}
  </a>
);
