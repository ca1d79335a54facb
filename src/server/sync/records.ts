import { type CompiledQuery, sql } from 'kysely';
import * as z from 'zod';
import type { TenantIssue } from '../checklists/revisions.ts';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';

/** A run of the synchronisation of one issue. A later run has another fence. */
export interface Run extends TenantIssue {
  fence: number;
}

const seenShape = z.object({ epoch: z.string(), seq: z.number(), name: z.string(), text: z.string() });
/** A foreign value of the property, and the stamp that it bears; '' and 0 where it has none. */
export type Seen = z.infer<typeof seenShape>;

const copiesShape = z.object({
  fence: z.number(),
  hints: z.number(),
  hints_read: z.number(),
  actors: z.array(z.string()),
  confirmed_epoch: z.string().nullable(),
  confirmed_seq: z.number().nullable(),
  pending_epoch: z.string().nullable(),
  pending_seq: z.number().nullable(),
  property_seen: seenShape.nullable(),
  swaps: z.number(),
  contended: z.boolean(),
  field: z.string().nullable(),
  field_text: z.string().nullable(),
  field_pending: z.string().nullable(),
  cursor: z.coerce.number().nullable(),
  watch: z.string().nullable(),
  notice: z.string().nullable(),
  property_due: z.boolean(),
  field_due: z.boolean(),
});
/** What is known of the tracker's copies; `property_due` and `field_due` say whether they are due now. */
export type Copies = z.infer<typeof copiesShape>;

const COPIES = [
  ...(['fence', 'hints', 'hints_read', 'actors', 'confirmed_epoch', 'confirmed_seq', 'pending_epoch'] as const),
  ...([
    'pending_seq',
    'property_seen',
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

/** Claims an issue's copies for a run. Its row is a `Copies`; none where nothing is known of the issue. */
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
  row === undefined ? undefined : copiesShape.parse(row);

const ours = statement((db, { tenant, issue, fence }: Run) =>
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

/** A statement that fails where a later run has claimed the issue, as `isOverdue` knows. */
export const mustHold = ({ tenant, issue, fence }: Run): CompiledQuery<unknown> => ours({ tenant, issue, fence });
export const isOverdue = (error: unknown): boolean => isUnmet(error, 'fence');

const copies = (db: Parameters<Parameters<typeof statement>[0]>[0], { tenant, issue }: TenantIssue) =>
  db.updateTable('sync').where('tenant', '=', tenant).where('issue', '=', issue);

/** Seconds within which the event of an own write comes. */
const ECHO = 60;

/** A revision that a copy is brought up to date with. */
type At = TenantIssue & { epoch: string; seq: number };

/** Nothing more is due where that is the newest revision still, else what is due stays. */
const doneAt = ({ tenant, issue, epoch, seq }: At, due: 'property_due' | 'field_due' | 'field_since') =>
  sql<Date | null>`case when exists (select from checklist where tenant = ${tenant} and issue = ${issue}
    and epoch = ${epoch} and seq = ${seq}) then null else ${sql.ref(due)} end`;

/** The property is about to be written: what comes of it is unknown until it is confirmed. */
export const beginProperty = statement((db, values: At) => {
  const { epoch, seq } = values;
  return copies(db, values).set({
    ...{ pending_epoch: epoch, pending_seq: seq, property_written: sql<Date>`now()` },
    property_due: doneAt(values, 'property_due'),
    echoes: sql<number>`case when echoes_until > now() then echoes + 1 else 1 end`,
    echoes_until: sql<Date>`now() + make_interval(secs => ${sql.lit(ECHO)})`,
  });
});

/** The property holds that revision. */
export const confirmProperty = statement((db, values: At & { verdict: string; watch: string }) => {
  const { epoch, seq, verdict, watch } = values;
  return copies(db, values).set({
    ...{ confirmed_epoch: epoch, confirmed_seq: seq, pending_epoch: null, pending_seq: null, verdict, watch },
    ...{ property_seen: null, swaps: 0, missing: null },
    property_notice: null,
  });
});

/**
 * A write of the property that may have taken effect, or may still: the issue is read before the next one, and by any
 * event of it.
 */
export const doubtProperty = statement((db, values: TenantIssue & { isSwap: boolean }) =>
  copies(db, values).set({
    swaps: sql<number>`swaps + ${values.isSwap}::boolean::int`,
    hints: sql<number>`hints + 1`,
    property_due: sql<Date>`now()`,
    echoes: 0,
  }),
);

/** A write of the property that took no effect: it is still to be written, or not any more, with a notice. */
export const failProperty = statement((db, values: TenantIssue & { again: boolean; notice: string | null }) => {
  const { again, notice } = values;
  return copies(db, values).set({
    ...{ pending_epoch: null, pending_seq: null },
    echoes: sql<number>`greatest(echoes - 1, 0)`,
    property_due: sql<Date | null>`case when ${again}::boolean then coalesce(property_due, now()) else property_due end`,
    property_notice: sql<string | null>`coalesce(${notice}::text, property_notice)`,
  });
});

/** The field is about to be written with a text of that mark (`fieldMark`). */
export const beginField = statement((db, values: TenantIssue & { mark: string }) =>
  copies(db, values).set({ field_pending: values.mark }),
);

/** The field holds that text. */
export const confirmField = statement((db, values: At & { field: string; text: string }) =>
  copies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field: values.field, field_text: values.text, field_pending: null, notice: null },
    field_written: sql<Date>`now()`,
  }),
);

/** The field is not written before the next change, for a reason in words for people. */
export const dropField = statement((db, values: At & { notice: string | null }) =>
  copies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field_pending: null, notice: values.notice },
  }),
);

/** What a read of the issue showed. */
export interface Read extends TenantIssue {
  /** Hints that it answers, and how many accounts events had named by then. */
  hints: number;
  named: number;
  /** The revision that the property holds; `null` where it holds none: the one that it held before stays known. */
  epoch: string | null;
  seq: number | null;
  /** The foreign value that it holds, as JSON; `null` where it holds a value of ours, or none. */
  seen: string | null;
  /** What workflow rules read from it; `null` where it holds no checklist. */
  verdict: string | null;
  /** It holds another value than when it was read before. */
  changed: boolean;
  contended: boolean;
  /** Whether the property is to be written; `null` where that stays as it was. */
  property: boolean | null;
  /** The field that was read, and its text; `null` for a text that was left out of the checklist. */
  field: string | null;
  field_text: string | null;
  /** The field does not hold the newest revision's text. */
  behind: boolean;
  cursor: number | null;
  notice: string | null;
  watch: string;
}

/** Records it, in a transaction that has locked the checklist. */
export const recordRead = statement((db, values: Read) => {
  const { hints, named, epoch, seq, seen, verdict, changed, contended, property, field, field_text, behind, cursor } =
    values;
  const { notice, watch } = values;
  return copies(db, values).set({
    ...{
      hints_read: hints,
      read_at: sql<Date>`now()`,
      missing: null,
      // An event that came meanwhile is still to be answered.
      actors: sql<string[]>`actors[${named}::integer + 1:]`,
      pending_epoch: null,
      pending_seq: null,
      field_pending: null,
      verdict,
      watch,
    },
    confirmed_epoch: sql<string | null>`coalesce(${epoch}::text, confirmed_epoch)`,
    confirmed_seq: sql<number | null>`coalesce(${seq}::integer, confirmed_seq)`,
    // The event of a write whose outcome was unknown may come at any time, and is read.
    echoes: sql<number>`case when pending_seq is null then echoes else 0 end`,
    property_seen: seen,
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

/** Days for which the copies of an issue that the tracker does not show wait: we may be shut out of its project only. */
const MISSING_DAYS = 7;

/** Whether an issue has been missing for so long that it is gone. */
export const isGone = sql<boolean>`missing < now() - make_interval(days => ${sql.lit(MISSING_DAYS)})`;

/** The tracker does not show the issue. Its row says whether it is gone. */
export const noteMissing = statement<TenantIssue, { isGone: boolean }>((db, values) =>
  copies(db, values).set({ missing: sql<Date>`coalesce(missing, now())` }).returning(isGone.as('isGone')),
);

/** The tracker told that the issue is deleted: it is gone if it is not shown any more either. */
export const noteDeleted = statement((db, values: TenantIssue) =>
  copies(db, values).set({ missing: sql<Date>`'-infinity'` }),
);

/** There is something to do for an issue that is not missing, now or later. */
export const isOpen = sql<boolean>`(missing is null and (hints > hints_read or pending_seq is not null
  or property_due is not null or field_due is not null))`;

/** Milliseconds until there is something to do for an issue; no row where there is nothing. */
export const nextDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(
      sql<number>`case when hints > hints_read or pending_seq is not null then 0
        else greatest(0, extract(epoch from least(property_due, field_due) - now()) * 1000)::float8 end`.as('after'),
    )
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where(isOpen),
);

/** Milliseconds until the property is to be written; no row where it is not. */
export const propertyDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(sql<number>`greatest(0, extract(epoch from property_due - now()) * 1000)::float8`.as('after'))
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('property_due', 'is not', null),
);

/** Accounts that are kept while an issue is not read; the last one takes the place of the one before it. */
const MOST_ACTORS = 100;

/** A hint for each issue that the database knows, also where the issue was gone and its copies were forgotten. */
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
 * An event of the property: an echo is counted off, unless it is known to be foreign; any other is a hint. `account` is whose
 * it is, if not our own. Its row says whether there is one now.
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

/** Something else that makes a foreign change possible. Its row is there where the issue is known. */
export const noteHint = statement<TenantIssue, { hints: number }>((db, values) =>
  hinted(db, values, null)
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet({ hints: sql<number>`sync.hints + 1` }))
    .returning('hints'),
);

/** Has the property written now, if it is to be written later. A row says that it is. */
export const hastenProperty = statement<TenantIssue, { hints: number }>((db, values) =>
  copies(db, values)
    .set({ property_due: sql<Date>`now()` })
    .where(sql<boolean>`property_due > now()`)
    .returning('hints'),
);

/** Has all copies of a tenant that are to be written later written now. A row for each issue that has some, or is to be read. */
export const hastenAll = statement<{ tenant: string }, { issue: string }>((db, { tenant }) =>
  db
    .updateTable('sync')
    .set({
      property_due: sql<Date | null>`least(property_due, now())`,
      field_due: sql<Date | null>`least(field_due, now())`,
    })
    .where('tenant', '=', tenant)
    .where(isOpen)
    .returning('issue'),
);
