import { sql } from 'kysely';
import * as z from 'zod';
import { announce } from '../live/announce.ts';
import type { RevisionTable, Tx } from '../store/tables.ts';
import type { Base, ChangeOutcome, Conflict } from './types.ts';

/** Whose changes, and of which issue. */
export interface Place {
  tenant: string;
  issue: string;
}

/** A text that was written, and where it stands in the issue's history. */
export interface Version {
  epoch: string;
  seq: number;
  hash: string;
  name: string;
  text: string;
}

/** What a change is about to write, or has written. */
export interface Intent extends Version {
  account: string;
  client: string;
  kind: string;
  conflicts: Conflict[];
}

const VERSION = ['epoch', 'seq', 'hash', 'name', 'text'] as const;

const conflictsShape = z.array(
  z.object({ row: z.string(), attribute: z.string(), mine: z.string(), theirs: z.string() }),
);
const noticesShape = z.array(z.string());

const rows = (tx: Tx, { tenant, issue }: Place) =>
  tx.selectFrom('revision').where('tenant', '=', tenant).where('issue', '=', issue);

/** The version written last. */
export const latest = (tx: Tx, place: Place): Promise<Version | undefined> =>
  rows(tx, place).select(VERSION).orderBy('created', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst();

/** What a database can be asked for; ours are hexadecimal. */
const plain = /^[\x21-\x7e]{1,64}$/;

/** The text of a base, if it is one of ours. */
export async function textOf(tx: Tx, place: Place, { epoch, seq, hash }: Base): Promise<string | undefined> {
  if (!plain.test(epoch) || !plain.test(hash)) return undefined;
  const row = await rows(tx, place)
    .select('text')
    .where('epoch', '=', epoch)
    .where('seq', '=', seq)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.text;
}

/** The text of the version with this number. */
export async function textAt(tx: Tx, place: Place, { epoch, seq }: Pick<Version, 'epoch' | 'seq'>) {
  if (!plain.test(epoch)) return undefined;
  const row = await rows(tx, place).select('text').where('epoch', '=', epoch).where('seq', '=', seq).executeTakeFirst();
  return row?.text;
}

/** The highest number given within an epoch, 0 before the first. */
export async function highest(tx: Tx, place: Place, epoch: string): Promise<number> {
  const given = (table: 'revision' | 'intent') =>
    tx
      .selectFrom(table)
      .select(sql<number>`coalesce(max(seq), 0)::int`.as('seq'))
      .where('tenant', '=', place.tenant)
      .where('issue', '=', place.issue)
      .where('epoch', '=', epoch)
      .executeTakeFirstOrThrow();
  const [written, intended] = [await given('revision'), await given('intent')];
  return Math.max(written.seq, intended.seq);
}

/** What was answered to this client's change, if it was made already. */
export async function outcomeOf(
  tx: Tx,
  place: Place,
  account: string,
  client: string,
): Promise<ChangeOutcome | undefined> {
  const row = await rows(tx, place)
    .select([...VERSION, 'conflicts', 'notices'])
    .where('account', '=', account)
    .where('client', '=', client)
    .executeTakeFirst();
  if (!row) return undefined;
  const { conflicts, notices, ...version } = row;
  return {
    checklist: { issueId: place.issue, ...version, source: 'PROPERTY' },
    conflicts: conflictsShape.parse(conflicts),
    notices: noticesShape.parse(notices),
  };
}

/** The change of this issue of which it is not known whether it was written. */
export async function findIntent(tx: Tx, place: Place): Promise<Intent | undefined> {
  const row = await tx
    .selectFrom('intent')
    .selectAll()
    .where('tenant', '=', place.tenant)
    .where('issue', '=', place.issue)
    .where('given_up', '=', false)
    .executeTakeFirst();
  return row && { ...row, conflicts: conflictsShape.parse(row.conflicts) };
}

const columns = ({ tenant, issue }: Place, intent: Intent) => {
  const { account, client, kind, epoch, seq, hash, name, text, conflicts } = intent;
  const values = { tenant, issue, account, client, kind, epoch, seq, hash, name, text };
  return { ...values, conflicts: JSON.stringify(conflicts) } satisfies Omit<
    Record<keyof RevisionTable, unknown>,
    'notices' | 'created'
  >;
};

/** To be committed before the tracker is written. Replaces one that was given up; an open one is settled first. */
export async function addIntent(tx: Tx, place: Place, intent: Intent): Promise<void> {
  const values = { ...columns(place, intent), given_up: false };
  await tx
    .insertInto('intent')
    .values(values)
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet(values).where('intent.given_up', '=', true),
    )
    .execute();
}

export async function dropIntent(tx: Tx, { tenant, issue }: Place): Promise<void> {
  await tx.deleteFrom('intent').where('tenant', '=', tenant).where('issue', '=', issue).execute();
}

/** The intent was not written, as far as can be seen. */
export async function giveUpIntent(tx: Tx, { tenant, issue }: Place): Promise<void> {
  await tx
    .updateTable('intent')
    .set({ given_up: true })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
}

/** The intent was written: it becomes a revision. */
export async function settleIntent(tx: Tx, place: Place, intent: Intent): Promise<void> {
  await tx.insertInto('revision').values(columns(place, intent)).execute();
  await dropIntent(tx, place);
  await announce(tx, place.tenant, { kind: 'checklist', issue: place.issue });
}

/** Keeps what was told besides, for whoever asks again. */
export async function addNotices(tx: Tx, place: Place, { epoch, seq }: Version, notices: string[]): Promise<void> {
  await tx
    .updateTable('revision')
    .set({ notices: JSON.stringify(notices) })
    .where('tenant', '=', place.tenant)
    .where('issue', '=', place.issue)
    .where('epoch', '=', epoch)
    .where('seq', '=', seq)
    .execute();
}
