import { useEffect, useEffectEvent, useState } from 'react';
import type { HostBridge } from '../../bridge/bridge.ts';
import type { LiveEvent } from '../../client/live/events.ts';
import type { Interest, Live } from '../../client/live/live.ts';
import type { SessionStore } from '../../client/session.ts';
import { useServices, useSession } from './services/services.ts';

/** One live connection per page, loaded lazily after the first paint. */
function createLiveLoader(bridge: HostBridge) {
  let live: Promise<Live> | undefined;
  return (session: SessionStore, owner: readonly string[]): Promise<Live> => {
    live ??= import('../../client/live/live.ts').then(({ createLive }) => createLive({ bridge, session }, owner));
    // The next hook retries.
    live.catch(() => {
      live = undefined;
    });
    return live;
  };
}

/**
 * Subscribes to the server's live events while mounted; to one issue's if `issue` is set. Returns whether the
 * connection is up; while it is not, callers have to poll.
 */
export function useLive(
  { issue, editing = false, assigned = false }: Interest,
  listener: (event: LiveEvent) => void,
): boolean {
  const { once, session } = useServices();
  const liveOf = once(createLiveLoader);
  const { payload } = useSession();
  const [isConnected, setConnected] = useState(false);
  const notify = useEffectEvent(listener);
  const [tenant, account] = [payload?.aud, payload?.sub];
  useEffect(() => {
    if (tenant === undefined || account === undefined) return undefined;
    const ends: (() => void)[] = [];
    let unmounted = false;
    const watch = ({ connected, watch }: Live) => {
      if (unmounted) return;
      setConnected(connected.get());
      ends.push(
        connected.subscribe(() => setConnected(connected.get())),
        watch({ ...(issue !== undefined && { issue }), editing, assigned }, event => notify(event)),
      );
    };
    liveOf(session, [tenant, account]).then(watch, () => undefined);
    return () => {
      unmounted = true;
      for (const end of ends) end();
    };
  }, [liveOf, session, tenant, account, issue, editing, assigned]);
  return isConnected;
}
