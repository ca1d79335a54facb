import { type CompiledQuery, sql } from 'kysely';
import * as v from 'valibot';
import { numberText, parseAs } from '../../domain/shape.ts';
import type { TenantIssue } from '../checklists/revisions.ts';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';

/** A synchronisation run of one issue. A later run has another fencing token. */
export interface Run extends TenantIssue {
  fence: number;
}

const seenShape = v.object({ epoch: v.string(), seq: v.number(), name: v.string(), text: v.string() });
/** A foreign value of the property with its stamp; '' and 0 where it has none. */
export type Seen = v.InferOutput<typeof seenShape>;

const copiesShape = v.object({
  fence: v.number(),
  hints: v.number(),
  hints_read: v.number(),
  actors: v.array(v.string()),
  confirmed_epoch: v.nullable(v.string()),
  confirmed_seq: v.nullable(v.number()),
  pending_epoch: v.nullable(v.string()),
  pending_seq: v.nullable(v.number()),
  property_seen: v.nullable(seenShape),
  property_form: v.number(),
  swaps: v.number(),
  contended: v.boolean(),
  field: v.nullable(v.string()),
  field_text: v.nullable(v.string()),
  field_pending: v.nullable(v.string()),
  cursor: v.nullable(numberText),
  watch: v.nullable(v.string()),
  notice: v.nullable(v.string()),
  property_due: v.boolean(),
  field_due: v.boolean(),
});
/** The stored state of the tracker's copies; `property_due` and `field_due` are whether they are due now. */
export type Copies = v.InferOutput<typeof copiesShape>;

const COPIES = [
  ...(['fence', 'hints', 'hints_read', 'actors', 'confirmed_epoch', 'confirmed_seq', 'pending_epoch'] as const),
  ...([
    'pending_seq',
    'property_seen',
    'property_form',
    'swaps',
    'contended',
    'field',
    'field_text',
    'field_pending',
    'cursor',
  ] as const),
  ...(['watch', 'notice'] as const),
  sql<boolean>`coalesce(property_due <= now(), false)`.as('property_due'),
  sql<boolean>`coalesce(field_due <= now(), false)`.as('field_due'),
] as const;

/** Claims an issue's copies for a run. Returns a `Copies` row; none for an unknown issue. */
export const claimCopies = statement((db, { tenant, issue }: TenantIssue) =>
  db
    .updateTable('sync')
    .set({ fence: sql<number>`fence + 1` })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .returning(COPIES),
);
/** The same without a claim. */
export const loadCopies = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('sync').select(COPIES).where('tenant', '=', tenant).where('issue', '=', issue),
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

const copies = (db: Parameters<Parameters<typeof statement>[0]>[0], { tenant, issue }: TenantIssue) =>
  db.updateTable('sync').where('tenant', '=', tenant).where('issue', '=', issue);

/** Seconds within which the echo of an own write arrives. */
const ECHO = 60;

/** The revision that is written to a copy. */
type At = TenantIssue & { epoch: string; seq: number };

/** Clears a due time where the revision is still the newest one. */
const doneAt = ({ tenant, issue, epoch, seq }: At, due: 'property_due' | 'field_due' | 'field_since') =>
  sql<Date | null>`case when exists (select from checklist where tenant = ${tenant} and issue = ${issue}
    and epoch = ${epoch} and seq = ${seq}) then null else ${sql.ref(due)} end`;

/** Records a write of the property as pending. */
export const beginProperty = statement((db, values: At) => {
  const { epoch, seq } = values;
  return copies(db, values).set({
    ...{ pending_epoch: epoch, pending_seq: seq, property_written: sql<Date>`now()` },
    property_due: doneAt(values, 'property_due'),
    echoes: sql<number>`case when echoes_until > now() then echoes + 1 else 1 end`,
    echoes_until: sql<Date>`now() + make_interval(secs => ${sql.lit(ECHO)})`,
  });
});

/** Records that the property holds the revision. */
export const confirmProperty = statement((db, values: At & { form: number; verdict: string; watch: string }) => {
  const { epoch, seq, form, verdict, watch } = values;
  return copies(db, values).set({
    ...{ confirmed_epoch: epoch, confirmed_seq: seq, pending_epoch: null, pending_seq: null, verdict, watch },
    ...{ property_seen: null, property_form: form, swaps: 0, missing: null },
    property_notice: null,
  });
});

/**
 * Records a write of the property with unknown outcome: the issue is read before the next write, and at any event of the
 * property.
 */
export const doubtProperty = statement((db, values: TenantIssue & { isSwap: boolean }) =>
  copies(db, values).set({
    swaps: sql<number>`swaps + ${values.isSwap}::boolean::int`,
    hints: sql<number>`hints + 1`,
    property_due: sql<Date>`now()`,
    echoes: 0,
  }),
);

/** Records a failed write of the property, which stays due (`again`), or is dropped with a notice. */
export const failProperty = statement((db, values: TenantIssue & { again: boolean; notice: string | null }) => {
  const { again, notice } = values;
  return copies(db, values).set({
    ...{ pending_epoch: null, pending_seq: null },
    echoes: sql<number>`greatest(echoes - 1, 0)`,
    property_due: sql<Date | null>`case when ${again}::boolean then coalesce(property_due, now()) else property_due end`,
    property_notice: sql<string | null>`coalesce(${notice}::text, property_notice)`,
  });
});

/** Records a write of the field as pending, by its mark (`fieldMark`). */
export const beginField = statement((db, values: TenantIssue & { mark: string }) =>
  copies(db, values).set({ field_pending: values.mark }),
);

/** Records that the field holds the text. */
export const confirmField = statement((db, values: At & { field: string; text: string }) =>
  copies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field: values.field, field_text: values.text, field_pending: null, notice: null },
    field_written: sql<Date>`now()`,
  }),
);

/** Clears the field's due time until the next change, with a notice for users. */
export const dropField = statement((db, values: At & { notice: string | null }) =>
  copies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field_pending: null, notice: values.notice },
  }),
);

/** The result of reading an issue. */
export interface Read extends TenantIssue {
  /** Numbers of hints and of named accounts at the start of the read. */
  hints: number;
  named: number;
  /** The revision that the property holds; `null` keeps the one before. */
  epoch: string | null;
  seq: number | null;
  /** The foreign value that the property holds, as JSON, or `null`. */
  seen: string | null;
  /** The form of the property's value, where it is that of the newest revision; else `null`. */
  form: number | null;
  /** The verdict of the property; `null` where it holds no checklist. */
  verdict: string | null;
  /** Whether the property differs from the last read. */
  changed: boolean;
  contended: boolean;
  /** Whether the property is due; `null` keeps its due time. */
  property: boolean | null;
  /** The field and its text; the text is `null` where it was left out of the checklist. */
  field: string | null;
  field_text: string | null;
  /** Whether the field lacks the newest revision's text. */
  behind: boolean;
  cursor: number | null;
  notice: string | null;
  watch: string;
}

/** Records a read, in a transaction that holds the checklist's lock. */
export const recordRead = statement((db, values: Read) => {
  const { hints, named, epoch, seq, seen, verdict, changed, contended, property, field, field_text, behind, cursor } =
    values;
  const { notice, watch, form } = values;
  return copies(db, values).set({
    ...{
      hints_read: hints,
      read_at: sql<Date>`now()`,
      missing: null,
      // Keeps the accounts of events that arrived meanwhile.
      actors: sql<string[]>`actors[${named}::integer + 1:]`,
      pending_epoch: null,
      pending_seq: null,
      field_pending: null,
      verdict,
      watch,
    },
    confirmed_epoch: sql<string | null>`coalesce(${epoch}::text, confirmed_epoch)`,
    confirmed_seq: sql<number | null>`coalesce(${seq}::integer, confirmed_seq)`,
    // The echo of a write with unknown outcome may arrive at any time, and causes a read.
    echoes: sql<number>`case when pending_seq is null then echoes else 0 end`,
    property_seen: seen,
    property_form: sql<number>`coalesce(${form}::integer, property_form)`,
    swaps: sql<number>`case when ${changed}::boolean then 0 else swaps end`,
    contended: sql<boolean>`contended or ${contended}::boolean`,
    property_due: sql<Date | null>`case when ${property}::boolean is null then property_due
      when ${property}::boolean then coalesce(property_due, now()) end`,
    field: sql<string | null>`coalesce(${field}::text, field)`,
    field_text: sql<string | null>`case when ${field}::text is null then field_text else ${field_text}::text end`,
    field_due: sql<Date | null>`case when ${behind}::boolean then coalesce(field_due, now()) else field_due end`,
    cursor: sql<string | null>`coalesce(${cursor}::bigint::text, cursor)`,
    notice: sql<string | null>`coalesce(${notice}::text, notice)`,
  });
});

/** Days after which an issue that the tracker does not show is gone: the app may only lack permission for its project. */
const MISSING_DAYS = 7;

/** Whether an issue has been missing for `MISSING_DAYS`. */
export const isGone = sql<boolean>`missing < now() - make_interval(days => ${sql.lit(MISSING_DAYS)})`;

/** Records that the tracker does not show the issue. Returns whether it is gone. */
export const noteMissing = statement<TenantIssue, { isGone: boolean }>((db, values) =>
  copies(db, values).set({ missing: sql<Date>`coalesce(missing, now())` }).returning(isGone.as('isGone')),
);

/** Records an event of deletion: the issue is gone at once if the tracker does not show it. */
export const noteDeleted = statement((db, values: TenantIssue) =>
  copies(db, values).set({ missing: sql<Date>`'-infinity'` }),
);

/** Whether an issue that is not missing has pending or due work. */
export const hasWork = sql<boolean>`(missing is null and (hints > hints_read or pending_seq is not null
  or property_due is not null or field_due is not null))`;

/** Milliseconds until an issue has due work; no row where it has none. */
export const nextDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(
      sql<number>`case when hints > hints_read or pending_seq is not null then 0
        else greatest(0, extract(epoch from least(property_due, field_due) - now()) * 1000)::float8 end`.as('after'),
    )
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where(hasWork),
);

/** Milliseconds until the property is due; no row where it is not. */
export const propertyDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(sql<number>`greatest(0, extract(epoch from property_due - now()) * 1000)::float8`.as('after'))
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('property_due', 'is not', null),
);

/** Most accounts stored until an issue is read; beyond it, a new one replaces the last. */
const MOST_ACTORS = 100;

/** Adds a hint for a known issue, also where its copies were forgotten. */
const hinted = (
  db: Parameters<Parameters<typeof statement>[0]>[0],
  { tenant, issue }: TenantIssue,
  actor: string | null,
) =>
  db
    .insertInto('sync')
    .columns(['tenant', 'issue', 'hints', 'actors'])
    .expression(
      db
        .selectFrom('checklist')
        .select(['tenant', 'issue', sql<number>`1`.as('hints')])
        .select(sql<string[]>`array_remove(array[${actor}::text], null)`.as('actors'))
        .where('tenant', '=', tenant)
        .where('issue', '=', issue),
    );

/**
 * Records an event of the property: an expected echo is subtracted, unless the event is known to be foreign; any other is a
 * hint. `account` is the author, `null` for the app, and where the event may be of another property. Returns whether the
 * issue has an unread hint.
 */
export const notePropertyEvent = statement<
  TenantIssue & { account: string | null; isForeign: boolean },
  { isHinted: boolean }
>((db, values) => {
  const { account, isForeign } = values;
  const isEcho = sql`not ${isForeign}::boolean and sync.echoes > 0 and sync.echoes_until > now()`;
  return hinted(db, values, account)
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet({
        hints: sql<number>`case when ${isEcho} then sync.hints else sync.hints + 1 end`,
        echoes: sql<number>`case when ${isEcho} then sync.echoes - 1 when ${isForeign}::boolean then sync.echoes else 0 end`,
        actors: sql<string[]>`case when ${isEcho} then sync.actors
          else sync.actors[1:${sql.lit(MOST_ACTORS - 1)}] || excluded.actors end`,
      }),
    )
    .returning(sql<boolean>`hints > hints_read`.as('isHinted'));
});

/** Adds a hint of another cause. Returns a row where the issue is known. */
export const noteHint = statement<TenantIssue, { hints: number }>((db, values) =>
  hinted(db, values, null)
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet({ hints: sql<number>`sync.hints + 1` }))
    .returning('hints'),
);

/** Makes a property due now that is due later. Returns a row where it was. */
export const makePropertyDue = statement<TenantIssue, { hints: number }>((db, values) =>
  copies(db, values)
    .set({ property_due: sql<Date>`now()` })
    .where(sql<boolean>`property_due > now()`)
    .returning('hints'),
);

/** Properties that are made due at once by `makeFormsDue`, and seconds between two of them. */
const FORMS = 500;
const FORM_PACE = 7;

/**
 * Makes confirmed properties of an older form due, one after the other. Leaves out those that the tracker refused, and
 * checklists that are not written. Returns the issues, and the milliseconds until each is due.
 */
export const makeFormsDue = statement<{ tenant: string; form: number }, { issue: string; after: number }>(
  (db, { tenant, form }) =>
    db
      .with('older', each =>
        each
          .selectFrom('sync')
          .innerJoin('checklist', join =>
            join.onRef('checklist.tenant', '=', 'sync.tenant').onRef('checklist.issue', '=', 'sync.issue'),
          )
          .select('sync.issue')
          .select(sql<number>`(row_number() over (order by sync.issue) * ${sql.lit(FORM_PACE)})::integer`.as('after'))
          .where('sync.tenant', '=', tenant)
          .where('checklist.mirrored', '=', true)
          .where('property_form', '<', form)
          .where('confirmed_seq', 'is not', null)
          .where(sql<boolean>`missing is null and hints <= hints_read and pending_seq is null and property_due is null
            and property_seen is null and property_notice is null`)
          .orderBy('sync.issue')
          .limit(FORMS),
      )
      .updateTable('sync')
      .from('older')
      .set({ property_due: sql<Date>`now() + make_interval(secs => older.after)` })
      .where('sync.tenant', '=', tenant)
      .whereRef('sync.issue', '=', 'older.issue')
      .returning(['sync.issue', sql<number>`older.after * 1000`.as('after')]),
);

/** Makes all due copies of a tenant due now. Returns a row for each issue with work. */
export const makeAllDue = statement<{ tenant: string }, { issue: string }>((db, { tenant }) =>
  db
    .updateTable('sync')
    .set({
      property_due: sql<Date | null>`least(property_due, now())`,
      field_due: sql<Date | null>`least(field_due, now())`,
    })
    .where('tenant', '=', tenant)
    .where(hasWork)
    .returning('issue'),
);
