import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { getUserProperty, setUserProperty } from '../../../client/tracker/properties.ts';
import { edition } from '../../../domain/edition.ts';
import { HIDE_COMPLETED, isYes, yesNo } from '../../../domain/storage.ts';
import { sections } from '../../../text/progress.ts';
import type { Checklist } from '../../../text/types.ts';
import { useBridge, useUser } from '../../shell/services/services.ts';
import { useToday } from '../today.ts';

/** The last value, painted before the tracker answers. */
const STORED_HIDE_KEY = keyOf(`${edition.key}.${HIDE_COMPLETED}`);

const save = (value: boolean) => safeStorage(openStorage()).set(STORED_HIDE_KEY, yesNo(value));

/** The user's setting to hide completed items, for all issues. */
export function useHideCompleted(): [boolean, (value: boolean) => void] {
  const bridge = useBridge();
  const { id, isAnonymous } = useUser();
  const [hide, setHide] = useState(() => isYes(safeStorage(openStorage()).get(STORED_HIDE_KEY)));
  /** The user changed it: a later answer of the tracker is ignored. */
  const chosen = useRef(false);
  useEffect(() => {
    if (isAnonymous) return undefined;
    let isCurrent = true;
    getUserProperty(bridge, id, HIDE_COMPLETED, 'false').then(
      value => {
        if (!isCurrent || chosen.current) return;
        setHide(isYes(value));
        save(isYes(value));
      },
      // Keeps the stored value.
      () => undefined,
    );
    return () => {
      isCurrent = false;
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

/** Storage keys of an issue's closed sections, and of the choice to show all rows; in this browser only. */
const keyFor = (issueId: string) => keyOf(`${edition.key}.folded`, issueId);
const allKeyFor = (issueId: string) => keyOf(`${edition.key}.all-rows`, issueId);

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

/** Which rows to show. */
export interface Filter {
  /** Words that a row has to contain, in any order. */
  words: string;
  /** Account ids of assignees, any of them; `''` for items without one. */
  people: readonly string[];
  overdue: boolean;
  mandatory: boolean;
  /** Slugs of statuses, any of them. */
  statuses: readonly string[];
}

/** Whether each row passes a filter, by index; part of the panel's tools, which the first rows do not wait for. */
export type RowTest = (checklist: Checklist, filter: Filter, viewer: Viewer) => readonly boolean[];

/** The user and the date. */
export interface Viewer {
  /** Account id. */
  me: string;
  /** ISO day in the user's time zone. */
  today: string;
}

/** The list's filter and its visible rows. */
export interface View {
  visible: VisibleRows;
  viewer: Viewer;
  filter: Filter | undefined;
  /** The rows that `pin` has shown stay with `keepPinned`. */
  setFilter(filter: Filter | undefined, test?: RowTest, keepPinned?: boolean): void;
  hideCompleted: boolean;
  setHideCompleted(value: boolean): void;
  /** Shows rows of these keys, unless their section is closed, until the filter changes. */
  pin(keys: readonly number[]): void;
  /** Shows all rows of a long list, or the first ones; remembered for the issue unless `briefly`. */
  setAll(all: boolean, briefly?: boolean): void;
  /** Opens or closes the section of the header at an index of the newest snapshot, or all sections. */
  fold(checklist: Checklist, index: number | undefined, closed: boolean): void;
}

const nothing: VisibleRows = { shown: [], items: 0, hidden: 0, more: 0, long: false, folded: new Set() };

export function useRowFilter(issueId: string, checklist: Checklist | undefined, keys: readonly number[]): View {
  const { id: me } = useUser();
  const [{ filter, test }, setTested] = useState<{ filter?: Filter | undefined; test?: RowTest | undefined }>({});
  const [names, setNames] = useState(() => readFolded(issueId));
  const [pinned, pin] = useState<readonly number[]>([]);
  const [all, setAll] = useState(() => isYes(safeStorage(openStorage()).get(allKeyFor(issueId))));
  const [hideCompleted, setHideCompleted] = useHideCompleted();
  const today = useToday();
  const viewer = useMemo(() => ({ me, today }), [me, today]);
  const visible = useMemo(() => {
    if (!checklist) return nothing;
    const passes = filter && test?.(checklist, filter, viewer);
    const hides = hideCompleted && !filter?.statuses.length;
    const pinnedRows = new Set(pinned.map(key => keys.indexOf(key)));
    return visibleRows(checklist, { passes, hideCompleted: hides, folded: names, kept: pinnedRows, all });
  }, [checklist, keys, filter, test, viewer, hideCompleted, names, pinned, all]);
  const commands = useMemo(
    () => ({
      setFilter: (filter: Filter | undefined, test?: RowTest, keepPinned = false) => {
        setTested({ filter, test });
        if (!keepPinned) pin([]);
      },
      pin: (keys: readonly number[]) => pin(before => [...before, ...keys]),
      setAll: (value: boolean, briefly = false) => {
        setAll(value);
        if (!briefly) safeStorage(openStorage()).set(allKeyFor(issueId), yesNo(value));
      },
      fold: (from: Checklist, index: number | undefined, closed: boolean) => {
        const nameOfRow = foldNames(from);
        const name = index === undefined ? undefined : nameOfRow.get(index);
        setNames(before => {
          const next = new Set(before);
          for (const each of name === undefined ? nameOfRow.values() : [name])
            if (closed) next.add(each);
            else next.delete(each);
          saveFolded(issueId, next);
          return next;
        });
      },
    }),
    [issueId],
  );
  return { visible, viewer, filter, hideCompleted, setHideCompleted, ...commands };
}

export interface ListView {
  /** Whether each row passes the filter, by index; `undefined` without a filter. */
  passes?: readonly boolean[] | undefined;
  hideCompleted?: boolean;
  /** Headers whose sections are closed, by `foldNames`. */
  folded?: ReadonlySet<string>;
  /** Indices of rows that show in any case, unless their section is closed. */
  kept?: ReadonlySet<number>;
  /** Whether more than the first rows of a long list show. */
  all?: boolean;
}

/** The rows of a checklist that pass the filter and are in open sections. */
export interface VisibleRows {
  /** Indices of the rows that show, in text order. */
  shown: readonly number[];
  /** The number of items among the rows that pass, including rows not shown yet. */
  items: number;
  /** The number of completed items hidden only because they are completed. */
  hidden: number;
  /** The number of further rows of a long list. */
  more: number;
  /** Whether the rows are more than are shown at first. */
  long: boolean;
  /** Indices of the headers whose sections are closed. */
  folded: ReadonlySet<number>;
}

/** A few screens of rows. The other rows of a long list remain found by search and keyboard. */
export const SHOWN_ROWS_AT_FIRST = 100;

/** A key for each header by its index, stable while its words are: headers with equal words are numbered. */
export function foldNames({ rows }: Pick<Checklist, 'rows'>): ReadonlyMap<number, string> {
  const counts = new Map<string, number>();
  const names = new Map<number, string>();
  rows.forEach(({ kind, words }, index) => {
    if (kind !== 'header') return;
    const nth = counts.get(words) ?? 0;
    counts.set(words, nth + 1);
    names.set(index, `${nth}/${words}`);
  });
  return names;
}

const none: ReadonlySet<never> = new Set();

/** The rows to show. A filter also shows what passes in closed sections, and the headers above. */
export function visibleRows(
  checklist: Checklist,
  { passes, hideCompleted = false, folded = none, kept = none, all = false }: ListView,
): VisibleRows {
  const { rows } = checklist;
  let hidden = 0;
  const shows = rows.map((row, index) => {
    if (kept.has(index)) return true;
    if (passes && !passes[index]) return false;
    const completed = hideCompleted && row.kind === 'checkbox' && row.status.checked;
    if (completed) hidden++;
    return !completed;
  });
  const closed = new Set<number>();
  if (passes || folded.size > 0) {
    const names = foldNames(checklist);
    for (const { header, end } of sections(checklist)) {
      if (passes) shows[header] ||= shows.slice(header + 1, end).includes(true);
      else if (folded.has(names.get(header) ?? '')) {
        closed.add(header);
        shows.fill(false, header + 1, end);
      }
    }
  }
  const matchingRows = rows.flatMap((_, index) => (shows[index] ? index : []));
  const long = matchingRows.length > SHOWN_ROWS_AT_FIRST;
  const shown =
    long && !all ? matchingRows.filter((index, at) => at < SHOWN_ROWS_AT_FIRST || kept.has(index)) : matchingRows;
  const items = matchingRows.filter(index => rows[index]?.kind === 'checkbox').length;
  return { shown, items, hidden, more: matchingRows.length - shown.length, long, folded: closed };
}
