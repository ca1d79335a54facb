import { useEffect, useEffectEvent, useState } from 'react';
import type { HostBridge } from '../../bridge/bridge.ts';
import type { LiveEvent } from '../../client/live/events.ts';
import type { Interest, Live } from '../../client/live/live.ts';
import type { SessionStore } from '../../client/session.ts';
import { useServices, useSession } from './services/services.ts';

/** One for all hooks of a page. It comes late: nothing that is painted waits for it. */
function createLiveLoader(bridge: HostBridge) {
  let live: Promise<Live> | undefined;
  return (session: SessionStore, owner: readonly string[]): Promise<Live> => {
    live ??= import('../../client/live/live.ts').then(({ createLive }) => createLive({ bridge, session }, owner));
    // The next hook tries again.
    live.catch(() => {
      live = undefined;
    });
    return live;
  };
}

/**
 * Hears of changes that the server tells while the component is there, of those of an issue if one is named. Answers
 * whether changes are told; while they are not, whoever shows something looks himself now and then.
 */
export function useLive(
  { issue, editing = false, assigned = false }: Interest,
  hear: (event: LiveEvent) => void,
): boolean {
  const { once, session } = useServices();
  const liveOf = once(createLiveLoader);
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
    liveOf(session, [tenant, account]).then(watch, () => undefined);
    return () => {
      gone = true;
      for (const end of ends) end();
    };
  }, [liveOf, session, tenant, account, issue, editing, assigned]);
  return told;
}
