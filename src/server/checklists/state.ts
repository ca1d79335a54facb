import { type CompiledQuery, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod';
import { statement } from '../store/statement.ts';
import { isInstalled, uninstalled } from './installed.ts';
import { history, isPlain, newest, type Place, REVISION, revisionShape, versionShape } from './revisions.ts';
import type { Base, ChecklistSource } from './types.ts';

const sources = ['PROPERTY', 'FIELD', 'REVISION', 'NONE'] as const satisfies readonly ChecklistSource[];

const copiesShape = z.object({
  /** What workflow rules read from the property's last write. */
  verdict: z.string().nullable(),
  /** Milliseconds since that write was begun. */
  age: z.number().nullable(),
  notice: z.string().nullable(),
  /** A copy is not written by the time at which it usually is. */
  isLate: z.boolean(),
});
/** The tracker's copies of a checklist, as far as changes and readers need to know. */
export type Copies = z.infer<typeof copiesShape>;

const stateShape = z.object({
  installed: z.boolean(),
  /** `null` where the issue was never adopted. */
  checklist: z.object({ source: z.enum(sources), mirrored: z.boolean(), project: z.string().nullable() }).nullable(),
  /** The newest revision, `null` where there is none. */
  last: versionShape.nullable(),
  copies: copiesShape.nullable(),
  /** Those of the requested changes that were applied before. */
  applied: z.array(revisionShape),
  /** The revisions that they start from, and those that have the numbers of which they say so. */
  bases: z.array(versionShape),
  /** The latest revisions, the newest first, where a change may need more of the history. */
  recent: z.array(versionShape),
});

/** What the database knows of an issue's checklist. */
export type State = Omit<z.infer<typeof stateShape>, 'installed'>;

/** Most of the latest revisions in which the rows of a text are looked for. */
export const RECENT = 20;

/** Which changes are requested, on which bases, and whether they may bring rows back that none of those has. */
export type Requested = readonly { account: string; client: string; base: Base; addsRows: boolean }[];

/** The same as lists for the database. */
interface Lists {
  accounts: string[];
  clients: string[];
  /** Of the bases. */
  epochs: string[];
  seqs: number[];
  hashes: string[];
  /** How many of the latest revisions are read. */
  recent: number;
}

function listsOf(requested: Requested): Lists {
  const bases = requested.map(({ base }) => base).filter(({ epoch, hash }) => isPlain(epoch || '-') && isPlain(hash));
  return {
    accounts: requested.map(({ account }) => account),
    clients: requested.map(({ client }) => client),
    epochs: bases.map(({ epoch }) => epoch),
    seqs: bases.map(({ seq }) => seq),
    hashes: bases.map(({ hash }) => hash),
    recent: requested.some(({ base, addsRows }) => addsRows || base.text !== undefined) ? RECENT : 0,
  };
}

/** Names that go with others of the same place; by their columns, so that the statement is prepared (store/postgres.ts). */
const pairs = (ones: readonly string[], others: readonly unknown[], type: 'text' | 'integer') =>
  sql`select one, other from unnest(${ones}::text[], ${others}::${sql.raw(type)}[]) as pair(one, other)`;

/** How long after its time a copy is late: the tracker does not answer, or no points are left for it. */
const LATE = sql`interval '15 seconds'`;

const load = statement((db, values: Place & Lists & { own: string }) => {
  const { tenant, issue, own, accounts, clients, epochs, seqs, hashes, recent } = values;
  const place = { tenant, issue };
  const checklist = db
    .selectFrom('checklist')
    .select(['source', 'mirrored', 'project'])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
  const last = db
    .selectFrom('checklist')
    .innerJoin('revision', join =>
      join
        .onRef('revision.tenant', '=', 'checklist.tenant')
        .onRef('revision.issue', '=', 'checklist.issue')
        .onRef('revision.epoch', '=', 'checklist.epoch')
        .onRef('revision.seq', '=', 'checklist.seq'),
    )
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', '=', issue)
    .select(['revision.epoch', 'revision.seq', 'hash', 'name', 'text', 'rows']);
  const copies = db
    .selectFrom('sync')
    .select([
      'verdict',
      sql<string | null>`coalesce(property_notice, notice)`.as('notice'),
      sql<number>`extract(epoch from clock_timestamp() - property_written) * 1000`.as('age'),
      sql<boolean>`coalesce(property_due < now() - ${LATE}, false) or coalesce(field_due < now() - ${LATE}, false)
        or (pending_seq is not null and property_written < now() - ${LATE})`.as('isLate'),
    ])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
  const applied = history(db, place)
    .select(REVISION)
    .where(sql<boolean>`(account, client) in (${pairs(accounts, clients, 'text')})`);
  // Of several that say the same the one that a base names, else the newest.
  const bases = history(db, place)
    .select(['epoch', 'seq', 'hash', 'name', 'text', 'rows'])
    .distinctOn('hash')
    .where(sql<boolean>`(hash = any(${hashes}::text[]) or (epoch, seq) in (${pairs(epochs, seqs, 'integer')}))`)
    .orderBy('hash')
    .orderBy(sql`(epoch, seq) in (${pairs(epochs, seqs, 'integer')})`, 'desc')
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc');
  return db.selectNoFrom([
    isInstalled({ id: tenant, epoch: own }).as('installed'),
    jsonObjectFrom(checklist).as('checklist'),
    jsonObjectFrom(last).as('last'),
    jsonObjectFrom(copies).as('copies'),
    jsonArrayFrom(applied).as('applied'),
    jsonArrayFrom(bases).as('bases'),
    jsonArrayFrom(newest(db, place).limit(recent)).as('recent'),
  ]);
});

/** All of it in one statement. `own` is the tenant's epoch. */
export const loadState = (place: Place, own: string, requested: Requested = []): CompiledQuery<unknown> =>
  load({ ...place, own, ...listsOf(requested) });

/** Its row. Throws `Unauthorized` where that installation is gone. */
export function readState(row: unknown): State {
  const { installed, ...state } = stateShape.parse(row);
  if (!installed) throw uninstalled();
  return state;
}

/** Locks the checklist until the end of the transaction. */
export const lockChecklist = statement((db, { tenant, issue }: Place) =>
  db.selectFrom('checklist').select('seq').where('tenant', '=', tenant).where('issue', '=', issue).forUpdate(),
);
