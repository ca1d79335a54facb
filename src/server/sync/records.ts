import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import { refusedNotice } from '../checklists/change/state.ts';
import type { TenantIssue } from '../checklists/revisions.ts';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import { afterRefusal, type CopyName, type CopyRefusal, type ProjectCopyName, type RetryPause } from './refusals.ts';

/** A synchronisation run of one issue. A later run has another fencing token. */
export interface Run extends TenantIssue {
  fence: number;
}

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

const COPIES = [
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

/** Clears a due time if the revision is still the newest one, or sets it to `then`. */
const doneAt = (
  { tenant, issue, epoch, seq }: At,
  due: 'property_due' | 'field_due' | 'field_since',
  then: RawBuilder<unknown> = sql`null`,
) =>
  sql<Date | null>`case when exists (select from checklist where tenant = ${tenant} and issue = ${issue}
    and epoch = ${epoch} and seq = ${seq}) then ${then} else ${sql.ref(due)} end`;

/** A copy that was not written: why, and minutes until the next tries. */
type RefusedCopy = { refused: CopyRefusal; notice: string | null } & RetryPause;

const paused = (copy: CopyName, pause: RetryPause) =>
  afterRefusal(pause, { tries: sql.ref(`${copy}_tries`), retry: sql.ref(`${copy}_retry`) });

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

/** Hashes of a property's value and of the statuses that it was made with. */
interface Written {
  print: string;
  registry: string;
}

/** Records that the property holds the revision. */
export const confirmProperty = statement((db, values: At & Written & { verdict: string; watch: string }) => {
  const { epoch, seq, print, registry, verdict, watch } = values;
  return copies(db, values).set({
    ...{ confirmed_epoch: epoch, confirmed_seq: seq, pending_epoch: null, pending_seq: null, verdict, watch },
    ...{ property_seen: null, property_print: print, property_registry: registry },
    ...{ swaps: 0, missing: null },
    ...{ property_notice: null, property_refused: null, property_tries: 0 },
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

const unwritten = {
  ...{ pending_epoch: null, pending_seq: null },
  echoes: sql<number>`greatest(echoes - 1, 0)`,
};

/** Records a write of the property that had no effect: it stays due. */
export const failProperty = statement((db, values: TenantIssue) =>
  copies(db, values).set({ ...unwritten, property_due: sql<Date>`coalesce(property_due, now())` }),
);

/** Records that the property was refused, with a notice for users. It is due again later, at a newer revision's time if there is one. */
export const refuseProperty = statement((db, values: TenantIssue & RefusedCopy) => {
  const { tries, retry } = paused('property', values);
  return copies(db, values).set({
    ...unwritten,
    property_due: sql<Date>`coalesce(property_due, ${retry})`,
    property_notice: values.notice,
    property_refused: values.refused,
    property_tries: tries,
    property_retry: retry,
  });
});

/**
 * Records that the tracker refused a read before a write, which keeps the due copies from being written: the property counts
 * as refused, and the read is due again later, at once with a revision after `newest`. A try before its time makes no pause
 * longer.
 */
export const refuseRead = statement((db, values: TenantIssue & RefusedCopy & Pick<Copies, 'newest'>) => {
  const { tenant, issue, newest, notice, refused } = values;
  const isNewest = sql`(select seq from checklist where tenant = ${tenant} and issue = ${issue})
    is not distinct from ${newest}::integer`;
  const { tries, retry } = paused('property', values);
  return copies(db, values).set({
    property_due: sql<Date>`case when ${isNewest} then ${retry} else coalesce(property_due, now()) end`,
    field_due: sql<Date | null>`case when ${isNewest} and field_due <= now() then ${retry} else field_due end`,
    property_notice: notice,
    property_refused: refused,
    property_tries: tries,
    property_retry: retry,
  });
});

/** Records a write of the field as pending, by its mark (`fieldMark`). */
export const beginField = statement((db, values: TenantIssue & { mark: string }) =>
  copies(db, values).set({ field_pending: values.mark }),
);

/** Records that the field holds the text. */
export const confirmField = statement((db, values: At & { field: string; text: string; isWritten: boolean }) =>
  copies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field: values.field, field_text: values.text, field_pending: null, notice: null },
    ...{ field_epoch: values.epoch, field_seq: values.seq, field_refused: null, field_tries: 0 },
    field_written: sql<Date | null>`case when ${values.isWritten}::boolean then now() else field_written end`,
  }),
);

/** Clears the field's due time: the checklist is not mirrored in a field. */
export const dropField = statement((db, values: At) =>
  copies(db, values).set({
    ...{ field_due: doneAt(values, 'field_due'), field_since: doneAt(values, 'field_since') },
    ...{ field_pending: null, notice: null, field_refused: null, field_tries: 0 },
  }),
);

/** Records that the field was refused, with a notice for users. It is due again later. */
export const refuseField = statement((db, values: At & RefusedCopy) => {
  const { tries, retry } = paused('field', values);
  return copies(db, values).set({
    field_due: doneAt(values, 'field_due', retry),
    field_since: doneAt(values, 'field_since'),
    ...{ field_pending: null, notice: values.notice, field_refused: values.refused },
    ...{ field_tries: tries, field_retry: retry },
  });
});

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
  /** Hashes of the property's value and of the statuses, if it is that of the newest revision; else `null`. */
  print: string | null;
  registry: string | null;
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
  /** The revision whose text the field holds; `null` keeps the one before. */
  field_epoch: string | null;
  field_seq: number | null;
  /** The newest entry of the changelog that was read and applied. */
  cursor: number | null;
  notice: string | null;
  watch: string;
}

/** Records a read, in a transaction that holds the checklist's lock. */
export const recordRead = statement((db, values: Read) => {
  const { hints, named, epoch, seq, seen, verdict, changed, contended, property, field, field_text, behind, cursor } =
    values;
  const { notice, watch, print, registry, field_epoch, field_seq } = values;
  const isEqual = sql`${print}::text is not null`;
  // Its read was refused where it is not to be written.
  const isSettled = sql`(${isEqual} or ${property}::boolean is not distinct from false)`;
  const isFieldEqual = sql`${field_seq}::integer is not null`;
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
    property_print: sql<string | null>`coalesce(${print}::text, property_print)`,
    property_registry: sql<string | null>`coalesce(${registry}::text, property_registry)`,
    swaps: sql<number>`case when ${changed}::boolean then 0 else swaps end`,
    contended: sql<boolean>`contended or ${contended}::boolean`,
    property_due: sql<Date | null>`case when ${property}::boolean is null then property_due
      when ${property}::boolean and property_refused is null then coalesce(property_due, now())
      when ${property}::boolean then now() end`,
    field: sql<string | null>`coalesce(${field}::text, field)`,
    field_unread: sql<boolean>`${field}::text is null and field is not null`,
    field_text: sql<string | null>`case when ${field}::text is null then field_text else ${field_text}::text end`,
    field_due: sql<Date | null>`case when ${behind}::boolean and field_refused is null then coalesce(field_due, now())
      when ${behind}::boolean then now() else field_due end`,
    cursor: sql<string | null>`${cursor}::bigint::text`,
    notice: sql<string | null>`coalesce(${notice}::text, notice)`,
    property_refused: sql<string | null>`case when not ${isSettled} then property_refused end`,
    property_tries: sql<number>`case when ${isSettled} then 0 else property_tries end`,
    field_epoch: sql<string | null>`coalesce(${field_epoch}::text, field_epoch)`,
    field_seq: sql<number | null>`coalesce(${field_seq}::integer, field_seq)`,
    field_refused: sql<string | null>`case when not ${isFieldEqual} then field_refused end`,
    field_tries: sql<number>`case when ${isFieldEqual} then 0 else field_tries end`,
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

/** Records that the tracker denies the issue, which exists: from now on it counts as not shown. */
export const noteDenied = statement<TenantIssue, { isGone: boolean }>((db, values) =>
  copies(db, values).set({ missing: sql<Date>`now()` }).returning(sql<boolean>`false`.as('isGone')),
);

/** Records an event of deletion: the issue is gone at once if the tracker does not show it. */
export const noteDeleted = statement((db, values: TenantIssue) =>
  copies(db, values).set({ missing: sql<Date>`'-infinity'` }),
);

const isPropertyOld = sql<boolean>`(sync.confirmed_epoch, sync.confirmed_seq) is distinct from (checklist.epoch, checklist.seq)`;
const isFieldOld = sql<boolean>`(sync.field_epoch, sync.field_seq) is distinct from (checklist.epoch, checklist.seq)`;

/** Whether a copy differs from the newest revision, and nothing is due that writes or reads it. Reads a checklist with its copies. */
const isPropertyBehind = sql<boolean>`(sync.property_due is null and sync.pending_seq is null
  and sync.hints <= sync.hints_read and ${isPropertyOld})`;
const isFieldBehind = sql<boolean>`(sync.field_due is null and sync.hints <= sync.hints_read
  and sync.field_seq is not null and ${isFieldOld})`;

/** Whether an issue that is not missing has pending or due work. */
export const hasWork = sql<boolean>`(missing is null and (hints > hints_read or pending_seq is not null
  or property_due is not null or field_due is not null))`;

/** Milliseconds until an issue's work is due. A read that was refused waits for its time. */
export const dueIn = sql<number>`case when (hints > hints_read or pending_seq is not null)
    and not (property_refused is not null and coalesce(property_due > now(), false)) then 0
  else greatest(0, extract(epoch from least(property_due, field_due) - now()) * 1000)::float8 end`;

/** Milliseconds until an issue has due work; no row where it has none. */
export const nextDue = statement<TenantIssue, { after: number }>((db, { tenant, issue }) =>
  db
    .selectFrom('sync')
    .select(dueIn.as('after'))
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
 * hint. `account` is the author, `null` if it is known to be the app, and where the event may be of another property. Returns whether the
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
        actors: sql<string[]>`sync.actors[1:${sql.lit(MOST_ACTORS - 1)}] || excluded.actors`,
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

/** Due times of copies that are due, not later than now. */
const dueNow = {
  property_due: sql<Date | null>`case when property_due is not null then least(property_due, now()) end`,
  field_due: sql<Date | null>`case when field_due is not null then least(field_due, now()) end`,
};

/** Makes all due copies of a tenant due now. Returns a row for each issue with work, and whether only refused copies wait. */
export const makeAllDue = statement<{ tenant: string }, { issue: string; isRefused: boolean }>((db, { tenant }) =>
  db
    .updateTable('sync')
    .set(dueNow)
    .where('tenant', '=', tenant)
    .where(hasWork)
    .returning([
      'issue',
      sql<boolean>`hints <= hints_read and pending_seq is null and (property_due is null or property_refused is not null)
        and (field_due is null or field_refused is not null)`.as('isRefused'),
    ]),
);

/** Makes the copies of one issue due now that are due later, or not known to hold the newest revision. */
export const makeIssueDue = statement((db, values: TenantIssue & { hasField: boolean }) =>
  db
    .updateTable('sync')
    .from('checklist')
    .set({
      property_due: sql<Date | null>`case when sync.property_due is not null then least(sync.property_due, now())
        when checklist.mirrored and checklist.seq > 0 and ${isPropertyOld} then now() end`,
      field_due: sql<Date | null>`case when sync.field_due is not null then least(sync.field_due, now())
        when ${values.hasField}::boolean and checklist.mirrored and checklist.seq > 0 and ${isFieldOld} then now() end`,
    })
    .where('sync.tenant', '=', values.tenant)
    .where('sync.issue', '=', values.issue)
    .whereRef('checklist.tenant', '=', 'sync.tenant')
    .whereRef('checklist.issue', '=', 'sync.issue'),
);

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
          or (field_refused is null and field_due is null and not ${isFieldOld}))))`.as('isEqual'),
      sql<boolean>`sync.missing is not null`.as('isMissing'),
      sql<boolean>`property_refused is not null or field_refused is not null`.as('isRefused'),
      sql<string | null>`coalesce(property_notice, notice)`.as('notice'),
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

/** Maximum number of copies that are made due at once, and seconds between two of them. */
const BEHIND = { most: 500, pace: 1 };

/**
 * Makes copies due that differ from the newest revision without a time for their next try. Copies of unknown revisions
 * are left out. Returns the issues, and the milliseconds until each is due.
 */
export const makeBehindDue = statement<{ tenant: string; hasField: boolean }, { issue: string; after: number }>(
  (db, { tenant, hasField }) =>
    db
      .with('behind', each =>
        each
          .selectFrom('sync')
          .innerJoin('checklist', join =>
            join.onRef('checklist.tenant', '=', 'sync.tenant').onRef('checklist.issue', '=', 'sync.issue'),
          )
          .select([
            'sync.issue',
            isPropertyBehind.as('property'),
            sql<boolean>`${hasField}::boolean and ${isFieldBehind}`.as('field'),
            sql<number>`(row_number() over (order by sync.issue) - 1)::integer * ${sql.lit(BEHIND.pace)}`.as('after'),
          ])
          .where('sync.tenant', '=', tenant)
          .where('checklist.mirrored', '=', true)
          .where('checklist.seq', '>', 0)
          .where(
            sql<boolean>`sync.missing is null and (${isPropertyBehind} or (${hasField}::boolean and ${isFieldBehind}))`,
          )
          .orderBy('sync.issue')
          .limit(BEHIND.most),
      )
      .updateTable('sync')
      .from('behind')
      .set({
        property_due: sql<Date | null>`case when behind.property then now() + make_interval(secs => behind.after)
          else property_due end`,
        field_due: sql<Date | null>`case when behind.field then now() + make_interval(secs => behind.after) else field_due end`,
      })
      .where('sync.tenant', '=', tenant)
      .whereRef('sync.issue', '=', 'behind.issue')
      .returning(['sync.issue', sql<number>`behind.after * 1000`.as('after')]),
);

/** Copies that are not written, by reason. */
export interface RefusedCopies {
  copy: CopyName | ProjectCopyName;
  reason: string;
  /** Number of issues; 0 for copies in projects. */
  issues: number;
  /** Number of projects, and keys of the first ones; 0 and none for copies of checklists. */
  projects: number;
  projectKeys: readonly string[];
  /** When the first of them is tried again; `null` where all are of missing issues. */
  next: Date | null;
}

/** Keys of projects that are named. */
const NAMED_PROJECTS = 5;

/** The scope of counted refused copies; without a tenant, of all in a transaction that sees them. */
export interface RefusedScope {
  tenant?: string;
  /** Id of a project. */
  project?: string;
}

/** Counts the copies that are not written, by reason. Those of missing issues, too, which sweeps look for. */
export const countRefused = ({ tenant, project }: RefusedScope = {}) => {
  const own = tenant === undefined ? sql`true` : sql`tenant = ${tenant}`;
  const ofIssues =
    project === undefined
      ? own
      : sql`${own} and exists (select from checklist where checklist.tenant = sync.tenant
          and checklist.issue = sync.issue and checklist.project = ${project})`;
  const ofProjects = project === undefined ? own : sql`${own} and project = ${project}`;
  return sql<RefusedCopies>`
    select 'property' as copy, property_refused as reason, count(*)::integer as issues, 0 as projects,
        '{}'::text[] as "projectKeys", min(property_due) filter (where missing is null) as next from sync
      where property_refused is not null and ${ofIssues} group by property_refused
    union all
    select 'field', field_refused, count(*)::integer, 0, '{}', min(field_due) filter (where missing is null) from sync
      where field_refused is not null and ${ofIssues} group by field_refused
    union all
    select copy, refused, 0, count(*)::integer, (array_agg(key order by key))[1:${sql.lit(NAMED_PROJECTS)}], min(due)
      from project_copy where ${ofProjects} group by copy, refused`;
};
