import { appAuthor } from '../../domain/person.ts';
import type { RowEvents } from './row-events.ts';

/** What a person can be notified about. */
export const noticeKinds = ['ASSIGNED', 'MENTIONED', 'DUE_TOMORROW', 'OVERDUE'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A notice of a change, for a person other than its author. */
export interface Notice {
  account: string;
  row: string;
  kind: NoticeKind;
}

/** Account ids of the tracker, as in its tokens; a pattern of the database, too. */
export const ACCOUNT_ID = '^[A-Za-z0-9_:.-]{1,128}$';
const accountId = new RegExp(ACCOUNT_ID);
/** Most notices of one change. */
const MOST = 100;

/** The notices of a change; never of a person's own one. */
export function noticesOf({ assigned, mentioned }: RowEvents, author: string): Notice[] {
  const notices = [
    ...assigned.map(each => ({ ...each, kind: 'ASSIGNED' as const })),
    ...mentioned.map(each => ({ ...each, kind: 'MENTIONED' as const })),
  ];
  return notices
    .filter(({ account }) => account !== author && accountId.test(account) && !appAuthor(account))
    .slice(0, MOST);
}

/** Milliseconds from the first notice to the digest: what is corrected at once is not sent. */
export const DIGEST_DELAY = 5 * 60_000;
