import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../store/tables.ts';
import type { Place } from './revisions.ts';

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
const UNFINISHED = sql<Date>`now() - interval '30 days'`;

const STATE = [
  'mark',
  'key',
  'summary',
  sql<boolean>`tried is not null`.as('tried'),
  sql<boolean>`coalesce(tried > ${PENDING}, false)`.as('pending'),
] as const;

const isWho = ({ account, client }: Who) => sql<boolean>`(account, client) = (${account}, ${client})`;

const conversions = (tx: Tx, { tenant, issue }: Place) =>
  tx.selectFrom('conversion').where('tenant', '=', tenant).where('issue', '=', issue);

const conversion = (tx: Tx, { tenant, issue }: Place, who: Who) =>
  tx.updateTable('conversion').where('tenant', '=', tenant).where('issue', '=', issue).where(isWho(who));

/** How far one has come; the first time it gets its mark. */
export const loadConversion = (tx: Tx, { tenant, issue }: Place, { account, client }: Who, item: Item) =>
  tx
    .insertInto('conversion')
    .values({ tenant, issue, account, client, mark: randomUUID(), ...item })
    .onConflict(conflict => conflict.columns(['tenant', 'issue', 'account', 'client']).doUpdateSet({ account }))
    .returning(STATE)
    .executeTakeFirstOrThrow();

export type ConversionState = Awaited<ReturnType<typeof loadConversion>>;

/** Others of that row that were begun and led to no change: whoever did not hear of one asks again under another id. */
export async function unfinished(tx: Tx, place: Place, who: Who, { row }: Item): Promise<ConversionState[]> {
  if (row === null) return [];
  return conversions(tx, place)
    .select(STATE)
    .where('row', '=', row)
    .where('tried', '>', UNFINISHED)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('revision')
            .select('seq')
            .whereRef('revision.tenant', '=', 'conversion.tenant')
            .whereRef('revision.issue', '=', 'conversion.issue')
            .whereRef('revision.account', '=', 'conversion.account')
            .whereRef('revision.client', '=', 'conversion.client'),
        ),
      ),
    )
    .where(({ not }) => not(isWho(who)))
    .orderBy('tried')
    .execute();
}

/** The key of the issue that one led to. */
export const keyBefore = async (tx: Tx, place: Place, who: Who): Promise<string | undefined> =>
  (await conversions(tx, place).select('key').where(isWho(who)).executeTakeFirst())?.key ?? undefined;

/** The tracker is asked for the issue now, or surely made none. */
export async function noteTried(tx: Tx, place: Place, who: Who, tried: boolean): Promise<void> {
  await conversion(tx, place, who)
    .set({ tried: tried ? sql<Date>`now()` : null })
    .execute();
}

export async function noteMade(tx: Tx, place: Place, who: Who, key: string): Promise<void> {
  await conversion(tx, place, who).set({ key }).execute();
}
