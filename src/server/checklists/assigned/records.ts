import { sql } from 'kysely';
import type { Tx } from '../../store/tables.ts';
import type { ItemPosition } from './cursor.ts';
import type { AssignedFilter, AssignedOrder, DueTime } from './types.ts';

/** Whose items, and which of them. */
export interface Wanted {
  tenant: string;
  account: string;
  filter: AssignedFilter;
  /** ISO day. */
  today: string;
}

/** After all days. */
const NEVER = '9999-99-99';

/** The line as people read it: nobody looks for account ids. */
const words = sql`regexp_replace(text, '\\[~accountid:[^\\]]*\\]', '', 'g')`;

const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function fitting(tx: Tx, { tenant, account, filter, today }: Wanted) {
  const { checked, status, project, overdue, text } = filter;
  let query = tx.selectFrom('assigned_item').where('tenant', '=', tenant).where('account', '=', account);
  if (checked !== undefined) query = query.where('checked', '=', checked);
  if (status !== undefined) query = query.where('status', '=', status);
  if (project !== undefined) query = query.where('project', '=', project);
  if (overdue) query = query.where('checked', '=', false).where('due', '<', today);
  if (!text) return query;
  const like = pattern(text);
  // What does not stand there at all need not be looked at twice.
  const inLine = sql<boolean>`(text ilike ${like} and ${words} ilike ${like})`;
  return query.where(({ eb, or }) => or([inLine, eb('called', 'ilike', like)]));
}

// Days and ids are compared byte by byte: their order is none of a language.
const dueOf = sql<string>`coalesce(due, ${sql.lit(NEVER)}) collate "C"`;
const issueOf = sql<string>`issue collate "C"`;

/** What comes after a place. Ids of issues are numbers of any length. */
function after(order: AssignedOrder, { issue, position, due }: ItemPosition) {
  const length = issue.length;
  return order === 'due'
    ? sql<boolean>`(${dueOf}, length(issue), ${issueOf}, position) > (${due ?? NEVER}, ${length}, ${issue}, ${position})`
    : sql<boolean>`((length(issue), ${issueOf}) < (${length}, ${issue}) or (issue = ${issue} and position > ${position}))`;
}

const COLUMNS = [
  'issue',
  'project',
  'called',
  'position',
  'row',
  'text',
  'status',
  'checked',
  'mandatory',
  'due',
] as const;

/** Somebody's items from a place on. */
export function loadItems(
  tx: Tx,
  wanted: Wanted,
  { order, from, limit }: { order: AssignedOrder; from: ItemPosition | undefined; limit: number },
) {
  const all = fitting(tx, wanted).select(COLUMNS);
  const rest = from ? all.where(after(order, from)) : all;
  const ordered =
    order === 'due'
      ? rest.orderBy(dueOf).orderBy(sql`length(issue)`).orderBy(issueOf)
      : rest.orderBy(sql`length(issue)`, 'desc').orderBy(issueOf, 'desc');
  return ordered.orderBy('position').limit(limit).execute();
}

export type LoadedItem = Awaited<ReturnType<typeof loadItems>>[number];

/** How many of them each of these issues has. */
export async function countIn(tx: Tx, wanted: Wanted, issues: readonly string[]): Promise<Map<string, number>> {
  const rows = await fitting(tx, wanted)
    .where('issue', '=', sql<string>`any(${[...issues]}::text[])`)
    .select(['issue', sql<number>`count(*)::int`.as('count')])
    .groupBy('issue')
    .execute();
  return new Map(rows.map(({ issue, count }) => [issue, count]));
}

/** The last day of the week that begins today. */
const lastDay = (today: string) => sql<string>`to_char(${today}::date + 6, 'YYYY-MM-DD')`;

/** How many there are of each kind that is counted, issue by issue. */
export function countKinds(tx: Tx, wanted: Wanted) {
  const { today } = wanted;
  const time = sql<DueTime>`case when due is null then 'none' when due < ${today} then 'past' when due = ${today} then 'today'
    when due <= ${lastDay(today)} then 'week' else 'later' end`;
  return fitting(tx, wanted)
    .select(['issue', 'project', 'status', 'checked', time.as('time'), sql<number>`count(*)::int`.as('count')])
    .groupBy([sql.ref('issue'), sql.ref('project'), sql.ref('status'), sql.ref('checked'), sql.lit(5)])
    .execute();
}

/** An issue of assigned items, as far as that is known. */
export interface Placed {
  issue: string;
  project: string | null;
  /** Its key and summary. */
  called: string | null;
}

/** Those of somebody's issues of which nobody knows what they are called, at most so many. */
export function loadUncalled(tx: Tx, { tenant, account }: Pick<Wanted, 'tenant' | 'account'>, limit: number) {
  return tx
    .selectFrom('assigned_item')
    .select(['issue', 'project', 'called'])
    .distinct()
    .where('tenant', '=', tenant)
    .where('account', '=', account)
    .where('called', 'is', null)
    .limit(limit)
    .execute();
}

/** Notes in which projects issues are, and what they are called. */
export async function notePlaced(tx: Tx, tenant: string, placed: readonly Placed[]): Promise<void> {
  const column = (name: keyof Placed) => sql`${placed.map(each => each[name])}::text[]`;
  await sql`update assigned_item set project = now.project, called = now.called
    from unnest(${column('issue')}, ${column('project')}, ${column('called')}) as now(issue, project, called)
    where tenant = ${tenant} and assigned_item.issue = now.issue
      and (assigned_item.project, assigned_item.called) is distinct from (now.project, now.called)`.execute(tx);
}

/** Notes that an issue may be called otherwise now. */
export async function forgetCalled(tx: Tx, { tenant, issue }: { tenant: string; issue: string }): Promise<void> {
  await tx
    .updateTable('assigned_item')
    .set({ called: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('called', 'is not', null)
    .execute();
}
