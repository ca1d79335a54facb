import { type OpenItems, ruleKey } from '../../../domain/workflow/data.ts';
import { isBuiltIn } from '../../../text/head.ts';
import { progressOf } from '../../../text/progress.ts';
import { ruleCounts } from '../../../text/property/rules.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import type { AssignedItemTable } from '../../store/checklist-tables.ts';
import { hashText } from '../../text-workers/hash.ts';
import { readText, registryBy } from '../../text-workers/reading.ts';
import type { Ids } from './ids.ts';
import { eventsBetween, noticesOf } from './row-events.ts';
import { currentOf, type Revision, type Version } from './state.ts';
import type { DecideInput, Decision } from './types.ts';
import { callsFor } from './webhook-calls.ts';

/** Assignees by the persistent ids of their rows. */
type Assignees = ReadonlyMap<string, string>;
/** Accounts by the persistent ids of the rows that they assigned. */
type Assigners = ReadonlyMap<string, string>;

const assigneesIn = (rows: readonly Row[], { rows: ids }: Pick<Version, 'rows'>): Assignees =>
  new Map(
    rows.flatMap((row, index) =>
      row.kind === 'checkbox' && row.assignee !== undefined && ids[index] ? [[ids[index], row.assignee]] : [],
    ),
  );

/** Who assigned the rows whose assignees these revisions changed. */
function assignersOf(
  before: Version | null,
  revisions: readonly (Version & { account: string })[],
  rowsOf: (text: string) => readonly Row[],
): Assigners {
  const assigneesOf = (version: Version) => assigneesIn(rowsOf(version.text), version);
  const assigners = new Map<string, string>();
  let previous = before ? assigneesOf(before) : undefined;
  for (const revision of revisions) {
    const assignees = assigneesOf(revision);
    for (const [id, assignee] of assignees) if (previous?.get(id) !== assignee) assigners.set(id, revision.account);
    previous = assignees;
  }
  return assigners;
}

/** An assigned item as the index stores it, apart from what the issue and the change say. */
export type AssignedItem = Pick<
  AssignedItemTable,
  'position' | 'row' | 'account' | 'text' | 'status' | 'checked' | 'mandatory' | 'due' | 'section'
>;

/** The assigned items of a checklist. `ids` are the persistent ids of its rows. */
function assignedItems(rows: readonly Row[], ids: readonly string[]): AssignedItem[] {
  let section: string | null = null;
  const items: AssignedItem[] = [];
  for (const [position, row] of rows.entries()) {
    if (row.kind === 'header') section = row.words || null;
    else if (row.assignee !== undefined) {
      const { assignee: account, text, mandatory, dueDate: due = null } = row;
      const { slug: status, checked } = row.status;
      items.push({ position, row: ids[position] ?? null, account, text, status, checked, mandatory, due, section });
    }
  }
  return items;
}

/** Counts the items with custom statuses, by slug. */
function statusCounts(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.kind === 'header' || isBuiltIn(row.status)) continue;
    counts.set(row.status.slug, (counts.get(row.status.slug) ?? 0) + 1);
  }
  return counts;
}

/** The counts that a search of checklists reads. */
export interface ItemCounts {
  items: number;
  open: number;
  mandatory: number;
  due: string | null;
}

/** Counts a checklist's items for a search, and finds the first day on which an open one is due. */
function countsOf(rows: readonly Row[]): ItemCounts {
  const { total, checked, mandatoryOpen } = progressOf(rows);
  const days = rows.flatMap(row => (row.kind === 'checkbox' && !row.status.checked && row.dueDate ? row.dueDate : []));
  const due = days.reduce<string | null>((first, day) => (first === null || day < first ? day : first), null);
  return { items: total, open: total - checked, mandatory: mandatoryOpen, due };
}

/** The parts of a checklist that the database indexes. */
export interface ChecklistIndex {
  /** The assigned items; the assigner is `null` if these revisions did not assign the item. */
  assigned: (AssignedItem & { assigner: string | null })[];
  counts: ItemCounts;
  /** Numbers of items by the slugs of custom statuses; `undefined` if there are no custom statuses. */
  statuses: [slug: string, items: number][] | undefined;
}

/** Makes the index of a text's rows. `ids` are their persistent ids. */
export function indexOf(
  rows: readonly Row[],
  ids: readonly string[],
  statuses: StatusRegistry,
  assigners: Assigners = new Map(),
): ChecklistIndex {
  return {
    assigned: assignedItems(rows, ids).map(item => ({
      ...item,
      assigner: (item.row !== null && assigners.get(item.row)) || null,
    })),
    counts: countsOf(rows),
    statuses: statuses.list.every(isBuiltIn) ? undefined : [...statusCounts(rows)],
  };
}

/** The status of most finished items; its first use decides nothing. */
const DONE_KEY = ruleKey('Done');

/** Which sentences about open items are said at all. */
function openParts({ all, mandatory, sections, gates }: OpenItems): unknown {
  const open = (sentences: Record<string, string>) =>
    Object.entries(sentences).map(([name, text]) => [name, text !== '']);
  return [all !== '', mandatory !== '', open(sections), open(gates)];
}

/**
 * Hashes what workflow rules decide by: whether all items, all mandatory ones, which sections and which gates are done, and
 * which statuses besides "Done" are in use. Rules do not distinguish checklists with the same verdict, except by percent
 * and day.
 */
export function verdictOf(checklist: Checklist): string {
  const data = ruleCounts(checklist);
  const used = Object.keys(data.statuses).filter(name => name !== DONE_KEY && data.statuses[name] !== '');
  return hashText(JSON.stringify([data.total > 0, openParts(data), data.strict && openParts(data.strict), used]));
}

/** Background changes without events: they only write the text in another way, or take it over. */
const silent: readonly string[] = ['bringStatuses', 'inherited', 'erasePerson'];

/**
 * Computes what follows from new revisions: the index of the newest text, its verdict, calls of webhooks, and notifications. The
 * first copies of an issue have no events: they were made before the database knew the issue.
 */
export function consequencesOf(
  { issue, state, statuses: entries, project, now }: DecideInput,
  revisions: readonly Revision[],
  ids: Ids,
): Omit<Decision, 'outcomes' | 'revisions'> {
  const statuses = registryBy(entries);
  const before = currentOf(state);
  const newest = revisions.at(-1) ?? state.last;
  const isMoved = state.checklist !== null && project !== (state.checklist.project ?? undefined);
  const events: Pick<Decision, 'calls' | 'notices'> = { calls: [], notices: [] };
  if (!newest || (revisions.length === 0 && !isMoved)) return { newest: undefined, ...events };

  const checklist = readText(newest.text, statuses, before.text);
  const rowsOf = (text: string) => readText(text, statuses).rows;
  const assigners = state.checklist ? assignersOf(state.last, revisions, rowsOf) : undefined;
  const index = indexOf(checklist.rows, newest.rows, statuses, assigners);
  let previous = before;
  for (const revision of state.checklist ? revisions : []) {
    const { account, kind, epoch, seq } = revision;
    const [was, is] = [previous, revision].map(({ text, rows }) => ({ rows: rowsOf(text), ids: rows }));
    previous = revision;
    if (silent.includes(kind) || !was || !is) continue;
    const rowEvents = eventsBetween(was, is);
    const change = { issue, project, account, kind, epoch, seq, events: rowEvents };
    events.calls.push(...callsFor(state.webhooks, change, new Date(now), ids.uuid));
    events.notices.push(...noticesOf(rowEvents, account));
  }
  return { newest: { index, verdict: verdictOf(checklist) }, ...events };
}
