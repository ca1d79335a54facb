import { sql } from 'kysely';
import type { Tx } from '../../store/tables.ts';
import type { ItemPosition } from './cursor.ts';
import type { AssignedFilter, AssignedOrder, AssignedWho, DueTime } from './types.ts';

/** The viewer's account, and whose items a query is about. */
export interface Scope {
  tenant: string;
  account: string;
  who: AssignedWho;
}

/** A scope with a filter. */
export interface FilteredScope extends Scope {
  filter: AssignedFilter;
  /** ISO day. */
  today: string;
}

/** Later than every day. */
const NO_DAY = '9999-99-99';

/** The line without account ids. */
const words = sql`regexp_replace(text, '\\[~accountid:[^\\]]*\\]', '', 'g')`;

const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The items of a scope. */
function itemsOf(tx: Tx, { tenant, account, who }: Scope) {
  const tenantItems = tx.selectFrom('assigned_item').where('tenant', '=', tenant);
  switch (who.kind) {
    case 'me':
      return tenantItems.where('account', '=', account);
    case 'byMe':
      return tenantItems.where('assigner', '=', account).whereRef('assigner', '<>', 'account');
    case 'myProjects': {
      const mine = tx.selectFrom('assigned_item').select('project').where('tenant', '=', tenant);
      return tenantItems.where('project', 'in', mine.where('account', '=', account).where('project', 'is not', null));
    }
    case 'project':
      return tenantItems.where('project', '=', who.id);
    case 'person':
      return tenantItems.where('account', '=', who.id);
  }
}

function fitting(tx: Tx, { filter, today, ...scope }: FilteredScope) {
  const { checked, status, project, overdue, text } = filter;
  let query = itemsOf(tx, scope);
  if (checked !== undefined) query = query.where('checked', '=', checked);
  if (status !== undefined) query = query.where('status', '=', status);
  if (project !== undefined) query = query.where('project', '=', project);
  if (overdue) query = query.where('checked', '=', false).where('due', '<', today);
  if (!text) return query;
  const like = pattern(text);
  // The first test is cheap.
  const inLine = sql<boolean>`(text ilike ${like} and ${words} ilike ${like})`;
  return query.where(({ eb, or }) => or([inLine, eb('called', 'ilike', like)]));
}

// Days and ids are compared by bytes, not by a language's collation.
const dueOf = sql<string>`coalesce(due, ${sql.lit(NO_DAY)}) collate "C"`;
const issueOf = sql<string>`issue collate "C"`;

/** Items after a position. Issue ids are numbers of any length. */
function after(order: AssignedOrder, { issue, position, due }: ItemPosition) {
  const length = issue.length;
  return order === 'due'
    ? sql<boolean>`(${dueOf}, length(issue), ${issueOf}, position) > (${due ?? NO_DAY}, ${length}, ${issue}, ${position})`
    : sql<boolean>`((length(issue), ${issueOf}) < (${length}, ${issue}) or (issue = ${issue} and position > ${position}))`;
}

const COLUMNS = [
  'issue',
  'project',
  'called',
  'position',
  'row',
  'section',
  'text',
  'status',
  'checked',
  'mandatory',
  'due',
] as const;

/** Items after a position. */
export function loadItems(
  tx: Tx,
  filteredScope: FilteredScope,
  { order, from, limit }: { order: AssignedOrder; from: ItemPosition | undefined; limit: number },
) {
  const fittingItems = fitting(tx, filteredScope).select(COLUMNS);
  const itemsAfter = from ? fittingItems.where(after(order, from)) : fittingItems;
  const ordered =
    order === 'due'
      ? itemsAfter.orderBy(dueOf).orderBy(sql`length(issue)`).orderBy(issueOf)
      : itemsAfter.orderBy(sql`length(issue)`, 'desc').orderBy(issueOf, 'desc');
  return ordered.orderBy('position').limit(limit).execute();
}

export type LoadedItem = Awaited<ReturnType<typeof loadItems>>[number];

/** Counts the matching items of each issue. */
export async function countIn(
  tx: Tx,
  filteredScope: FilteredScope,
  issues: readonly string[],
): Promise<Map<string, number>> {
  const rows = await fitting(tx, filteredScope)
    .where('issue', '=', sql<string>`any(${[...issues]}::text[])`)
    .select(['issue', sql<number>`count(*)::int`.as('count')])
    .groupBy('issue')
    .execute();
  return new Map(rows.map(({ issue, count }) => [issue, count]));
}

/** The last day of the seven days from today. */
const lastDay = (today: string) => sql<string>`to_char(${today}::date + 6, 'YYYY-MM-DD')`;

/** Counts by issue and each counted attribute, on the newest `most` issues. */
export function countKinds(tx: Tx, filteredScope: FilteredScope, most: number) {
  const { today } = filteredScope;
  const newest = fitting(tx, filteredScope)
    .select('issue')
    .groupBy('issue')
    .orderBy(sql`length(issue)`, 'desc')
    .orderBy(issueOf, 'desc')
    .limit(most);
  const time = sql<DueTime>`case when due is null then 'none' when due < ${today} then 'past' when due = ${today} then 'today'
    when due <= ${lastDay(today)} then 'week' else 'later' end`;
  return fitting(tx, filteredScope)
    .where('issue', 'in', newest)
    .select(['issue', 'project', 'status', 'checked', time.as('time'), sql<number>`count(*)::int`.as('count')])
    .groupBy([sql.ref('issue'), sql.ref('project'), sql.ref('status'), sql.ref('checked'), sql.lit(5)])
    .execute();
}

/** The project and name of an issue with assigned items. */
export interface PlacedIssue {
  issue: string;
  project: string | null;
  /** Its key and summary. */
  called: string | null;
}

/** The issues of a scope whose key and summary are not known. */
export function loadUnnamedIssues(tx: Tx, scope: Scope, limit: number) {
  return itemsOf(tx, scope)
    .select(['issue', 'project', 'called'])
    .distinct()
    .where('called', 'is', null)
    .limit(limit)
    .execute();
}

/** Stores projects, keys and summaries of issues. */
export async function notePlaced(tx: Tx, tenant: string, placed: readonly PlacedIssue[]): Promise<void> {
  const column = (name: keyof PlacedIssue) => sql`${placed.map(each => each[name])}::text[]`;
  await sql`update assigned_item set project = now.project, called = now.called
    from unnest(${column('issue')}, ${column('project')}, ${column('called')}) as now(issue, project, called)
    where tenant = ${tenant} and assigned_item.issue = now.issue
      and (assigned_item.project, assigned_item.called) is distinct from (now.project, now.called)`.execute(tx);
}

/** Invalidates an issue's key and summary. */
export async function forgetIssueName(tx: Tx, { tenant, issue }: { tenant: string; issue: string }): Promise<void> {
  await tx
    .updateTable('assigned_item')
    .set({ called: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('called', 'is not', null)
    .execute();
}
