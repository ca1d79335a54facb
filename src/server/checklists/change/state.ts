import {
  type CompiledQuery,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod';
import { isInstalled, uninstalled } from '../../auth/installed.ts';
import { statement } from '../../store/statement.ts';
import type { Tables } from '../../store/tables.ts';
import {
  history,
  isPlain,
  newestFirst,
  REVISION,
  revisionShape,
  type TenantIssue,
  VERSION,
  versionShape,
  withNewest,
} from '../revisions.ts';
import type { ChangeBase, ChecklistSource } from '../types.ts';

const sources = ['PROPERTY', 'FIELD', 'REVISION', 'NONE'] as const satisfies readonly ChecklistSource[];

const copiesShape = z.object({
  /** What workflow rules read from what the property was last known to hold. */
  verdict: z.string().nullable(),
  /** Milliseconds since its last write was begun. */
  age: z.number().nullable(),
  notice: z.string().nullable(),
  /** A copy is not written by the time at which it usually is. */
  isLate: z.boolean(),
  /** The issue was read just now. */
  isRead: z.boolean(),
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
  /** The newest revisions with the hashes that the bases say. */
  hashed: z.array(versionShape),
  /** The revisions with their numbers. */
  numbered: z.array(versionShape),
  /** The latest revisions, the newest first, where a change may need more of the history. */
  recent: z.array(versionShape),
});

/** What the database knows of an issue's checklist. */
export type State = Omit<z.infer<typeof stateShape>, 'installed'>;

/** Most of the latest revisions in which the rows of a text are looked for. */
export const RECENT = 20;

/** A change that is requested. */
interface RequestedChange {
  account: string;
  client: string;
  base: ChangeBase;
  /** Of the texts whose versions are looked for: its base, and what it makes where that was read elsewhere. */
  hashes: readonly string[];
  /** It may bring rows back that its base does not have. */
  addsRows: boolean;
}

export type Requested = readonly RequestedChange[];

/** The same as lists for the database. */
interface Lists {
  accounts: string[];
  clients: string[];
  /** Of the bases. */
  epochs: string[];
  seqs: number[];
  /** Of the texts. */
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
    hashes: requested.flatMap(({ hashes }) => hashes).filter(isPlain),
    recent: requested.some(({ base, addsRows }) => addsRows || base.text !== undefined) ? RECENT : 0,
  };
}

const ONE = sql.ref<string>('pair.one');
const OTHER = sql.ref<string>('pair.other');

/**
 * The row of a query for each pair, where there is one: looked up by an index, and not by reading the issue's whole
 * history. By its columns, so that the statement is prepared (store/postgres.ts).
 */
const lookUp = <Column extends keyof Tables['revision']>(
  db: Kysely<Tables>,
  pairs: RawBuilder<unknown>,
  columns: readonly Column[],
  query: SelectQueryBuilder<Tables, 'revision', Pick<Selectable<Tables['revision']>, Column>>,
) =>
  db
    .selectFrom(pairs.as<'pair'>(sql`pair(one, other)`))
    .innerJoinLateral(query.limit(1).as('found'), join => join.onTrue())
    .select(columns.map(column => sql.ref(`found.${column}`).as(column)));

/** How long after its time a copy is late: the tracker does not answer, or no points are left for it. */
const LATE = sql`interval '15 seconds'`;
/** How long what was read of an issue is not read again for a base that is not known. */
const JUST_NOW = sql`interval '10 seconds'`;

const load = statement((db, values: TenantIssue & Lists & { own: string }) => {
  const { tenant, issue, own, accounts, clients, epochs, seqs, hashes, recent } = values;
  const place = { tenant, issue };
  const checklist = db
    .selectFrom('checklist')
    .select(['source', 'mirrored', 'project'])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
  const last = withNewest(db)
    .select(VERSION.map(column => `revision.${column}` as const))
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', '=', issue)
    .where('revision.seq', 'is not', null);
  const copies = db
    .selectFrom('sync')
    .select([
      'verdict',
      sql<string | null>`coalesce(property_notice, notice)`.as('notice'),
      sql<number>`extract(epoch from clock_timestamp() - property_written) * 1000`.as('age'),
      sql<boolean>`coalesce(property_due < now() - ${LATE}, false) or coalesce(field_due < now() - ${LATE}, false)
        or (pending_seq is not null and property_written < now() - ${LATE})`.as('isLate'),
      sql<boolean>`coalesce(read_at > now() - ${JUST_NOW}, false)`.as('isRead'),
    ])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
  const revisions = history(db, place);
  const applied = lookUp(
    db,
    sql`unnest(${accounts}::text[], ${clients}::text[])`,
    REVISION,
    revisions.select(REVISION).where('account', '=', ONE).where('client', '=', OTHER),
  );
  const hashed = lookUp(
    db,
    sql`unnest(${hashes}::text[], ${hashes}::text[])`,
    VERSION,
    newestFirst(db, place).where('hash', '=', ONE),
  );
  const numbered = lookUp(
    db,
    sql`unnest(${epochs}::text[], ${seqs}::integer[])`,
    VERSION,
    revisions.select(VERSION).where('epoch', '=', ONE).where('seq', '=', sql.ref<number>('pair.other')),
  );
  return db.selectNoFrom([
    isInstalled({ id: tenant, epoch: own }).as('installed'),
    jsonObjectFrom(checklist).as('checklist'),
    jsonObjectFrom(last).as('last'),
    jsonObjectFrom(copies).as('copies'),
    jsonArrayFrom(applied).as('applied'),
    jsonArrayFrom(hashed).as('hashed'),
    jsonArrayFrom(numbered).as('numbered'),
    jsonArrayFrom(newestFirst(db, place).limit(recent)).as('recent'),
  ]);
});

/** All of it in one statement. `own` is the tenant's epoch. */
export const loadState = (place: TenantIssue, own: string, requested: Requested = []): CompiledQuery<unknown> =>
  load({ ...place, own, ...listsOf(requested) });

/** Its row. Throws `Unauthorized` where that installation is gone. */
export function readState(row: unknown): State {
  const { installed, ...state } = stateShape.parse(row);
  if (!installed) throw uninstalled();
  return state;
}

/** Locks the checklist until the end of the transaction. */
export const lockChecklist = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('checklist').select('seq').where('tenant', '=', tenant).where('issue', '=', issue).forUpdate(),
);
