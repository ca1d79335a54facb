import { useCallback, useMemo, useState } from 'react';
import type { Checklist } from '../../../text/types.ts';
import { useUser } from '../../shell/hooks.ts';
import { useToday } from '../today.ts';
import { keepFolded, readFolded } from './folded-sections.ts';
import { type Filter, foldNames, noFilter, type Viewer, type VisibleRows, visibleRows } from './row-filter.ts';
import { useHideCompleted } from './use-hide-completed.ts';

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
