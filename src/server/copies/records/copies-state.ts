import { sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { isFieldOld, isPropertyOld } from '../../checklists/commit/due.ts';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

const copiesStateShape = v.object({
  /** The tracker's copies hold the newest revision, or are not wanted: nothing was changed here, or there is no field. */
  isEqual: v.boolean(),
  /** The tracker does not show the issue. */
  isMissing: v.boolean(),
  isRefused: v.boolean(),
  /** Text for users: why a copy is not written. */
  notice: v.nullable(v.string()),
});
export type CopiesState = v.InferOutput<typeof copiesStateShape>;

const copiesState = statement((db, { tenant, issue, hasField }: TenantIssue & { hasField: boolean }) =>
  db
    .selectFrom('checklist')
    .innerJoin('sync', join =>
      join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
    )
    .select([
      sql<boolean>`sync.missing is null and (not checklist.mirrored or (
        hints <= hints_read and pending_seq is null and property_refused is null and not ${isPropertyOld}
        and (not ${hasField}::boolean or field_refused is not distinct from 'screen'
          or (field_refused is null and not field_wanted and field_seq is not null and not ${isFieldOld}))))`.as(
        'isEqual',
      ),
      sql<boolean>`sync.missing is not null`.as('isMissing'),
      sql<boolean>`property_refused is not null or field_refused is not null`.as('isRefused'),
      sql<string | null>`coalesce(property_notice, field_notice)`.as('notice'),
    ])
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', '=', issue),
);

/** The state of an issue's copies; `undefined` for an unknown issue. */
export async function readCopiesState(
  store: Pick<Store, 'batch'>,
  place: TenantIssue,
  hasField: boolean,
): Promise<CopiesState | undefined> {
  const [{ rows }] = await store.batch(place.tenant, [copiesState({ ...place, hasField })]);
  return rows[0] && parseAs(copiesStateShape, rows[0]);
}
