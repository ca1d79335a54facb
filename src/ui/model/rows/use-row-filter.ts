import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { getUserProperty, setUserProperty } from '../../../client/tracker/properties.ts';
import { edition } from '../../../domain/edition.ts';
import { HIDE_COMPLETED, isYes, yesNo } from '../../../domain/storage.ts';
import type { Checklist } from '../../../text/types.ts';
import { useBridge, useUser } from '../../shell/services/services.ts';
import { useToday } from '../today.ts';
import { type Filter, foldNames, noFilter, type Viewer, type VisibleRows, visibleRows } from './row-filter.ts';

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
