import { useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { hiddenNotices, hideNotice } from '../../../client/notices.ts';
import { anonymous } from '../../../domain/user.ts';
import { useServices, useUser } from '../services/services.ts';
import { news } from './news.ts';

const latest = `news ${news[0].id}`;

/** Whether the user has seen the latest news; asked once a page, and known to all that asks it there. */
function createSeenNews(bridge: HostBridge) {
  let seen: Promise<boolean> | undefined;
  const seenBy = (account: string): Promise<boolean> => {
    // Where it cannot be remembered, nothing is marked: it would be for ever.
    seen ??= hiddenNotices(bridge, account).then(
      hidden => hidden.has(latest),
      () => true,
    );
    return seen;
  };
  return {
    seenBy,
    /** Remembers that the user has seen it. */
    markSeen(account: string): void {
      seen = seenBy(account).then(async known => {
        if (!known) await hideNotice(bridge, account, latest).catch(() => undefined);
        return true;
      });
    },
  };
}

/** Whether there is news that the user has not seen, on whatever device. */
export function useUnseenNews(): boolean {
  const { seenBy } = useServices().once(createSeenNews);
  const { id } = useUser();
  const [unseen, setUnseen] = useState(false);
  useEffect(() => {
    if (id === anonymous.id) return undefined;
    let wanted = true;
    void seenBy(id).then(known => wanted && setUnseen(!known));
    return () => {
      wanted = false;
    };
  }, [seenBy, id]);
  return unseen;
}

/** Remembers that the latest news was seen, as it is shown. */
export function useSeeNews(): void {
  const { markSeen } = useServices().once(createSeenNews);
  const { id } = useUser();
  useEffect(() => {
    if (id !== anonymous.id) markSeen(id);
  }, [markSeen, id]);
}
