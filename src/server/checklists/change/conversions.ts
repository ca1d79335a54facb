import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../store/tables.ts';
import type { TenantIssue } from '../revisions.ts';
import type { ChangeBase } from '../types.ts';

/** What is kept of issues that are made of items: each is made once. */

/** Whose conversion, by which id. */
export interface Who {
  account: string;
  client: string;
}

/** An item that an issue is made of: its lasting id, where it is known, and what the issue is called. */
export interface Item {
  row: string | null;
  summary: string;
}

/** For so long an issue that was asked for may still come, when the answer was lost. */
const PENDING = sql<Date>`now() - interval '60 seconds'`;
/** Younger than this the history surely tells what became of it (retention.ts). */
const RECENT = sql<Date>`now() - interval '30 days'`;

const STATE = [
  'conversion.mark',
  'conversion.key',
  'conversion.summary',
  sql<boolean>`tried is not null`.as('tried'),
  sql<boolean>`coalesce(tried > ${PENDING}, false)`.as('pending'),
] as const;

const conversion = (tx: Tx, { tenant, issue }: TenantIssue, { account, client }: Who) =>
  tx
    .updateTable('conversion')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('account', '=', account)
    .where('client', '=', client);

/** How far one has come; the first time it gets its mark. */
export const loadConversion = (tx: Tx, { tenant, issue }: TenantIssue, { account, client }: Who, item: Item) =>
  tx
    .insertInto('conversion')
    .values({ tenant, issue, account, client, mark: randomUUID(), ...item })
    .onConflict(conflict => conflict.columns(['tenant', 'issue', 'account', 'client']).doUpdateSet({ account }))
    .returning(STATE)
    .executeTakeFirstOrThrow();

export type ConversionState = Awaited<ReturnType<typeof loadConversion>>;

/**
 * Others of that row that were begun, and led to no change before that base: whoever did not hear of one asks again on
 * it, under another id.
 */
export async function unheard(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { account, client }: Who,
  { row, base }: { row: string | null; base: Pick<ChangeBase, 'epoch' | 'seq'> },
): Promise<ConversionState[]> {
  if (row === null) return [];
  const begun = await tx
    .selectFrom('conversion')
    .leftJoin('revision', join =>
      join
        .onRef('revision.tenant', '=', 'conversion.tenant')
        .onRef('revision.issue', '=', 'conversion.issue')
        .onRef('revision.account', '=', 'conversion.account')
        .onRef('revision.client', '=', 'conversion.client'),
    )
    .select(STATE)
    .select(['revision.epoch', 'revision.seq'])
    .where('conversion.tenant', '=', tenant)
    .where('conversion.issue', '=', issue)
    .where('conversion.row', '=', row)
    .where('conversion.tried', '>', RECENT)
    .where(({ eb, or }) => or([eb('conversion.account', '!=', account), eb('conversion.client', '!=', client)]))
    .orderBy('conversion.tried')
    .execute();
  return begun.filter(({ epoch, seq }) => {
    if (epoch === null || seq === null || base.epoch === '') return true;
    return epoch === base.epoch && seq > base.seq;
  });
}

/** The key of the issue that one led to. */
export async function keyBefore(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { account, client }: Who,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('conversion')
    .select('key')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('account', '=', account)
    .where('client', '=', client)
    .executeTakeFirst();
  return row?.key ?? undefined;
}

/** The tracker is asked for the issue now, or surely made none. */
export async function noteTried(tx: Tx, place: TenantIssue, who: Who, tried: boolean): Promise<void> {
  await conversion(tx, place, who)
    .set({ tried: tried ? sql<Date>`now()` : null })
    .execute();
}

export async function noteMade(tx: Tx, place: TenantIssue, who: Who, key: string): Promise<void> {
  await conversion(tx, place, who).set({ key }).execute();
}
