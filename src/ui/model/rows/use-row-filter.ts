import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { getUserProperty, setUserProperty } from '../../../client/tracker/properties.ts';
import { edition } from '../../../domain/edition.ts';
import { HIDE_COMPLETED, isYes, yesNo } from '../../../domain/storage.ts';
import type { Checklist } from '../../../text/types.ts';
import { useBridge, useUser } from '../../shell/services/services.ts';
import { useToday } from '../today.ts';
import { type Filter, foldNames, noFilter, type Viewer, type VisibleRows, visibleRows } from './row-filter.ts';

/** What it was here last: it is painted before the tracker has said it. */
const KEPT = keyOf(`${edition.key}.${HIDE_COMPLETED}`);

const keep = (value: boolean) => safeStorage(openStorage()).set(KEPT, yesNo(value));

/** The user's setting that completed items are left out (spec §3; §7, rows 5 to 7). It follows them to every issue. */
export function useHideCompleted(): [boolean, (value: boolean) => void] {
  const bridge = useBridge();
  const { id, isAnonymous } = useUser();
  const [hide, setHide] = useState(() => isYes(safeStorage(openStorage()).get(KEPT)));
  /** What somebody clicked goes before what the tracker answers late. */
  const chosen = useRef(false);
  useEffect(() => {
    if (isAnonymous) return undefined;
    let wanted = true;
    getUserProperty(bridge, id, HIDE_COMPLETED, 'false').then(
      value => {
        if (!wanted || chosen.current) return;
        setHide(isYes(value));
        keep(isYes(value));
      },
      // Then it stays as it was here last.
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
      keep(value);
      if (isAnonymous) return;
      // It holds here all the same, and is tried again with the next click.
      setUserProperty(bridge, id, HIDE_COMPLETED, yesNo(value)).catch(() => undefined);
    },
    [bridge, id, isAnonymous],
  );
  return [hide, change];
}

/** Closed sections are remembered per issue, in this browser only. */
const keyFor = (issueId: string) => keyOf(`${edition.key}.folded`, issueId);

export function readFolded(issueId: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(safeStorage(openStorage()).get(keyFor(issueId)) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter(name => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}

export function keepFolded(issueId: string, folded: ReadonlySet<string>): void {
  const safe = safeStorage(openStorage());
  if (folded.size === 0) safe.remove(keyFor(issueId));
  else safe.set(keyFor(issueId), JSON.stringify([...folded]));
}

/** What of the list somebody sees, and what they can do about that. */
export interface View {
  seen: VisibleRows;
  viewer: Viewer;
  filter: Filter;
  setFilter(filter: Filter): void;
  hideCompleted: boolean;
  setHideCompleted(value: boolean): void;
}

export interface UsedRowFilter {
  view: View;
  /** Opens or closes the section of the header at an index of the latest reading. */
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
  const seen = useMemo(
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
        keepFolded(issueId, next);
        return next;
      });
    },
    [issueId],
  );
  return { view: { seen, viewer, filter, setFilter, hideCompleted, setHideCompleted }, fold };
}
