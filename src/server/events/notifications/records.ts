import { sql } from 'kysely';
import * as v from 'valibot';
import { DEFAULT_NOTIFY, type NotifyMode, notifyModes } from '../../../domain/automation/notifications.ts';
import { readAs } from '../../../domain/shape.ts';
import { withNewest } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import type { Tx } from '../../store/tables.ts';
import type { WaitingNotice } from './digest.ts';

/** Further notices wait for the next digest. */
export const MAX_NOTICES = 200;

export interface PersonSettings {
  notify: NotifyMode;
  zone: string | null;
  /** When the last digest was sent. */
  digestAt: Date | null;
}

export async function loadPerson(tx: Tx, tenant: string, account: string): Promise<PersonSettings> {
  const row = await tx
    .selectFrom('person')
    .select(['notify', 'zone', 'digest_at'])
    .where('tenant', '=', tenant)
    .where('account', '=', account)
    .executeTakeFirst();
  const notify = readAs(v.picklist(notifyModes), row?.notify) ?? DEFAULT_NOTIFY;
  return { notify, zone: row?.zone ?? null, digestAt: row?.digest_at ?? null };
}

/** Stores a person's choice. Nothing that waits is sent to a person who wants nothing. */
export async function savePerson(tx: Tx, tenant: string, account: string, notify: NotifyMode): Promise<void> {
  await tx
    .insertInto('person')
    .values({ tenant, account, notify })
    .onConflict(conflict => conflict.columns(['tenant', 'account']).doUpdateSet({ notify }))
    .execute();
  if (notify === 'OFF') await dropWaiting(tx, tenant, account);
}

/** Stores the zone of a person's browser. */
export const putZone = statement<{ tenant: string; account: string; zone: string }>((db, { tenant, account, zone }) =>
  db
    .insertInto('person')
    .values({ tenant, account, zone })
    .onConflict(conflict =>
      conflict
        .columns(['tenant', 'account'])
        .doUpdateSet({ zone })
        .where('person.zone', 'is distinct from', sql.ref<string>('excluded.zone')),
    ),
);

/** Stores when the last digest was sent. */
export const noteDigest = (tx: Tx, tenant: string, account: string, at: Date | null) =>
  tx
    .insertInto('person')
    .values({ tenant, account, digest_at: at })
    .onConflict(conflict => conflict.columns(['tenant', 'account']).doUpdateSet({ digest_at: at }))
    .execute();

export async function isMuted(tx: Tx, tenant: string, account: string, issue: string): Promise<boolean> {
  const row = await tx
    .selectFrom('notification_mute')
    .select('issue')
    .where('tenant', '=', tenant)
    .where('account', '=', account)
    .where('issue', '=', issue)
    .executeTakeFirst();
  return row !== undefined;
}

/** Mutes an issue for a person, whose waiting notices of it are dropped, or unmutes it. */
export async function putMute(tx: Tx, tenant: string, account: string, issue: string, muted: boolean): Promise<void> {
  if (!muted) {
    await tx
      .deleteFrom('notification_mute')
      .where('tenant', '=', tenant)
      .where('account', '=', account)
      .where('issue', '=', issue)
      .execute();
    return;
  }
  await tx
    .insertInto('notification_mute')
    .values({ tenant, account, issue })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  await dropWaiting(tx, tenant, account, issue);
}

/** Drops a person's waiting notices, of one issue or all. */
export const dropWaiting = (tx: Tx, tenant: string, account: string, issue?: string) =>
  tx
    .deleteFrom('notification')
    .where('tenant', '=', tenant)
    .where('account', '=', account)
    .where('sent', 'is', null)
    .$if(issue !== undefined, query => query.where('issue', '=', issue ?? ''))
    .execute();

/** A search finds accounts whose notices have waited for a digest longer than they should. */
const DIGEST_DUE_MINUTES = 10;
const MAX_UNSENT_ACCOUNTS = 500;

/** Accounts whose notices have waited for long, the longest wait first. */
export async function unsentAccounts(tx: Tx, tenant: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('notification')
    .innerJoin('checklist', join =>
      join.onRef('checklist.tenant', '=', 'notification.tenant').onRef('checklist.issue', '=', 'notification.issue'),
    )
    .select('notification.account')
    .where('notification.tenant', '=', tenant)
    .where('notification.sent', 'is', null)
    .where('notification.created', '<', sql<Date>`now() - make_interval(mins => ${sql.lit(DIGEST_DUE_MINUTES)})`)
    .groupBy('notification.account')
    .orderBy(sql`min(notification.created)`)
    .limit(MAX_UNSENT_ACCOUNTS)
    .execute();
  return rows.map(({ account }) => account);
}

/** Sent notices are kept so that no notice is sent twice. Waiting notices are dropped after this time. */
const NOTICE_RETENTION_DAYS = 60;

/** Deletes old notices. */
export const pruneNotices = (tx: Tx, tenant: string) =>
  tx
    .deleteFrom('notification')
    .where('tenant', '=', tenant)
    .where('created', '<', sql<Date>`now() - make_interval(days => ${sql.lit(NOTICE_RETENTION_DAYS)})`)
    .execute();

/** A person's waiting notices. Issues that the tracker recently showed to the person come first, then newer ones. */
export const loadWaiting = (tx: Tx, tenant: string, account: string): Promise<WaitingNotice[]> =>
  withNewest(tx)
    .innerJoin('notification', join =>
      join.onRef('notification.tenant', '=', 'checklist.tenant').onRef('notification.issue', '=', 'checklist.issue'),
    )
    .select(['notification.issue', 'notification.row', 'notification.kind', 'notification.due'])
    .select(['revision.text', 'revision.rows as ids', 'checklist.project', 'checklist.key'])
    .select(
      sql<boolean>`exists (select from access_grant seen where seen.tenant = ${tenant} and seen.issue = notification.issue
        and seen.account = ${account} and seen.sees = 'issue')`.as('granted'),
    )
    .select(
      sql<boolean>`exists (select from assigned_item item where item.tenant = ${tenant} and item.issue = notification.issue
        and item."row" = notification."row" and item.assigner = ${account})`.as('assigns'),
    )
    .select(
      sql<string | null>`(select item.assigner from assigned_item item where item.tenant = ${tenant}
        and item.issue = notification.issue and item."row" = notification."row" limit 1)`.as('assigner'),
    )
    .where('checklist.tenant', '=', tenant)
    .where('notification.account', '=', account)
    .where('notification.sent', 'is', null)
    .orderBy('granted', 'desc')
    .orderBy('notification.created', 'desc')
    .orderBy('notification.row')
    .limit(MAX_NOTICES)
    .execute();
