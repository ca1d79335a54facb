import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { MadeIssue } from '../../platform/tracker/create.ts';
import type { Tx } from '../../store/tables.ts';
import type { ItemToConvert } from '../decide/types.ts';
import type { TenantIssue } from '../revisions.ts';
import type { ChangeBase } from '../types.ts';

/** Stores the conversions of items to issues, so that each issue is created once. */

/** The account and client id of a conversion. */
export interface Who {
  account: string;
  client: string;
}

/** An item to convert, and whether it is completed with the issue. */
export interface Item extends ItemToConvert {
  follows: boolean;
}

/** Later than this, an issue whose creation has no answer may still appear. */
const PENDING_SINCE = sql<Date>`now() - interval '60 seconds'`;
/** Later than this, the history surely holds a conversion's revision (retention.ts). */
const STORED_SINCE = sql<Date>`now() - interval '30 days'`;

const STATE = [
  'conversion.mark',
  'conversion.key',
  'conversion.made',
  'conversion.summary',
  sql<boolean>`tried is not null`.as('tried'),
  sql<boolean>`coalesce(tried > ${PENDING_SINCE}, false)`.as('pending'),
] as const;

const conversion = (tx: Tx, { tenant, issue }: TenantIssue, { account, client }: Who) =>
  tx
    .updateTable('conversion')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('account', '=', account)
    .where('client', '=', client);

/** Loads the state of a conversion, or stores a new one with its mark. */
export const loadConversion = (tx: Tx, { tenant, issue }: TenantIssue, { account, client }: Who, item: Item) =>
  tx
    .insertInto('conversion')
    .values({ tenant, issue, account, client, mark: randomUUID(), ...item })
    .onConflict(conflict => conflict.columns(['tenant', 'issue', 'account', 'client']).doUpdateSet({ account }))
    .returning(STATE)
    .executeTakeFirstOrThrow();

export type ConversionState = Awaited<ReturnType<typeof loadConversion>>;

/**
 * Other conversions of the row that the base does not include: after a lost answer a browser may repeat the conversion
 * under another client id.
 */
export async function conversionsAfter(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { account, client }: Who,
  { row, base }: { row: string | null; base: Pick<ChangeBase, 'epoch' | 'seq'> },
): Promise<ConversionState[]> {
  if (row === null) return [];
  const started = await tx
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
    .where('conversion.tried', '>', STORED_SINCE)
    .where(({ eb, or }) => or([eb('conversion.account', '!=', account), eb('conversion.client', '!=', client)]))
    .orderBy('conversion.tried')
    .execute();
  return started.filter(({ epoch, seq }) => {
    if (epoch === null || seq === null || base.epoch === '') return true;
    return epoch === base.epoch && seq > base.seq;
  });
}

/** The key of the issue that a conversion created. */
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

/** Stores that the tracker gets the request now, or that it surely created no issue. */
export async function noteTried(tx: Tx, place: TenantIssue, who: Who, tried: boolean): Promise<void> {
  await conversion(tx, place, who)
    .set({ tried: tried ? sql<Date>`now()` : null })
    .execute();
}

export async function noteMade(tx: Tx, place: TenantIssue, who: Who, { id, key }: MadeIssue): Promise<void> {
  await conversion(tx, place, who).set({ key, made: id }).execute();
}

/** An issue that an item was converted to, and whether the item follows it. */
export interface ConvertedIssue {
  issueKey: string;
  follows: boolean;
}

/** The issues that items of a checklist were converted to. */
export async function convertedIssues(tx: Tx, { tenant, issue }: TenantIssue): Promise<ConvertedIssue[]> {
  const rows = await tx
    .selectFrom('conversion')
    .select(({ fn }) => ['key', fn<boolean>('bool_or', ['follows']).as('follows')])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('key', 'is not', null)
    .groupBy('key')
    .orderBy('key')
    .execute();
  return rows.flatMap(({ key, follows }) => (key === null ? [] : { issueKey: key, follows }));
}

/**
 * Stores whether the item follows its issue, whose state then has to be read. Resolves with whether an item was converted
 * to that issue.
 */
export async function setFollowing(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { issueKey, follows }: ConvertedIssue,
): Promise<boolean> {
  const rows = await tx
    .updateTable('conversion')
    .set({ follows, reported: follows ? null : eb => eb.ref('applied') })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('key', '=', issueKey)
    .returning('key')
    .execute();
  return rows.length > 0;
}
