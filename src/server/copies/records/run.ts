import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { refusedNotice } from '../../checklists/commit/load.ts';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { demand, isUnmet } from '../../store/demand.ts';
import { statement } from '../../store/statement.ts';
import { afterRefusal, type CopyName, type CopyRefusal, type RetryPause } from '../refusals.ts';

/** A synchronisation run of one issue. A later run has another fencing token. */
export interface Run extends TenantIssue {
  fence: number;
}

export type Database = Parameters<Parameters<typeof statement>[0]>[0];

const seenShape = v.object({ epoch: v.string(), seq: v.number(), name: v.string(), text: v.string() });
/** The newest entry of the changelog that was read, by its id; an unreadable one counts as unknown. */
export const cursorShape = v.fallback(v.nullable(v.pipe(v.string(), v.digits(), v.toNumber(), v.safeInteger())), null);

/** A foreign value of the property with its stamp; '' and 0 where it has none. */
export type Seen = v.InferOutput<typeof seenShape>;

const copiesShape = v.object({
  fence: v.number(),
  hints: v.number(),
  hints_read: v.number(),
  // An unreadable one counts as an unknown account.
  actors: v.array(v.fallback(v.string(), '')),
  confirmed_epoch: v.nullable(v.string()),
  confirmed_seq: v.nullable(v.number()),
  pending_epoch: v.nullable(v.string()),
  pending_seq: v.nullable(v.number()),
  // Unreadable, it is read from the tracker again.
  property_seen: v.fallback(v.nullable(seenShape), null),
  swaps: v.number(),
  contended: v.boolean(),
  field: v.nullable(v.string()),
  field_text: v.nullable(v.string()),
  field_epoch: v.nullable(v.string()),
  field_seq: v.nullable(v.number()),
  field_unread: v.boolean(),
  field_pending: v.nullable(v.string()),
  cursor: cursorShape,
  watch: v.nullable(v.string()),
  notice: v.nullable(v.string()),
  /** The notice of a refused copy in panels. */
  refused: v.nullable(v.string()),
  property_due: v.boolean(),
  field_due: v.boolean(),
  property_tries: v.number(),
  field_tries: v.number(),
  isMissing: v.boolean(),
  /** Number of the newest revision. */
  newest: v.nullable(v.number()),
});
/** The stored state of the tracker's copies; `property_due` and `field_due` are whether they are due now. */
export type Copies = v.InferOutput<typeof copiesShape>;

const COPIES_COLUMNS = [
  ...(['fence', 'hints', 'hints_read', 'actors', 'confirmed_epoch', 'confirmed_seq', 'pending_epoch'] as const),
  ...([
    'pending_seq',
    'property_seen',
    'swaps',
    'contended',
    'field',
    'field_text',
    'field_epoch',
    'field_seq',
    'field_unread',
    'field_pending',
    'cursor',
  ] as const),
  ...(['watch', 'notice'] as const),
  refusedNotice.as('refused'),
  sql<boolean>`coalesce(property_due <= now(), false)`.as('property_due'),
  sql<boolean>`coalesce(field_due <= now(), false)`.as('field_due'),
  ...(['property_tries', 'field_tries'] as const),
  sql<boolean>`missing is not null`.as('isMissing'),
  sql<
    number | null
  >`(select seq from checklist where checklist.tenant = sync.tenant and checklist.issue = sync.issue)`.as('newest'),
] as const;

/** Claims an issue's copies for a run. Returns a `Copies` row; none for an unknown issue. */
export const claimCopies = statement((db, { tenant, issue }: TenantIssue) =>
  db
    .updateTable('sync')
    .set({ fence: sql<number>`fence + 1` })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .returning(COPIES_COLUMNS),
);
/** Loads the copies without claiming them. */
export const loadCopies = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('sync').select(COPIES_COLUMNS).where('tenant', '=', tenant).where('issue', '=', issue),
);
export const readCopies = (row: unknown): Copies | undefined =>
  row === undefined ? undefined : parseAs(copiesShape, row);

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

/** A statement that fails where a later run has claimed the issue; `isOverdue` recognizes the error. */
export const mustHold = ({ tenant, issue, fence }: Run): CompiledQuery<unknown> => holdsFence({ tenant, issue, fence });
export const isOverdue = (error: unknown): boolean => isUnmet(error, 'fence');

/** An update of an issue's copies. */
export const updateCopies = (db: Database, { tenant, issue }: TenantIssue) =>
  db.updateTable('sync').where('tenant', '=', tenant).where('issue', '=', issue);

/** The revision that is written to a copy. */
export type At = TenantIssue & { epoch: string; seq: number };

/** Clears a due time if the revision is still the newest one, or sets it to `then`. */
export const doneAt = (
  { tenant, issue, epoch, seq }: At,
  due: 'property_due' | 'field_due' | 'field_since',
  then: RawBuilder<unknown> = sql`null`,
) =>
  sql<Date | null>`case when exists (select from checklist where tenant = ${tenant} and issue = ${issue}
    and epoch = ${epoch} and seq = ${seq}) then ${then} else ${sql.ref(due)} end`;

/** A copy that was not written: why, and minutes until the next tries. */
export type RefusedCopy = { refused: CopyRefusal; notice: string | null } & RetryPause;

/** The columns of a copy's pause after a further refusal. */
export const paused = (copy: CopyName, pause: RetryPause) =>
  afterRefusal(pause, { tries: sql.ref(`${copy}_tries`), retry: sql.ref(`${copy}_retry`) });
