import { sql } from 'kysely';
import { isZone } from '../../../domain/automation/notifications.ts';
import { authorPrefixes } from '../../../domain/person.ts';
import { ACCOUNT_ID } from '../../checklists/decide/row-events.ts';
import type { Tx } from '../../store/tables.ts';

/** The hour from which on the day's notices are sent, in the person's zone. */
const MORNING_HOUR = 8;
/**
 * Items that are overdue for longer cause no notice, so that an old checklist that comes to the app causes no flood.
 */
const NEWLY_OVERDUE_DAYS = 7;
/** The zone of a site if no person's zone is known. */
const DEFAULT_ZONE = 'UTC';

const DAY_MS = 86_400_000;
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day and hour of a time in a zone. */
export function localDay(now: number, zone: string): { day: string; hour: number } {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: isZone(zone) ? zone : DEFAULT_ZONE,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
  }).formatToParts(now);
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? '';
  return { day: `${of('year')}-${of('month')}-${of('day')}`, hour: Number(of('hour')) };
}

/** The zones of a tenant's people, the most common first. */
async function zonesOf(tx: Tx, tenant: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('person')
    .select('zone')
    .where('tenant', '=', tenant)
    .where('zone', 'is not', null)
    .groupBy('zone')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('zone')
    .execute();
  return rows.flatMap(({ zone }) => zone ?? []);
}

/** The zone of people without a known one: that of most people of the site. */
export const usualZone = async (tx: Tx, tenant: string): Promise<string> =>
  (await zonesOf(tx, tenant))[0] ?? DEFAULT_ZONE;

interface Found {
  account: string;
}

/**
 * Stores a notice of each open item that is due tomorrow, or has become overdue, each once: for its assignee, and for
 * the account that assigned it and wants to know of such items. A person without a known zone has the site's, which is
 * that of most people. Resolves with the accounts that have new notices, in their order.
 */
export async function findDue(tx: Tx, tenant: string, now: number): Promise<string[]> {
  const zones = await zonesOf(tx, tenant);
  const usual = zones[0] ?? DEFAULT_ZONE;
  const open = [...new Set([...zones, usual])].flatMap(zone => {
    const { day, hour } = localDay(now, zone);
    if (hour < MORNING_HOUR) return [];
    const begin = Date.parse(day);
    return [{ zone, today: day, tomorrow: isoDay(begin + DAY_MS), since: isoDay(begin - NEWLY_OVERDUE_DAYS * DAY_MS) }];
  });
  if (open.length === 0) return [];
  const { rows } = await sql<Found>`
    with day as (
      select * from jsonb_to_recordset(${JSON.stringify(open)}::jsonb) as day(zone text, today text, tomorrow text, since text)
    ), concerned as (
      select item.issue, item."row", item.due, item.account from assigned_item item
        where item.tenant = ${tenant} and not item.checked and item.due is not null and item."row" is not null
      union
      select item.issue, item."row", item.due, item.assigner from assigned_item item
        join person on person.tenant = ${tenant} and person.account = item.assigner and person.notify = 'ALL'
        where item.tenant = ${tenant} and not item.checked and item.due is not null and item."row" is not null
    ), added as (
      insert into notification (tenant, account, issue, "row", kind, due)
      select ${tenant}, concerned.account, concerned.issue, concerned."row",
        case when concerned.due = day.tomorrow then 'DUE_TOMORROW' else 'OVERDUE' end, concerned.due
      from concerned
      left join person on person.tenant = ${tenant} and person.account = concerned.account
      join day on day.zone = coalesce(person.zone, ${usual}::text)
      where (concerned.due = day.tomorrow or (concerned.due < day.today and concerned.due >= day.since))
        and concerned.account ~ ${ACCOUNT_ID}
        and not exists (select from unnest(${[...authorPrefixes]}::text[]) prefix where starts_with(concerned.account, prefix))
        and person.notify is distinct from 'OFF'
        and not exists (select from notification_mute mute where mute.tenant = ${tenant} and mute.issue = concerned.issue
          and mute.account = concerned.account)
      on conflict do nothing
      returning account
    )
    select distinct account from added order by account`.execute(tx);
  return rows.map(({ account }) => account);
}
