import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { isFieldDue, isPropertyDue, isUnread } from '../checklists/commit/due.ts';
import { type Derived, derivation } from '../checklists/decide/derived.ts';
import { isSameProperty, isSameToReaders } from '../checklists/decide/property.ts';
import { type Version, versionShape } from '../checklists/decide/state.ts';
import { newestFirst, type TenantIssue, VERSION_COLUMNS, withNewest } from '../checklists/read/revisions.ts';
import { fieldOf, sameField, storedProperty } from '../checklists/read/stored.ts';
import type { Tenant } from '../platform/tenants.ts';
import { readIssues } from '../platform/tracker/bulk-issues.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import type { TrackerIssue } from '../platform/tracker/issue.ts';
import type { SiteStatuses } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { dropLostUses, issuesWithLostUses } from '../templates/uses.ts';
import type { OwnTexts } from '../text-workers/pool.ts';

/*
 * Compares what is stored beside the text of known issues with fresh readings: the tracker's copies, the indexes, and
 * whether there is a job or a time for what is due. Reads a hundred issues by one call, and writes nothing.
 */

export const storedThings = [
  ...(['property', 'field', 'verdict', 'items', 'statuses', 'counts', 'templates', 'schedule', 'text'] as const),
] as const;
export type StoredThing = (typeof storedThings)[number];

/**
 * A copy in the tracker, compared with the newest revision: `waits` if it differs and is read or written later, `off`
 * if it is not written.
 */
export type CopyState = 'equal' | 'waits' | 'differs' | 'off';

export interface CheckedCopy {
  state: CopyState;
  /** The time of the next try; `null` also while the tracker does not show the issue, which each sweep looks for. */
  due: Date | null;
  /** Why the tracker refused the last write. */
  refused: string | null;
}

export interface CheckedIssue {
  issue: string;
  key: string | null;
  /** Number of the newest revision. */
  version: number;
  isShown: boolean;
  property: CheckedCopy;
  field: CheckedCopy;
  /** Parts that differ from a fresh reading while nothing is due that mends them. `text`: a stored value cannot be read. */
  differences: readonly StoredThing[];
}

/** Copies that the tracker refuses. */
export const refusedCopies = (checked: CheckedIssue): ('property' | 'field')[] =>
  (['property', 'field'] as const).filter(copy => typeof checked[copy].refused === 'string');

export const hasFinding = (checked: CheckedIssue): boolean =>
  checked.differences.length > 0 || refusedCopies(checked).length > 0;

export interface CheckSite {
  store: Store;
  tenant: Tenant;
  tracker: Tracker;
  field(): Promise<string | undefined>;
  registries(): Promise<SiteStatuses>;
  texts: Pick<OwnTexts, 'run'>;
}

const idsShape = v.array(v.string());

/** The time of a copy's next try: the end of a refused one's pause, else that of its job. */
const nextTry = (copy: 'property' | 'field') => sql<Date | null>`case
  when ${sql.ref(`${copy}_refused`)} is not null then ${sql.ref(`${copy}_retry`)}
  else (select queue.due from queue where queue.tenant = sync.tenant and queue.key = sync.issue
    and queue.name = ${sql.lit(`write-${copy}`)} and queue.failed is null) end`;

const loadStored = (tx: Tx, tenant: string, ids: readonly string[]) =>
  withNewest(tx)
    .innerJoin('sync', join =>
      join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
    )
    .select(VERSION_COLUMNS.map(column => `revision.${column}` as const))
    .select(['checklist.issue', 'checklist.key', 'checklist.project', 'checklist.mirrored', 'checklist.seq as newest'])
    .select(['checklist.items', 'checklist.open', 'checklist.open_mandatory', 'checklist.due'])
    .select(['property_refused', 'property_written', 'field_refused', 'field_text', 'missing', 'verdict'])
    .select([
      ...[isUnread.as('isUnread'), isPropertyDue.as('isPropertyDue'), isFieldDue.as('isFieldDue')],
      ...[nextTry('property').as('propertyTry'), nextTry('field').as('fieldTry')],
      sql<boolean>`coalesce(property_seen is not null, false)`.as('isForeign'),
      sql<boolean>`exists (select from queue where queue.tenant = checklist.tenant and queue.key = checklist.issue
        and queue.name in ('sync', 'write-property', 'write-field') and queue.failed is null)`.as('hasJob'),
    ])
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', 'in', ids)
    .where('checklist.seq', '>', 0)
    .orderBy('checklist.issue')
    .execute();
type Stored = Awaited<ReturnType<typeof loadStored>>[number];

const loadItems = (tx: Tx, tenant: string, ids: readonly string[]) =>
  tx
    .selectFrom('assigned_item')
    .select(['issue', 'position', 'row', 'account', 'text', 'status', 'checked', 'mandatory', 'due', 'section'])
    .where('tenant', '=', tenant)
    .where('issue', 'in', ids)
    .orderBy('position')
    .execute();

const loadUses = (tx: Tx, tenant: string, ids: readonly string[]) =>
  tx
    .selectFrom('status_use')
    .select(['issue', 'slug', 'items'])
    .where('tenant', '=', tenant)
    .where('issue', 'in', ids)
    .execute();

interface Indexed {
  items: Awaited<ReturnType<typeof loadItems>>;
  uses: Awaited<ReturnType<typeof loadUses>>;
}

/** The indexes that differ from a fresh reading. */
function indexDifferences(stored: Stored, { items, uses }: Indexed, { index }: Derived): StoredThing[] {
  const { items: total, open, mandatory, due } = index.counts;
  const storedItems = items.map(({ issue: _, ...item }) => item);
  const assigned = index.assigned.map(({ assigner: _, ...item }) => item);
  const storedUses = new Map(uses.map(({ slug, items: count }) => [slug, count]));
  const storedCounts = [stored.items, stored.open, stored.open_mandatory, stored.due];
  return [
    ...(isDeepStrictEqual(storedItems, assigned) ? [] : (['items'] as const)),
    ...(isDeepStrictEqual(storedUses, new Map(index.statuses)) ? [] : (['statuses'] as const)),
    ...(isDeepStrictEqual(storedCounts, [total, open, mandatory, due]) ? [] : (['counts'] as const)),
  ];
}

/** Whether the issue counts as missing, though the tracker shows it, and no job reads it before the next sweep. */
const isForgotten = ({ missing, hasJob }: Stored, isShown: boolean): boolean => missing !== null && isShown && !hasJob;

/** The states of an issue's copies. */
function copyStates(
  stored: Stored,
  issue: TrackerIssue,
  { version, derived, field }: { version: Version; derived: Derived; field: string | undefined },
): Record<'property' | 'field', CopyState> {
  if (!stored.mirrored) return { property: 'off', field: 'off' };
  const stateOf = (isEqual: boolean, isDue: boolean): CopyState =>
    isEqual ? 'equal' : (isDue || stored.isUnread) && !isForgotten(stored, true) ? 'waits' : 'differs';
  const property = storedProperty(issue);
  const isProperty =
    isSameProperty(issue.property, derived.property) ||
    // Another app's value with the same text stays until it is changed.
    (stored.isForeign && 'text' in property && property.text === version.text) ||
    // So does the value of an earlier installation or of a copied issue, as it was when it was adopted.
    (stored.property_written === null && isSameToReaders(issue.property, derived.property));
  const currentField = fieldOf(issue, field);
  const isField =
    currentField &&
    (sameField(currentField.text, version.text) ||
      // The tracker may store the written text in another form.
      (stored.field_text !== null &&
        sameField(currentField.text, stored.field_text) &&
        sameField(stored.field_text, version.text)));
  return {
    property: stateOf(isProperty, stored.isPropertyDue),
    field: isField === undefined ? 'off' : stateOf(isField, stored.isFieldDue),
  };
}

/** Whether something is due, but no job would do it before the next search for lost work. */
function isUnscheduled(stored: Stored, isShown: boolean): boolean {
  if (stored.missing !== null) return isForgotten(stored, isShown);
  return !stored.hasJob && (stored.isUnread || stored.isPropertyDue || stored.isFieldDue);
}

/** An issue whose newest revision is not stored: what its copies hold cannot be compared, and is read again. */
const withoutText = (
  { issue, key, newest, property_refused, field_refused }: Stored,
  isShown: boolean,
): CheckedIssue => ({
  ...{ issue, key, version: newest, isShown },
  property: { state: 'differs', due: null, refused: property_refused },
  field: { state: 'off', due: null, refused: field_refused },
  differences: ['text', 'property'],
});

/** Compares the stored data of known issues with fresh readings. At most `MAX_ISSUES` (`bulk-issues.ts`) at once. */
export async function checkIssues(site: CheckSite, ids: readonly string[]): Promise<CheckedIssue[]> {
  if (ids.length === 0) return [];
  const field = await site.field();
  // Before the database: a write meanwhile is not a difference then, but due or equal.
  const shown = await readIssues(site.tracker, ids, field === undefined ? [] : [{ id: field, name: '' }]);
  return compareIssues(site, ids, shown, field);
}

/** Compares the stored data of known issues with given readings. An issue without a reading counts as not shown. */
export async function compareIssues(
  { store, tenant, texts, ...site }: Omit<CheckSite, 'tracker' | 'field'>,
  ids: readonly string[],
  shown: ReadonlyMap<string, TrackerIssue>,
  field: string | undefined,
): Promise<CheckedIssue[]> {
  const { all, items, uses, withLostUses } = await store.tenant(tenant.id, async tx => ({
    all: await loadStored(tx, tenant.id, ids),
    withLostUses: await issuesWithLostUses(tx, tenant.id, ids),
    items: await loadItems(tx, tenant.id, ids),
    uses: await loadUses(tx, tenant.id, ids),
  }));
  const registries = await site.registries();
  const checked: CheckedIssue[] = [];
  for (const stored of all) {
    const { issue, key } = stored;
    const statuses = registries.listOf(stored.project ?? undefined);
    const version = readAs(versionShape, stored);
    if (!version) {
      checked.push(withoutText(stored, shown.has(issue)));
      continue;
    }
    const derived = await texts.run(derivation, { version, statuses });
    const ofIssue = <Row extends { issue: string }>(rows: readonly Row[]) => rows.filter(row => row.issue === issue);
    const shownIssue = shown.get(issue);
    const dueOf = (due: Date | null) => (stored.missing === null ? due : null);
    const states = shownIssue
      ? copyStates(stored, shownIssue, { version, derived, field })
      : ({ property: 'off', field: 'off' } as const);
    checked.push({
      ...{ issue, key, version: version.seq, isShown: shownIssue !== undefined },
      property: { state: states.property, due: dueOf(stored.propertyTry), refused: stored.property_refused },
      field: { state: states.field, due: dueOf(stored.fieldTry), refused: stored.field_refused },
      differences: [
        ...(readAs(idsShape, stored.rows) === undefined ? (['text'] as const) : []),
        ...(['property', 'field'] as const).filter(copy => states[copy] === 'differs'),
        // A copy that is written again gets the verdict of its text.
        ...(states.property === 'equal' && stored.verdict !== derived.verdict ? (['verdict'] as const) : []),
        ...indexDifferences(stored, { items: ofIssue(items), uses: ofIssue(uses) }, derived),
        ...(withLostUses.includes(issue) ? (['templates'] as const) : []),
        ...(isUnscheduled(stored, shownIssue !== undefined) ? (['schedule'] as const) : []),
      ],
    });
  }
  return checked;
}

export interface CheckScope {
  project?: string | undefined;
  issue?: string | undefined;
}

/** Without the issues that were forgotten, whose copies are not known (`forget`). */
const knownIn = (tx: Tx, tenant: string, { project, issue }: CheckScope) =>
  tx
    .selectFrom('checklist')
    .where('tenant', '=', tenant)
    .where('seq', '>', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sync')
          .select('sync.issue')
          .whereRef('sync.tenant', '=', 'checklist.tenant')
          .whereRef('sync.issue', '=', 'checklist.issue'),
      ),
    )
    .$if(project !== undefined, query => query.where('project', '=', project ?? ''))
    .$if(issue !== undefined, query => query.where('issue', '=', issue ?? ''));

/** How many issues of a scope have a checklist. */
export async function countKnown(store: Store, tenant: string, scope: CheckScope): Promise<number> {
  const { count } = await store.tenant(tenant, tx =>
    knownIn(tx, tenant, scope).select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow(),
  );
  return count;
}

/** The id of a known issue, by its id or key. */
export async function findKnown(store: Store, tenant: string, issueIdOrKey: string): Promise<string | undefined> {
  const row = await store.tenant(tenant, tx =>
    knownIn(tx, tenant, {})
      .select('issue')
      .where(({ or, eb }) => or([eb('issue', '=', issueIdOrKey), eb('key', '=', issueIdOrKey)]))
      .executeTakeFirst(),
  );
  return row?.issue;
}

/** The next known issues of a scope after the given one, by id. */
export async function knownIssues(
  store: Store,
  tenant: string,
  scope: CheckScope,
  { after, most }: { after: string; most: number },
): Promise<string[]> {
  const rows = await store.tenant(tenant, tx =>
    knownIn(tx, tenant, scope).select('issue').where('issue', '>', after).orderBy('issue').limit(most).execute(),
  );
  return rows.map(row => row.issue);
}

/** Makes the newest stored revision that of the checklist, if the one that it names is not stored. */
async function toStoredRevision(tx: Tx, place: TenantIssue): Promise<void> {
  const { tenant, issue } = place;
  const [at] = await withNewest(tx)
    .select('revision.seq')
    .where('checklist.tenant', '=', tenant)
    .where('checklist.issue', '=', issue)
    .execute();
  const newest = at?.seq === null ? await newestFirst(tx, place).limit(1).executeTakeFirst() : undefined;
  if (!newest) return;
  const { epoch, seq } = newest;
  await tx
    .updateTable('checklist')
    .set({ epoch, seq })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
}

/** Makes an issue's indexes stale, whatever they were made of, and deletes or empties what no reading of the text makes anew. */
export async function resetDerived(store: Store, tenant: string, issue: string): Promise<void> {
  await store.tenant(tenant, async tx => {
    await dropLostUses(tx, tenant, issue);
    await tx
      .updateTable('checklist')
      .set({ indexed_seq: null, indexed_registry: null })
      .where('tenant', '=', tenant)
      .where('issue', '=', issue)
      .execute();
    await tx
      .updateTable('revision')
      .set({ rows: '[]' })
      .where('tenant', '=', tenant)
      .where('issue', '=', issue)
      .where(sql<boolean>`(jsonb_typeof(rows) <> 'array' or jsonb_path_exists(rows, '$[*] ? (@.type() != "string")'))`)
      .execute();
    await toStoredRevision(tx, { tenant, issue });
  });
}
