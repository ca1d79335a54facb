import { sections } from '../../../text/progress.ts';
import type { CheckboxRow, Checklist } from '../../../text/types.ts';

/** Which items to show; an empty filter shows all. */
export interface Filter {
  /** Items assigned to the user. */
  mine: boolean;
  overdue: boolean;
  /** Slugs of statuses to show; empty for any status. */
  statuses: readonly string[];
}

export const noFilter: Filter = { mine: false, overdue: false, statuses: [] };

export const isFiltering = ({ mine, overdue, statuses }: Filter): boolean => mine || overdue || statuses.length > 0;

/** The user and the date. */
export interface Viewer {
  /** Account id. */
  me: string;
  /** ISO day in the user's time zone. */
  today: string;
}

export const isOverdue = ({ status, dueDate }: CheckboxRow, today: string): boolean =>
  !status.checked && dueDate !== undefined && dueDate < today;

export function matches(row: CheckboxRow, filter: Filter, { me, today }: Viewer): boolean {
  if (filter.mine && row.assignee !== me) return false;
  if (filter.overdue && !isOverdue(row, today)) return false;
  return filter.statuses.length === 0 || filter.statuses.includes(row.status.slug);
}

export interface ListView {
  filter: Filter;
  viewer: Viewer;
  hideCompleted: boolean;
  /** Headers whose sections are closed, by `foldNames`. */
  folded: ReadonlySet<string>;
}

/** The rows of a checklist that pass the filter and are in open sections. */
export interface VisibleRows {
  /** Indices of the rows that show, in text order. */
  shown: readonly number[];
  /** The number of completed items hidden only because they are completed. */
  hidden: number;
  /** Indices of the headers whose sections are closed. */
  folded: ReadonlySet<number>;
}

/** A key for each header by its index, stable while its text is: headers with equal text are numbered. */
export function foldNames({ rows }: Pick<Checklist, 'rows'>): ReadonlyMap<number, string> {
  const counts = new Map<string, number>();
  const names = new Map<number, string>();
  rows.forEach(({ kind, text }, index) => {
    if (kind !== 'header') return;
    const nth = counts.get(text) ?? 0;
    counts.set(text, nth + 1);
    names.set(index, `${nth}/${text}`);
  });
  return names;
}

/**
 * The rows to show. A filter also shows matches in closed sections, and only headers with a match below; a status filter
 * overrides `hideCompleted`.
 */
export function visibleRows(checklist: Checklist, { filter, viewer, hideCompleted, folded }: ListView): VisibleRows {
  const { rows } = checklist;
  const filtering = isFiltering(filter);
  const hides = hideCompleted && filter.statuses.length === 0;
  let hidden = 0;
  const shows: boolean[] = rows.map(row => {
    if (row.kind === 'header') return !filtering;
    if (filtering && !matches(row, filter, viewer)) return false;
    const completed = hides && row.status.checked;
    if (completed) hidden++;
    return !completed;
  });
  const closed = new Set<number>();
  if (filtering || folded.size > 0) {
    const names = foldNames(checklist);
    for (const { header, end } of sections(checklist)) {
      if (filtering) shows[header] = shows.slice(header + 1, end).includes(true);
      else if (folded.has(names.get(header) ?? '')) {
        closed.add(header);
        shows.fill(false, header + 1, end);
      }
    }
  }
  return { shown: rows.flatMap((_, index) => (shows[index] ? index : [])), hidden, folded: closed };
}
