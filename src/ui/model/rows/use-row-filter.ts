import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { getUserProperty, setUserProperty } from '../../../client/tracker/properties.ts';
import { edition } from '../../../domain/edition.ts';
import { HIDE_COMPLETED, isYes, yesNo } from '../../../domain/storage.ts';
import { sections } from '../../../text/progress.ts';
import type { CheckboxRow, Checklist } from '../../../text/types.ts';
import { useBridge, useUser } from '../../shell/services/services.ts';
import { useToday } from '../today.ts';

/** Storage key of the last value, painted before the tracker answers. */
const STORED = keyOf(`${edition.key}.${HIDE_COMPLETED}`);

const save = (value: boolean) => safeStorage(openStorage()).set(STORED, yesNo(value));

/** The user's setting to hide completed items, for all issues (spec §3; §7, rows 5 to 7). */
export function useHideCompleted(): [boolean, (value: boolean) => void] {
  const bridge = useBridge();
  const { id, isAnonymous } = useUser();
  const [hide, setHide] = useState(() => isYes(safeStorage(openStorage()).get(STORED)));
  /** The user changed it: a later answer of the tracker is ignored. */
  const chosen = useRef(false);
  useEffect(() => {
    if (isAnonymous) return undefined;
    let wanted = true;
    getUserProperty(bridge, id, HIDE_COMPLETED, 'false').then(
      value => {
        if (!wanted || chosen.current) return;
        setHide(isYes(value));
        save(isYes(value));
      },
      // Keeps the stored value.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [bridge, id, isAnonymous]);
  const change = useCallback(
    (value: boolean) => {
      chosen.current = true;
      setHide(value);
      save(value);
      if (isAnonymous) return;
      // Holds in this browser; the next click retries.
      setUserProperty(bridge, id, HIDE_COMPLETED, yesNo(value)).catch(() => undefined);
    },
    [bridge, id, isAnonymous],
  );
  return [hide, change];
}

/** Storage key of an issue's closed sections, in this browser only. */
const keyFor = (issueId: string) => keyOf(`${edition.key}.folded`, issueId);

export function readFolded(issueId: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(safeStorage(openStorage()).get(keyFor(issueId)) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter(name => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}

export function saveFolded(issueId: string, folded: ReadonlySet<string>): void {
  const safe = safeStorage(openStorage());
  if (folded.size === 0) safe.remove(keyFor(issueId));
  else safe.set(keyFor(issueId), JSON.stringify([...folded]));
}

/** The list's filter and its visible rows. */
export interface View {
  visible: VisibleRows;
  viewer: Viewer;
  filter: Filter;
  setFilter(filter: Filter): void;
  hideCompleted: boolean;
  setHideCompleted(value: boolean): void;
}

export interface UsedRowFilter {
  view: View;
  /** Opens or closes the section of the header at an index of the newest snapshot. */
  fold(checklist: Checklist, index: number, closed: boolean): void;
}

const nothing: VisibleRows = { shown: [], hidden: 0, folded: new Set() };

export function useRowFilter(issueId: string, checklist: Checklist | undefined): UsedRowFilter {
  const { id: me } = useUser();
  const [filter, setFilter] = useState(noFilter);
  const [names, setNames] = useState(() => readFolded(issueId));
  const [hideCompleted, setHideCompleted] = useHideCompleted();
  const today = useToday();
  const viewer = useMemo(() => ({ me, today }), [me, today]);
  const visible = useMemo(
    () => (checklist ? visibleRows(checklist, { filter, viewer, hideCompleted, folded: names }) : nothing),
    [checklist, filter, viewer, hideCompleted, names],
  );
  const fold = useCallback(
    (from: Checklist, index: number, closed: boolean) => {
      const name = foldNames(from).get(index);
      if (name === undefined) return;
      setNames(before => {
        const next = new Set(before);
        if (closed) next.add(name);
        else next.delete(name);
        saveFolded(issueId, next);
        return next;
      });
    },
    [issueId],
  );
  return { view: { visible, viewer, filter, setFilter, hideCompleted, setHideCompleted }, fold };
}

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
