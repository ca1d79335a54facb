import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PermissionFlags } from '../../domain/permissions.ts';
import { type Section, sections } from '../../text/progress.ts';
import type { Checklist, Row } from '../../text/types.ts';
import { keyed, unkeyed } from './keys.ts';
import { lineOf } from './lines.ts';
import { ItemRow, type RowActions, SectionRow } from './row.tsx';

interface Props {
  checklist: Checklist;
  actions: RowActions;
  user: PermissionFlags;
  /** Takes the focus when the last row has been deleted. */
  focusElsewhere(): void;
}

/** The rows in text order. Only those that are new objects are rendered again. */
export const RowList = memo(function RowList({ checklist, actions, user, focusElsewhere }: Props) {
  const { rows } = checklist;
  const keys = useKeys(rows);
  const list = useRef<HTMLUListElement>(null);
  const focusAt = useRef<number | undefined>(undefined);
  const owned = useMemo(() => new Map<number, Section>(sections(checklist).map(one => [one.header, one])), [checklist]);

  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
    const index = focusAt.current;
    if (index === undefined) return;
    focusAt.current = undefined;
    // The control of the row that took the deleted one's place, else of the one above.
    const place = list.current?.children[Math.min(index, rows.length - 1)];
    const control = place?.querySelector<HTMLElement>('input:not(:disabled), button');
    if (control) control.focus();
    else focusElsewhere();
  }, [rows, focusElsewhere]);

  const withFocus = useMemo(
    () => ({
      ...actions,
      remove: (row: Row) => {
        focusAt.current = latest.current.indexOf(row);
        actions.remove(row);
      },
    }),
    [actions],
  );

  return (
    <ul className="check-rows" ref={list} hidden={rows.length === 0}>
      {rows.map((row, index) => {
        const line = lineOf(checklist, index, row);
        const section = owned.get(index)?.progress;
        return (
          <li key={keys[index]}>
            {row.kind === 'header' ? (
              <SectionRow
                row={row}
                line={line}
                actions={withFocus}
                canDelete={user.canDeleteChecklistItems}
                checked={section?.checked ?? 0}
                total={section?.total ?? 0}
              />
            ) : (
              <ItemRow
                row={row}
                line={line}
                actions={withFocus}
                canChangeStatus={user.canChangeItemStatuses}
                canDelete={user.canDeleteChecklistItems}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
});

/** Keys that rows keep while they change. */
function useKeys(rows: readonly Row[]): readonly number[] {
  const [state, setState] = useState(() => keyed(unkeyed, rows));
  if (state.rows === rows) return state.keys;
  // React's way to derive state from what a component is given: at once, before anything is painted.
  const next = keyed(state, rows);
  setState(next);
  return next.keys;
}
