import { type CompiledQuery, type Kysely, sql } from 'kysely';
import * as z from 'zod';
import { statement } from '../store/statement.ts';
import type { Tables, Tx } from '../store/tables.ts';
import { noteTemplateUses, templateUses } from '../templates/uses.ts';

/** Whose changes, and of which issue. */
export interface Place {
  tenant: string;
  issue: string;
}

export const versionShape = z.object({
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

export const revisionShape = versionShape.extend({
  account: z.string(),
  client: z.string(),
  kind: z.string(),
  conflicts: conflictsShape,
  /** What it means for the templates that the issue carries, until it is history. */
  uses: templateUses.optional(),
});
/** A step of the history: who did what, and what came of it. */
export type Revision = z.infer<typeof revisionShape>;

const fieldShape = z.object({ id: z.string(), text: z.string() });
/** A text field and what it was found to hold. */
export type FieldText = z.infer<typeof fieldShape>;

export const intentShape = z.object({
  epoch: z.string(),
  seq: z.number(),
  hash: z.string(),
  revisions: z.array(revisionShape).min(1),
  /** Absent where the field was not looked at. */
  field: fieldShape.nullable(),
  /** Somebody's text in the property, which is part of the revisions. */
  found: z.string().nullable(),
  /** What he had started from, where that is known. */
  found_base: z.string().nullable(),
});
/** What one write of the property is about to bring, or has brought: the last revision's text. */
export type Intent = z.infer<typeof intentShape>;

const VERSION = ['epoch', 'seq', 'hash', 'name', 'text', 'rows'] as const;
export const REVISION = [...VERSION, 'account', 'client', 'kind', 'conflicts'] as const;

/** The issue's history. */
export const history = (db: Kysely<Tables>, { tenant, issue }: Place) =>
  db.selectFrom('revision').where('tenant', '=', tenant).where('issue', '=', issue);

/** Whether we ever wrote the issue. */
export const isOurs = async (tx: Tx, place: Place): Promise<boolean> =>
  (await history(tx, place).select('seq').limit(1).executeTakeFirst()) !== undefined;

/** What an issue's history has of what the edition before this one stored. */
export interface Past {
  /** Whether there is a history. */
  ours: boolean;
  /** Whether that came in. */
  inherited: boolean;
}

export async function pastOf(tx: Tx, place: Place): Promise<Past> {
  const inherited = sql<boolean>`coalesce(bool_or(kind = 'inherited'), false)`.as('inherited');
  const ours = sql<boolean>`count(*) > 0`.as('ours');
  return history(tx, place).select([ours, inherited]).executeTakeFirstOrThrow();
}

/** The versions, newest first. */
export const newest = (db: Kysely<Tables>, place: Place) =>
  history(db, place).select(VERSION).orderBy('created', 'desc').orderBy('seq', 'desc');

/** Whether a database can be asked for it; ours are hexadecimal. */
export const isPlain = (mark: string): boolean => /^[\x21-\x7e]{1,64}$/.test(mark);

/** The version with this number. */
export async function versionAt(
  tx: Tx,
  place: Place,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Promise<Version | undefined> {
  if (!isPlain(epoch)) return undefined;
  const row = await history(tx, place)
    .select(VERSION)
    .where('epoch', '=', epoch)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row && versionShape.parse(row);
}

/** Most of the latest versions that are looked through where nothing says when something was there. */
export const EVER = 200;

/** The versions written last, newest first, at most so many; only those that were current within so many minutes. */
export async function recentVersions(tx: Tx, place: Place, most: number, minutes?: number): Promise<Version[]> {
  const found = await newest(tx, place)
    .select(sql<boolean>`created > now() - ${minutes ?? 0} * interval '1 minute'`.as('recent'))
    .limit(most)
    .execute();
  const old = minutes === undefined ? -1 : found.findIndex(({ recent }) => !recent);
  return z.array(versionShape).parse(old < 0 ? found : found.slice(0, old + 1));
}

type IntentRow = Omit<Intent, 'revisions' | 'field'> & { revisions: string; field: string | null };
const intend = statement((db, row: Place & IntentRow) => {
  const { tenant, issue, epoch, seq, hash, revisions, field, found, found_base } = row;
  const values = { epoch, seq, hash, revisions, field, found, found_base, given_up: false };
  return db
    .insertInto('intent')
    .values({ tenant, issue, ...values })
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet(values).where('intent.given_up', '=', true),
    );
});

/** To be committed before the tracker is written. Replaces one that was given up; an open one is settled first. */
export const addIntent = (place: Place, { revisions, field, ...intent }: Intent): CompiledQuery<unknown> =>
  intend({
    ...place,
    ...intent,
    revisions: JSON.stringify(revisions),
    field: field && JSON.stringify(field),
  });

const dropIntent = statement((db, { tenant, issue }: Place) =>
  db.deleteFrom('intent').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** The intent was not written, as far as can be seen. */
export const giveUpIntent = statement((db, { tenant, issue }: Place) =>
  db.updateTable('intent').set({ given_up: true }).where('tenant', '=', tenant).where('issue', '=', issue),
);

type RevisionRow = Omit<Revision, 'rows' | 'conflicts' | 'uses'> & { rows: string; conflicts: string };
const addRevision = statement((db, row: Place & RevisionRow) => {
  const { tenant, issue, epoch, seq, hash, name, text, rows, account, client, kind, conflicts } = row;
  const values = { tenant, issue, epoch, seq, hash, name, text, rows, account, client, kind, conflicts };
  return db.insertInto('revision').values(values);
});

/** The intent was written: it becomes history. */
export const settleIntent = (place: Place, { revisions }: Intent): CompiledQuery<unknown>[] => [
  ...revisions.flatMap(({ rows, conflicts, uses, ...revision }) => [
    addRevision({ ...place, ...revision, rows: JSON.stringify(rows), conflicts: JSON.stringify(conflicts) }),
    ...(uses ? noteTemplateUses(place, uses) : []),
  ]),
  dropIntent(place),
];
