import { type CompiledQuery, sql } from 'kysely';
import { statement } from '../../store/statement.ts';
import type { State } from '../decide/state.ts';
import type { TenantIssue } from '../revisions.ts';

/** The time from a change to the property's write, and the least time between two writes. */
const SOON_MS = 1_000;
const PACE_MS = 10_000;
/** The least time between two writes if the second write changes the verdict. */
const VERDICT_PACE_MS = 2_000;
/** The field's debounce, and its longest delay. */
const QUIET_SECONDS = 5;
const MAX_DELAY_SECONDS = 30;

const seconds = (count: unknown) => sql<Date>`now() + make_interval(secs => ${count}::float8)`;

const mark = statement((db, values: TenantIssue & { property: number; field: number | null }) => {
  const { tenant, issue, property, field } = values;
  return db
    .insertInto('sync')
    .values({
      ...{ tenant, issue },
      property_due: seconds(property),
      field_due: seconds(field),
      field_since: sql<Date | null>`case when ${field}::float8 is not null then now() end`,
    })
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet({
        property_due: sql<Date>`least(sync.property_due, excluded.property_due)`,
        field_since: sql<Date | null>`coalesce(sync.field_since, excluded.field_since)`,
        field_due: sql<Date | null>`case when excluded.field_due is not null
          then least(excluded.field_due, sync.field_since + make_interval(secs => ${sql.lit(MAX_DELAY_SECONDS)})) end`,
      }),
    );
});

/** The times at which the tracker's copies are due. */
export interface Due {
  statement: CompiledQuery<unknown>;
  /** Milliseconds until the first copy is due. */
  after: number;
}

/**
 * Marks the copies due. The property is written a second after a change, at most every ten seconds, or immediately, at most
 * every two seconds, where its verdict changes; the field after five seconds without a change, thirty at the latest
 * (docs/storage.md).
 */
export function markDue(
  place: TenantIssue,
  verdict: string,
  { copies }: Pick<State, 'copies'>,
  hasField: boolean,
): Due {
  const age = copies?.age ?? Number.POSITIVE_INFINITY;
  const after = copies?.verdict === verdict ? Math.max(SOON_MS, PACE_MS - age) : Math.max(0, VERDICT_PACE_MS - age);
  return { statement: mark({ ...place, property: after / 1000, field: hasField ? QUIET_SECONDS : null }), after };
}
