import { useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { hiddenNotices, hideNotice } from '../../../client/notices.ts';
import { anonymous } from '../../../domain/user.ts';
import { useServices, useUser } from '../services/services.ts';

/** What is new in a version, the latest first. An id is for good: by the first one people are remembered to have seen them. */
export interface News {
  id: string;
  version: string;
  items: readonly { title: string; words: string }[];
}

export const news: readonly [News, ...News[]] = [
  {
    id: '4.29.0',
    version: '4.29',
    items: [
      {
        title: 'Everything that is yours on one page',
        words:
          'Assigned checklist items shows your items of all issues, by issue or by day, and you work on them there.',
      },
      {
        title: 'A history that reads',
        words: 'Who ticked, reworded or moved what, by day and by row. Take back one change or go back to a version.',
      },
      {
        title: 'Work at the same time',
        words: 'Two people in one checklist are joined row by row. What both changed is shown to both.',
      },
      {
        title: 'A faster editor',
        words: 'Press F1 for everything that it can do, and open the preview beside the text.',
      },
      {
        title: 'Templates by rules',
        words: 'A template comes to an issue when it is created, moves to a status, or has a field changed.',
      },
    ],
  },
  {
    id: '4.28.0',
    version: '4.28',
    items: [
      { title: 'Statuses of a project', words: 'Each project may have statuses of its own beside those of the site.' },
      { title: 'Mandatory items', words: 'An ! marks what must be done; the panel counts what of it is open.' },
    ],
  },
];

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
