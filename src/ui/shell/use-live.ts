import { useEffect, useEffectEvent, useState } from 'react';
import type { HostBridge } from '../../bridge/bridge.ts';
import type { LiveEvent } from '../../client/live/events.ts';
import type { Interest, Live } from '../../client/live/live.ts';
import type { SessionStore } from '../../client/session.ts';
import { useBridge, useSession, useSessionStore } from './services/services.ts';

/** One for all hooks of a page. It comes late: nothing that is painted waits for it. */
const lives = new WeakMap<HostBridge, Promise<Live>>();

function liveOf(bridge: HostBridge, session: SessionStore, owner: readonly string[]): Promise<Live> {
  const live =
    lives.get(bridge) ??
    import('../../client/live/live.ts').then(({ createLive }) => createLive({ bridge, session }, owner));
  lives.set(bridge, live);
  // Whoever comes next tries again.
  live.catch(() => lives.delete(bridge));
  return live;
}

/**
 * Hears of changes that the server tells while the component is there, of those of an issue if one is named. Answers
 * whether changes are told; while they are not, whoever shows something looks himself now and then.
 */
export function useLive(
  { issue, editing = false, assigned = false }: Interest,
  hear: (event: LiveEvent) => void,
): boolean {
  const bridge = useBridge();
  const session = useSessionStore();
  const { payload } = useSession();
  const [told, setTold] = useState(false);
  const heard = useEffectEvent(hear);
  const [tenant, account] = [payload?.aud, payload?.sub];
  useEffect(() => {
    if (tenant === undefined || account === undefined) return undefined;
    const ends: (() => void)[] = [];
    let gone = false;
    const watch = ({ connected, watch }: Live) => {
      if (gone) return;
      setTold(connected.get());
      ends.push(
        connected.subscribe(() => setTold(connected.get())),
        watch({ ...(issue !== undefined && { issue }), editing, assigned }, event => heard(event)),
      );
    };
    liveOf(bridge, session, [tenant, account]).then(watch, () => undefined);
    return () => {
      gone = true;
      for (const end of ends) end();
    };
  }, [bridge, session, tenant, account, issue, editing, assigned]);
  return told;
}
