import { useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { hiddenNotices, hideNotice } from '../../../client/notices.ts';
import { anonymous } from '../../../domain/user.ts';
import { useBridge, useUser } from '../hooks.ts';
import { news } from './news.ts';

const latest = `news ${news[0].id}`;

/** Whether somebody has seen the latest news; asked once a page, and known to all that asks it there. */
const seen = new WeakMap<HostBridge, Promise<boolean>>();

function seenBy(bridge: HostBridge, account: string): Promise<boolean> {
  const known =
    seen.get(bridge) ??
    // Where nobody remembers, nothing is marked: it would be for ever.
    hiddenNotices(bridge, account).then(
      hidden => hidden.has(latest),
      () => true,
    );
  seen.set(bridge, known);
  return known;
}

/** Whether there is news that this person has not seen, on whatever device. */
export function useUnseenNews(): boolean {
  const bridge = useBridge();
  const { id } = useUser();
  const [unseen, setUnseen] = useState(false);
  useEffect(() => {
    if (id === anonymous.id) return undefined;
    let wanted = true;
    void seenBy(bridge, id).then(known => wanted && setUnseen(!known));
    return () => {
      wanted = false;
    };
  }, [bridge, id]);
  return unseen;
}

/** Remembers that the latest news was seen, as it is shown. */
export function useSeeNews(): void {
  const bridge = useBridge();
  const { id } = useUser();
  useEffect(() => {
    if (id === anonymous.id) return;
    const shown = async (known: boolean) => {
      if (!known) await hideNotice(bridge, id, latest).catch(() => undefined);
      return true;
    };
    seen.set(bridge, seenBy(bridge, id).then(shown));
  }, [bridge, id]);
}
