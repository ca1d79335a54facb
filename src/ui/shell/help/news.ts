import { useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { hiddenNotices, hideNotice } from '../../../client/notices.ts';
import { anonymous } from '../../../domain/user.ts';
import { useServices, useUser } from '../services/services.ts';

/** News of a version, newest first. Ids are permanent: each account's seen state is stored by the first one. */
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
        title: 'All your items on one page',
        words:
          'Assigned checklist items shows your items of all issues, by issue or by due date. Work on them right there.',
      },
      {
        title: 'A readable history',
        words: 'Who ticked, reworded or moved what, by day and by item. Undo one change or restore a version.',
      },
      {
        title: 'Work at the same time',
        words: 'Changes of two people to one checklist are merged item by item. Conflicts are shown to both.',
      },
      {
        title: 'A faster editor',
        words: 'Press F1 for all commands, and open the preview beside the text.',
      },
      {
        title: 'Rules apply templates',
        words: 'Apply a template to an issue when it is created, moves to a status, or a field changes.',
      },
    ],
  },
  {
    id: '4.28.0',
    version: '4.28',
    items: [
      {
        title: 'Statuses of a project',
        words: 'Each project can have its own statuses in addition to the site statuses.',
      },
      { title: 'Mandatory items', words: 'An ! marks mandatory items. The panel counts the open ones.' },
    ],
  },
];

const latest = `news ${news[0].id}`;

/** Whether the user has seen the latest news; loaded once per page and shared. */
function createSeenNews(bridge: HostBridge) {
  let seenNews: Promise<boolean> | undefined;
  const seenBy = (account: string): Promise<boolean> => {
    // Without storage the news count as seen: the mark could never be removed.
    seenNews ??= hiddenNotices(bridge, account).then(
      hidden => hidden.has(latest),
      () => true,
    );
    return seenNews;
  };
  return {
    seenBy,
    /** Stores that the user has seen the news. */
    markSeen(account: string): void {
      seenNews = seenBy(account).then(async known => {
        if (!known) await hideNotice(bridge, account, latest).catch(() => undefined);
        return true;
      });
    },
  };
}

/** Whether there is news that the user has not seen on any device. */
export function useUnseenNews(): boolean {
  const { seenBy } = useServices().once(createSeenNews);
  const { id } = useUser();
  const [unseen, setUnseen] = useState(false);
  useEffect(() => {
    if (id === anonymous.id) return undefined;
    let isCurrent = true;
    void seenBy(id).then(known => isCurrent && setUnseen(!known));
    return () => {
      isCurrent = false;
    };
  }, [seenBy, id]);
  return unseen;
}

/** Marks the latest news as seen on mount. */
export function useMarkNewsSeen(): void {
  const { markSeen } = useServices().once(createSeenNews);
  const { id } = useUser();
  useEffect(() => {
    if (id !== anonymous.id) markSeen(id);
  }, [markSeen, id]);
}
