import { sql } from 'kysely';
import { appAuthor } from '../../domain/person.ts';
import { statement } from '../store/statement.ts';
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

/**
 * Stores notices, in the transaction that writes the change, except for people who turned notifications off, for the
 * issue or altogether. One that was sent before, for an earlier assignment, is due again.
 */
export const addNotices = statement<{ tenant: string; issue: string; notices: string }>(
  (db, { tenant, issue, notices }) => ({
    compile: () =>
      sql`insert into notification (tenant, account, issue, "row", kind)
        select ${tenant}, notice.account, ${issue}, notice."row", notice.kind
        from jsonb_to_recordset(${notices}::jsonb) as notice(account text, "row" text, kind text)
        where not exists (select from notification_mute mute where mute.tenant = ${tenant} and mute.issue = ${issue}
            and mute.account = notice.account)
          and not exists (select from person where person.tenant = ${tenant} and person.account = notice.account
            and person.notify = 'OFF')
        on conflict (tenant, account, issue, "row", kind, due) do update set created = now(), sent = null
          where notification.sent is not null`.compile(db),
  }),
);

/** Milliseconds from the first notice to the digest: what is corrected at once is not sent. */
export const DIGEST_DELAY = 5 * 60_000;
