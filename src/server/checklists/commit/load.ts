import {
  type CompiledQuery,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { isInstalled, uninstalled } from '../../access/installed.ts';
import { statement } from '../../store/statement.ts';
import type { Tables } from '../../store/tables.ts';
import { type KeysOfProposal, MAX_RECENT, type State, stateShape } from '../decide/state.ts';
import {
  hasConflicts,
  history,
  isPlain,
  newestFirst,
  REVISION_COLUMNS,
  type TenantIssue,
  VERSION_COLUMNS,
  withNewest,
} from '../read/revisions.ts';
import type { Site } from '../service/site.ts';
import { isFieldOld, isPropertyOld } from './due.ts';

/** The keys as lists of query parameters, without those that no revision has. */
function listsOf(keys: readonly KeysOfProposal[]) {
  const bases = keys.map(({ base }) => base).filter(({ epoch, hash }) => isPlain(epoch || '-') && isPlain(hash));
  return {
    accounts: keys.map(({ account }) => account),
    clients: keys.map(({ clientId }) => clientId),
    epochs: bases.map(({ epoch }) => epoch),
    seqs: bases.map(({ seq }) => seq),
    hashes: keys.flatMap(({ hashes }) => hashes).filter(isPlain),
    recent: Math.max(0, ...keys.map(({ recent }) => recent)),
    since: Math.min(...keys.map(({ base }) => base.seq), MAX_SEQ),
  };
}

/** The tenant's outgoing webhooks that are on, as JSON; part of the statement that loads a checklist's state. */
const calledWebhooks = (db: Kysely<Tables>, tenant: string) =>
  jsonArrayFrom(
    db
      .selectFrom('webhook')
      .select(['id', 'events', 'projects', 'with_text', 'automated'])
      .where('tenant', '=', tenant)
      .where('direction', '=', 'OUTGOING')
      .where('enabled', '=', true),
  );

const PAIR_ONE = sql.ref<string>('pair.one');
const PAIR_OTHER = sql.ref<string>('pair.other');

/**
 * The first row of a query for each pair, by an index instead of a scan of the issue's history. Names its columns, so that
 * the statement can be prepared (store/postgres.ts).
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

/** The time after which a write has no answer, and in which each copy is written: the tracker does not answer, or its quota is used up. */
const ANSWER_TIME = sql`interval '15 seconds'`;
const PROPERTY_TIME = sql`interval '25 seconds'`;
const FIELD_TIME = sql`interval '45 seconds'`;
/** Why a copy is refused, for the panel's line. Users change nothing about a field that is not on the screen. */
export const refusedNotice = sql<string | null>`case when property_refused is not null then property_notice
  when field_refused <> 'screen' then field_notice end`;
/** Whether a revision that a copy lacks is older than a time; the newest one, if the copy holds none of its epoch. */
const hasOlder = (time: RawBuilder<unknown>, copy: 'confirmed' | 'field') => sql`exists (
  select from revision r where r.tenant = checklist.tenant and r.issue = checklist.issue and r.epoch = checklist.epoch
    and r.seq > case when sync.${sql.ref(`${copy}_epoch`)} = checklist.epoch then sync.${sql.ref(`${copy}_seq`)}
      else checklist.seq - 1 end
    and r.created < now() - ${time})`;
/** The time for which an issue is not read again for an unknown base. */
const READ_PAUSE = sql`interval '10 seconds'`;

/** Greater than each number of a revision: a 32-bit integer. */
const MAX_SEQ = 2 ** 31 - 1;

const load = statement((db, values: TenantIssue & ReturnType<typeof listsOf> & { own: string }) => {
  const { tenant, issue, own, accounts, clients, epochs, seqs, hashes, recent, since } = values;
  const place = { tenant, issue };
  const checklist = db
    .selectFrom('checklist')
    .select(['source', 'mirrored', 'project'])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
  const last = withNewest(db)
    .select(VERSION_COLUMNS.map(column => `revision.${column}` as const))
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', '=', issue)
    .where('revision.seq', 'is not', null);
  const copies = db
    .selectFrom('sync')
    .innerJoin('checklist', join =>
      join.onRef('checklist.tenant', '=', 'sync.tenant').onRef('checklist.issue', '=', 'sync.issue'),
    )
    .select([
      'verdict',
      sql<string | null>`coalesce(property_notice, field_notice)`.as('notice'),
      refusedNotice.as('refused'),
      sql<number>`extract(epoch from clock_timestamp() - property_written) * 1000`.as('age'),
      sql<boolean>`mirrored and (${isPropertyOld} and ${hasOlder(PROPERTY_TIME, 'confirmed')}
        or field_refused is null and ${isFieldOld} and ${hasOlder(FIELD_TIME, 'field')}
        or (pending_seq is not null and property_written < now() - ${ANSWER_TIME}))`.as('isOverdue'),
      sql<boolean>`field_seq is not null or field_wanted`.as('isFieldKnown'),
      sql<boolean>`coalesce(read_at > now() - ${READ_PAUSE}, false)`.as('isRead'),
    ])
    .where('sync.tenant', '=', tenant)
    .where('sync.issue', '=', issue);
  const newer = db
    .selectFrom('checklist')
    .select(sql<number>`least(seq - ${since}::integer, ${sql.lit(MAX_RECENT)})`.as('count'))
    .where('tenant', '=', tenant)
    .where('issue', '=', issue);
  const revisions = history(db, place);
  const conflictSeq = revisions
    .select(({ fn }) => fn.coalesce(fn.max('seq'), sql<number>`0`).as('seq'))
    .where(
      'epoch',
      '=',
      db.selectFrom('checklist').select('epoch').where('tenant', '=', tenant).where('issue', '=', issue),
    )
    .where(hasConflicts);
  const applied = lookUp(
    db,
    sql`unnest(${accounts}::text[], ${clients}::text[])`,
    REVISION_COLUMNS,
    revisions.select(REVISION_COLUMNS).where('account', '=', PAIR_ONE).where('client', '=', PAIR_OTHER),
  );
  const hashed = lookUp(
    db,
    sql`unnest(${hashes}::text[], ${hashes}::text[])`,
    VERSION_COLUMNS,
    newestFirst(db, place).where('hash', '=', PAIR_ONE),
  );
  const numbered = lookUp(
    db,
    sql`unnest(${epochs}::text[], ${seqs}::integer[])`,
    VERSION_COLUMNS,
    revisions.select(VERSION_COLUMNS).where('epoch', '=', PAIR_ONE).where('seq', '=', sql.ref<number>('pair.other')),
  );
  return db.selectNoFrom([
    isInstalled({ id: tenant, epoch: own }).as('installed'),
    jsonObjectFrom(checklist).as('checklist'),
    jsonObjectFrom(last).as('last'),
    conflictSeq.as('conflictSeq'),
    jsonObjectFrom(copies).as('copies'),
    jsonArrayFrom(applied).as('applied'),
    jsonArrayFrom(hashed).as('hashed'),
    jsonArrayFrom(numbered).as('numbered'),
    jsonArrayFrom(
      newestFirst(db, place).select('account').limit(sql<number>`greatest(${recent}::integer, ${newer})`),
    ).as('recent'),
    calledWebhooks(db, tenant).as('webhooks'),
  ]);
});

/** Loads the state in one statement. `own` is the tenant's epoch. */
export const loadState = (
  place: TenantIssue,
  own: string,
  keys: readonly KeysOfProposal[] = [],
): CompiledQuery<unknown> => load({ ...place, own, ...listsOf(keys) });

const loadedShape = v.object({ ...stateShape.entries, installed: v.boolean() });

/** Parses the loaded row. Throws `Unauthorized` if the installation no longer exists. */
export function readState(row: unknown): State {
  const { installed, ...state } = parseAs(loadedShape, row);
  if (!installed) throw uninstalled();
  return state;
}

/** Loads the state without a lock. */
export async function stateOf(
  { store, tenant }: Pick<Site, 'store' | 'tenant'>,
  place: TenantIssue,
  keys: readonly KeysOfProposal[] = [],
): Promise<State> {
  const [loaded] = await store.batch(tenant.id, [loadState(place, tenant.epoch, keys)]);
  return readState(loaded.rows[0]);
}

/** Locks the checklist until the end of the transaction. */
export const lockChecklist = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('checklist').select('seq').where('tenant', '=', tenant).where('issue', '=', issue).forUpdate(),
);
