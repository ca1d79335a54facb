import { isBuiltIn } from '../../../text/head.ts';
import { progressOf } from '../../../text/progress.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Row } from '../../../text/types.ts';
import type { AssignedItemTable } from '../../store/checklist-tables.ts';
import type { Version } from '../revisions.ts';

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
export function assignersOf(
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
export function assignedItems(rows: readonly Row[], ids: readonly string[]): AssignedItem[] {
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
export function statusCounts(rows: readonly Row[]): Map<string, number> {
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
export function countsOf(rows: readonly Row[]): ItemCounts {
  const { total, checked, mandatoryOpen } = progressOf(rows);
  const days = rows.flatMap(row => (row.kind === 'checkbox' && !row.status.checked && row.dueDate ? row.dueDate : []));
  const due = days.reduce<string | null>((first, day) => (first === null || day < first ? day : first), null);
  return { items: total, open: total - checked, mandatory: mandatoryOpen, due };
}

/** What the database indexes of a checklist. */
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
