import { type CompiledQuery, sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { isFieldDue, isPropertyDue, isScheduled } from '../../checklists/commit/due.ts';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import type { Position } from '../../checklists/service/types.ts';
import { demand, isUnmet } from '../../store/demand.ts';
import { statement } from '../../store/statement.ts';
import type { Refusal } from '../refusals.ts';
import { type CopyState, isDue, type KnownCopies, refusalIn } from '../state.ts';

/** A synchronisation run of one issue. A later run has another fencing token. */
export interface Run extends TenantIssue {
  fence: number;
}

export type Database = Parameters<Parameters<typeof statement>[0]>[0];

const seenShape = v.object({ epoch: v.string(), seq: v.number(), name: v.string(), text: v.string() });
/** The newest entry of the changelog that was read, by its id; an unreadable one counts as unknown. */
export const cursorShape = v.fallback(v.nullable(v.pipe(v.string(), v.digits(), v.toNumber(), v.safeInteger())), null);

const text = v.nullable(v.string());
const count = v.nullable(v.number());
const time = v.nullable(v.date());
/** The columns of the copies' states, which runs alone change. */
const stateShape = {
  ...{ confirmed_epoch: text, confirmed_seq: count, pending_epoch: text, pending_seq: count },
  // Unreadable, it is read from the tracker again.
  property_seen: v.fallback(v.nullable(seenShape), null),
  ...{ property_print: text, property_registry: text, verdict: text, watch: text },
  ...{ swaps: v.number(), contended: v.boolean() },
  ...{ property_notice: text, property_refused: text, property_tries: v.number(), property_retry: time },
  ...{ field: text, field_text: text, field_unread: v.boolean(), field_pending: text, cursor: cursorShape },
  ...{ field_epoch: text, field_seq: count },
  ...{ field_notice: text, field_refused: text, field_tries: v.number(), field_retry: time },
};
type StateColumn = keyof typeof stateShape;
const stateColumns = Object.keys(stateShape) as StateColumn[];

const copiesShape = v.object({
  ...{ fence: v.number(), hints: v.number() },
  // An unreadable one counts as an unknown account.
  actors: v.array(v.fallback(v.string(), '')),
  ...stateShape,
  ...{ isUnread: v.boolean(), isPropertyDue: v.boolean(), isFieldDue: v.boolean(), isMissing: v.boolean() },
  ...{ isPropertyScheduled: v.boolean(), isFieldScheduled: v.boolean(), now: v.date() },
});

/** Some of an issue's copies. */
export interface Writes {
  property: boolean;
  field: boolean;
}

/** The stored state of the tracker's copies of an issue. */
export interface Copies extends KnownCopies {
  fence: number;
  /** Number of hints of foreign changes, and the accounts that events named since the last read. */
  hints: number;
  actors: string[];
  /** There are hints that were not read. */
  isUnread: boolean;
  isMissing: boolean;
  /** Copies that have a job of their own, which writes them at its time. */
  scheduled: Writes;
  /** The database's time at the claim. */
  now: Date;
}

const COPIES_COLUMNS = [
  ...(['sync.fence', 'sync.hints', 'sync.actors'] as const),
  ...stateColumns.map(name => `sync.${name}` as const),
  sql<boolean>`sync.hints > sync.hints_read`.as('isUnread'),
  isPropertyDue.as('isPropertyDue'),
  isFieldDue.as('isFieldDue'),
  sql<boolean>`sync.missing is not null`.as('isMissing'),
  isScheduled('write-property').as('isPropertyScheduled'),
  isScheduled('write-field').as('isFieldScheduled'),
  sql<Date>`clock_timestamp()`.as('now'),
] as const;

/** Claims an issue's copies for a run. Returns a row for `readCopies`; none for an unknown issue. */
export const claimCopies = statement((db, { tenant, issue }: TenantIssue) =>
  db
    .updateTable('sync')
    .from('checklist')
    .set({ fence: sql<number>`sync.fence + 1` })
    .where('sync.tenant', '=', tenant)
    .where('sync.issue', '=', issue)
    .whereRef('checklist.tenant', '=', 'sync.tenant')
    .whereRef('checklist.issue', '=', 'sync.issue')
    .returning(COPIES_COLUMNS),
);
/** Loads the copies without claiming them. */
export const loadCopies = statement((db, { tenant, issue }: TenantIssue) =>
  db
    .selectFrom('sync')
    .innerJoin('checklist', join =>
      join.onRef('checklist.tenant', '=', 'sync.tenant').onRef('checklist.issue', '=', 'sync.issue'),
    )
    .select(COPIES_COLUMNS)
    .where('sync.tenant', '=', tenant)
    .where('sync.issue', '=', issue),
);

const positionOf = (epoch: string | null, seq: number | null): Position | null =>
  epoch === null || seq === null ? null : { epoch, seq };

const refusalOf = (reason: string | null, tries: number, retry: Date | null): Refusal | undefined =>
  reason === null ? undefined : { reason, tries, retry: retry ?? new Date(0) };

function stateOf<Write>(write: Write | null, refusal: Refusal | undefined, isWanted: boolean): CopyState<Write> {
  if (write !== null) return { name: 'pending', write, refusal };
  if (refusal) return { name: 'refused', refusal };
  return isWanted ? { name: 'due' } : { name: 'settled' };
}

/** Reads a row of `claimCopies` or `loadCopies`. */
export function readCopies(row: unknown): Copies | undefined {
  if (row === undefined) return undefined;
  const stored = parseAs(copiesShape, row);
  const { fence, hints, actors, isUnread, isMissing, now } = stored;
  const ofProperty = refusalOf(stored.property_refused, stored.property_tries, stored.property_retry);
  const ofField = refusalOf(stored.field_refused, stored.field_tries, stored.field_retry);
  return {
    ...{ fence, hints, actors, isUnread, isMissing, now },
    scheduled: { property: stored.isPropertyScheduled, field: stored.isFieldScheduled },
    property: {
      state: stateOf(positionOf(stored.pending_epoch, stored.pending_seq), ofProperty, stored.isPropertyDue),
      confirmed: positionOf(stored.confirmed_epoch, stored.confirmed_seq),
      ...{ seen: stored.property_seen, print: stored.property_print, registry: stored.property_registry },
      ...{ verdict: stored.verdict, watch: stored.watch, notice: stored.property_notice },
      ...{ swaps: stored.swaps, contended: stored.contended },
    },
    field: {
      state: stateOf(stored.field_pending, ofField, stored.isFieldDue),
      confirmed: positionOf(stored.field_epoch, stored.field_seq),
      ...{ id: stored.field, text: stored.field_text, isUnread: stored.field_unread },
      ...{ cursor: stored.cursor, notice: stored.field_notice },
    },
  };
}

const holdsFence = statement((db, { tenant, issue, fence }: Run) =>
  db.selectNoFrom(({ exists, selectFrom }) =>
    demand(
      exists(
        selectFrom('sync')
          .select('fence')
          .where('tenant', '=', tenant)
          .where('issue', '=', issue)
          .where('fence', '=', fence)
          .forUpdate(),
      ),
      'fence',
    ).as('held'),
  ),
);

/** A statement that fails if a later run has claimed the issue; `isOverdue` recognizes the error. */
export const mustHold = ({ tenant, issue, fence }: Run): CompiledQuery<unknown> => holdsFence({ tenant, issue, fence });
export const isOverdue = (error: unknown): boolean => isUnmet(error, 'fence');

/** An update of an issue's copies. */
export const updateCopies = (db: Database, { tenant, issue }: TenantIssue) =>
  db.updateTable('sync').where('tenant', '=', tenant).where('issue', '=', issue);

function columnsOf({ property, field }: KnownCopies): Record<StateColumn, unknown> {
  const refusals = { property: refusalIn(property.state), field: refusalIn(field.state) };
  const pending = property.state.name === 'pending' ? property.state.write : null;
  return {
    ...{ pending_epoch: pending?.epoch ?? null, pending_seq: pending?.seq ?? null },
    ...{ confirmed_epoch: property.confirmed?.epoch ?? null, confirmed_seq: property.confirmed?.seq ?? null },
    property_seen: property.seen && JSON.stringify(property.seen),
    ...{ property_print: property.print, property_registry: property.registry, verdict: property.verdict },
    ...{ watch: property.watch, swaps: property.swaps, contended: property.contended },
    ...{ property_notice: property.notice, property_refused: refusals.property?.reason ?? null },
    ...{ property_tries: refusals.property?.tries ?? 0, property_retry: refusals.property?.retry ?? null },
    ...{ field: field.id, field_text: field.text, field_unread: field.isUnread },
    ...{ field_pending: field.state.name === 'pending' ? field.state.write : null },
    ...{ field_epoch: field.confirmed?.epoch ?? null, field_seq: field.confirmed?.seq ?? null },
    ...{ cursor: field.cursor?.toString() ?? null, field_notice: field.notice },
    ...{ field_refused: refusals.field?.reason ?? null, field_tries: refusals.field?.tries ?? 0 },
    field_retry: refusals.field?.retry ?? null,
  };
}

/** Whether a copy is due after a step; `null` if it stays settled, as it may have been made due meanwhile. */
const isWantedAfter = <Write>(before: CopyState<Write>, after: CopyState<Write>): boolean | null =>
  isDue(after) || (isDue(before) ? false : null);

type Put = TenantIssue & Record<StateColumn, unknown> & { isProperty: boolean | null; isField: boolean | null };
const put = statement((db, values: Put) =>
  updateCopies(db, values).set({
    ...Object.fromEntries(stateColumns.map(name => [name, values[name]])),
    property_wanted: sql<boolean>`coalesce(${values.isProperty}::boolean, property_wanted)`,
    field_wanted: sql<boolean>`coalesce(${values.isField}::boolean, field_wanted)`,
  }),
);

/** Stores a step of a run. Needs its fencing token (`mustHold`): no other run changes the copies then. */
export const putCopies = ({ tenant, issue }: TenantIssue, before: KnownCopies, after: KnownCopies) =>
  put({
    ...{ tenant, issue, ...columnsOf(after) },
    isProperty: isWantedAfter(before.property.state, after.property.state),
    isField: isWantedAfter(before.field.state, after.field.state),
  });

/** The echo of an own write arrives within this time. */
const ECHO_SECONDS = 60;

/** Notes that a write of the property begins, whose echo is expected. */
export const expectEcho = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({
    property_written: sql<Date>`now()`,
    echoes: sql<number>`case when echoes_until > now() then echoes + 1 else 1 end`,
    echoes_until: sql<Date>`now() + make_interval(secs => ${sql.lit(ECHO_SECONDS)})`,
  }),
);

/** Notes that a write of the property had no effect, and has no echo. */
export const expectNoEcho = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({ echoes: sql<number>`greatest(echoes - 1, 0)` }),
);

/** Notes a write of the property with unknown outcome: its echo may arrive at any time, and causes a read. */
export const noteDoubt = statement((db, values: TenantIssue) => updateCopies(db, values).set({ echoes: 0 }));

/** Notes a write of the field, for the sweep. */
export const noteFieldWrite = statement((db, values: TenantIssue) =>
  updateCopies(db, values).set({ field_written: sql<Date>`now()` }),
);

/** Notes a read that began with so many hints and named accounts. Keeps those that arrived meanwhile. */
export const noteRead = statement((db, values: TenantIssue & { hints: number; named: number; isPending: boolean }) =>
  updateCopies(db, values).set({
    ...{ hints_read: values.hints, read_at: sql<Date>`now()`, missing: null },
    actors: sql<string[]>`actors[${values.named}::integer + 1:]`,
    // The echo of a write with unknown outcome may arrive at any time, and causes a read.
    echoes: sql<number>`case when ${values.isPending}::boolean then 0 else echoes end`,
  }),
);

/** An issue counts as deleted only after some days, as the app may just lack permission for its project. */
const MISSING_DAYS = 7;

/** Whether an issue has been missing for `MISSING_DAYS`. */
export const isLongMissing = sql<boolean>`missing < now() - make_interval(days => ${sql.lit(MISSING_DAYS)})`;

/** Notes that the tracker does not show the issue. Returns whether it is gone. */
export const noteMissing = statement<TenantIssue, { isGone: boolean }>((db, values) =>
  updateCopies(db, values).set({ missing: sql<Date>`coalesce(missing, now())` }).returning(isLongMissing.as('isGone')),
);

/**
 * Notes since when the tracker does not show the issue: `null` if it shows it, now if it denies it, and '-infinity' after an
 * event of its deletion, which makes it gone at once if it is not shown.
 */
export const noteShown = statement((db, values: TenantIssue & { missing: 'now' | '-infinity' | null }) =>
  updateCopies(db, values).set({ missing: sql<Date | null>`${values.missing}::timestamptz` }),
);
