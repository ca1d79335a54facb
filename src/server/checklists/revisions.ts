import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod';
import type { Tx } from '../store/tables.ts';
import type { Base } from './types.ts';

/** Whose changes, and of which issue. */
export interface Place {
  tenant: string;
  issue: string;
}

const versionShape = z.object({
  epoch: z.string(),
  seq: z.number(),
  hash: z.string(),
  name: z.string(),
  text: z.string(),
  /** The rows' lasting ids, in the rows' order; empty where they are not known. */
  rows: z.array(z.string()),
});
/** A text that was written, and where it stands in the issue's history. */
export type Version = z.infer<typeof versionShape>;

export const conflictsShape = z.array(
  z.object({ row: z.string(), attribute: z.string(), mine: z.string(), theirs: z.string() }),
);

const revisionShape = versionShape.extend({
  account: z.string(),
  client: z.string(),
  kind: z.string(),
  conflicts: conflictsShape,
});
/** A step of the history: who did what, and what came of it. */
export type Revision = z.infer<typeof revisionShape>;

const fieldShape = z.object({ id: z.string(), text: z.string() });
/** A text field and what it was found to hold. */
export type FieldText = z.infer<typeof fieldShape>;

const intentShape = z.object({
  epoch: z.string(),
  seq: z.number(),
  hash: z.string(),
  revisions: z.array(revisionShape).min(1),
  /** Absent where the field was not looked at. */
  field: fieldShape.nullable(),
});
/** What one write of the property is about to bring, or has brought: the last revision's text. */
export type Intent = z.infer<typeof intentShape>;

const mirrorShape = z.object({
  field: z.string().nullable(),
  text: z.string().nullable(),
  behind: z.boolean(),
  notice: z.string().nullable(),
});
/** What is known of the issue's text field. */
export type Mirror = z.infer<typeof mirrorShape>;

const knownShape = z.object({
  intent: intentShape.extend({ given_up: z.boolean() }).nullable(),
  last: versionShape.nullable(),
  /** The highest number given within the epoch, 0 before the first. */
  highest: z.coerce.number(),
  mirror: mirrorShape.nullable(),
});
/** What our own tables say of an issue. */
export type Known = z.infer<typeof knownShape>;

const VERSION = ['epoch', 'seq', 'hash', 'name', 'text', 'rows'] as const;
const REVISION = [...VERSION, 'account', 'client', 'kind', 'conflicts'] as const;

const rows = (tx: Tx, { tenant, issue }: Place) =>
  tx.selectFrom('revision').where('tenant', '=', tenant).where('issue', '=', issue);

const newest = (tx: Tx, place: Place) =>
  rows(tx, place).select(VERSION).orderBy('created', 'desc').orderBy('seq', 'desc');

/** Everything that a change must know before the tracker is asked, at one go. `epoch` is the tenant's. */
export async function loadKnown(tx: Tx, place: Place, epoch: string): Promise<Known> {
  const { tenant, issue } = place;
  const intent = tx.selectFrom('intent').where('tenant', '=', tenant).where('issue', '=', issue);
  const mirror = tx.selectFrom('mirror').where('tenant', '=', tenant).where('issue', '=', issue);
  const row = await tx
    .selectNoFrom([
      jsonObjectFrom(intent.select(['epoch', 'seq', 'hash', 'revisions', 'field', 'given_up'])).as('intent'),
      jsonObjectFrom(newest(tx, place).limit(1)).as('last'),
      jsonObjectFrom(mirror.select(['field', 'text', 'behind', 'notice'])).as('mirror'),
      rows(tx, place).where('epoch', '=', epoch).select(sql<number>`coalesce(max(seq), 0)`.as('highest')).as('highest'),
    ])
    .executeTakeFirstOrThrow();
  const known = knownShape.parse(row);
  const intended = known.intent?.epoch === epoch ? known.intent.seq : 0;
  return { ...known, highest: Math.max(known.highest, intended) };
}

/** What a database can be asked for; ours are hexadecimal. */
const plain = /^[\x21-\x7e]{1,64}$/;
export const isPlain = (text: string): boolean => plain.test(text);

/** The version with this number. */
export async function versionAt(
  tx: Tx,
  place: Place,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Promise<Version | undefined> {
  if (!plain.test(epoch)) return undefined;
  const row = await rows(tx, place)
    .select(VERSION)
    .where('epoch', '=', epoch)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row && versionShape.parse(row);
}

/** The versions written last, newest first, at most so many; only those that were current within so many minutes. */
export async function recentVersions(tx: Tx, place: Place, most: number, minutes?: number): Promise<Version[]> {
  const found = await newest(tx, place)
    .select(sql<boolean>`created > now() - ${minutes ?? 0} * interval '1 minute'`.as('recent'))
    .limit(most)
    .execute();
  const old = minutes === undefined ? -1 : found.findIndex(({ recent }) => !recent);
  return z.array(versionShape).parse(old < 0 ? found : found.slice(0, old + 1));
}

/** The versions of these hashes; of several that say the same the one that a base names, else the newest. */
export async function versionsOf(tx: Tx, place: Place, bases: readonly Base[]): Promise<Version[]> {
  const asked = bases.filter(({ epoch, hash }) => plain.test(epoch) && plain.test(hash));
  const hashes = bases.map(({ hash }) => hash).filter(hash => plain.test(hash));
  if (hashes.length === 0) return [];
  const found = await rows(tx, place)
    .select(VERSION)
    .distinctOn('hash')
    .where('hash', 'in', hashes)
    .orderBy('hash')
    .orderBy(eb => eb.or(asked.map(({ epoch, seq }) => eb.and({ epoch, seq }))), 'desc')
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  return z.array(versionShape).parse(found);
}

/** Which client's change of which account. */
export interface ClientChange {
  account: string;
  client: string;
}

/** What was made of these clients' changes already. */
export async function revisionsOf(tx: Tx, place: Place, changes: readonly ClientChange[]): Promise<Revision[]> {
  if (changes.length === 0) return [];
  const found = await rows(tx, place)
    .select(REVISION)
    .where(eb => eb.or(changes.map(({ account, client }) => eb.and({ account, client }))))
    .execute();
  return z.array(revisionShape).parse(found);
}

/** To be committed before the tracker is written. Replaces one that was given up; an open one is settled first. */
export async function addIntent(tx: Tx, { tenant, issue }: Place, intent: Intent): Promise<void> {
  const { epoch, seq, hash, revisions, field } = intent;
  const values = {
    epoch,
    seq,
    hash,
    revisions: JSON.stringify(revisions),
    field: field && JSON.stringify(field),
    given_up: false,
  };
  await tx
    .insertInto('intent')
    .values({ tenant, issue, ...values })
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

/** The intent was written: it becomes history. */
export async function settleIntent(tx: Tx, { tenant, issue }: Place, { revisions }: Intent): Promise<void> {
  const values = revisions.map(({ rows, conflicts, ...revision }) => ({
    tenant,
    issue,
    ...revision,
    rows: JSON.stringify(rows),
    conflicts: JSON.stringify(conflicts),
  }));
  await tx.insertInto('revision').values(values).execute();
  await dropIntent(tx, { tenant, issue });
}
