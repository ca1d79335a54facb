import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { ChecklistStore } from '../../client/checklist.ts';
import type { User } from '../../domain/user.ts';
import type { CheckboxRow, Checklist } from '../../text/types.ts';
import { focusRow } from '../checklist/list/list-dom.ts';
import { UndoLine, useUndoKeys } from '../checklist/undo-line.tsx';
import { lazyComponent } from '../kit/lazy/lazy-component.tsx';
import { useUndo } from '../model/checklist/undo-history.ts';
import type { Actions } from '../model/checklist/use-actions.ts';
import { noSelection, type Selection } from '../model/rows/row-keys.ts';
import { type Filter, isFiltering, isOverdue, noFilter, type View } from '../model/rows/use-row-filter.ts';
import { useChecklistStatuses } from '../model/statuses.ts';
import { Bulk } from './bulk-actions.tsx';
import '../checklist/bar.css';

interface RowFiltersProps {
  checklist: Checklist;
  view: View;
}

/** Filters with the number of items that each matches alone. */
export function Filters({ checklist, view: { filter, viewer, setFilter } }: RowFiltersProps) {
  const items = checklist.rows.filter(row => row.kind === 'checkbox');
  const count = (test: (row: CheckboxRow) => boolean) => items.filter(test).length;
  const chip = (label: string, found: number, on: boolean, next: Partial<Filter>) =>
    found > 0 || on ? (
      <button
        key={label}
        type="button"
        className="check-chip"
        aria-pressed={on}
        onClick={() => setFilter({ ...filter, ...next })}
      >
        {label} <span className="check-chip-count">{found}</span>
      </button>
    ) : null;
  const { mine, overdue, statuses } = filter;
  return (
    <fieldset className="check-filters">
      <legend className="check-hidden">Show only</legend>
      {chip(
        'Assigned to me',
        count(row => row.assignee === viewer.me),
        mine,
        { mine: !mine },
      )}
      {chip(
        'Overdue',
        count(row => isOverdue(row, viewer.today)),
        overdue,
        { overdue: !overdue },
      )}
      {checklist.statuses.list.map(({ slug, name }) => {
        const on = statuses.includes(slug);
        return chip(
          name,
          count(({ status }) => status.slug === slug),
          on,
          {
            statuses: on ? statuses.filter(each => each !== slug) : [...statuses, slug],
          },
        );
      })}
      {isFiltering(filter) ? (
        <button type="button" className="check-tool" onClick={() => setFilter(noFilter)}>
          Clear filters
        </button>
      ) : null}
    </fieldset>
  );
}

/** Pixels covered by the bar at the top of the tracker's page, if it embeds the panel. */
const HOST_BAR = 56;
const barAbove = () => (document.documentElement.dataset.layout === 'scroll' ? 0 : HOST_BAR);

/** Steps of 0.5 %, fine enough for a panel many screens high. */
const thresholds = Array.from({ length: 201 }, (_, i) => i / 200);

/**
 * The pixels by which the element's parent is scrolled beyond the top of the viewport. The frame is as high as its content
 * and does not scroll: only an intersection observer reports its visible part.
 */
export function useVisibleTop<E extends HTMLElement>(): { ref: RefObject<E | null>; top: number } {
  const ref = useRef<E>(null);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const { current } = ref;
    const parent = current?.parentElement;
    if (!parent || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      entries => {
        const entry = entries.at(-1);
        if (!entry?.isIntersecting) return;
        // The element's offset without the transform.
        const offset = current.offsetTop - parent.offsetTop;
        const gone = entry.intersectionRect.top - entry.boundingClientRect.top - offset;
        const most = entry.boundingClientRect.height - offset - current.offsetHeight;
        setTop(gone > 0 ? Math.max(0, Math.min(Math.round(gone) + barAbove(), most)) : 0);
      },
      { threshold: thresholds },
    );
    observer.observe(parent);
    return () => observer.disconnect();
  }, []);
  return { ref, top };
}

const Help = lazyComponent(() => import('./keyboard-help.tsx'));

interface Props {
  store: ChecklistStore;
  checklist: Checklist;
  keys: readonly number[];
  view: View;
  user: User;
  actions: Actions;
  selection: Selection;
  onSelect(selection: Selection): void;
  selecting: boolean;
  onSelecting(value: boolean): void;
  help: boolean;
  onHelp(open: boolean): void;
  say(words: string): void;
}

/** The list's toolbar: filters, selection and its commands, undo, keyboard help. */
export default function Bar(props: Props) {
  const { store, checklist, keys, view, user, actions, selection, onSelect, selecting, onSelecting, help, onHelp } =
    props;
  const [filters, setFilters] = useState(false);
  const helper = useRef<HTMLButtonElement>(null);
  const history = useUndo(store, actions, user);
  useChecklistStatuses(store);
  useUndoKeys(history);
  const floats = selection.keys.size > 0;
  const { ref, top } = useVisibleTop<HTMLDivElement>();
  const selected = checklist.rows.filter((_, index) => selection.keys.has(keys[index] ?? -1));
  /** Ends the selection. Its toolbar is unmounted: focuses the first selected row, which passes the focus on if deleted. */
  const release = () => {
    const [key] = selection.keys;
    focusRow(document.querySelector(`.check-rows > [data-key="${key}"]`));
    onSelect(noSelection);
  };
  const filtering = isFiltering(view.filter);
  const done = checklist.rows.some(row => row.kind === 'checkbox' && row.status.checked);
  return (
    <>
      <div ref={ref} className="check-bar" style={top > 0 ? { transform: `translateY(${top}px)` } : undefined}>
        {selected.length > 0 ? (
          <Bulk rows={selected} user={user} actions={actions} onDone={release} />
        ) : (
          <div className={`check-tools${top > 0 && !floats ? ' check-away' : ''}`} hidden={checklist.rows.length === 0}>
            <button
              type="button"
              className="check-tool"
              aria-expanded={filters || filtering}
              aria-pressed={filtering}
              onClick={() => setFilters(!filters)}
            >
              Filter
            </button>
            {done || view.hideCompleted ? (
              <button
                type="button"
                className="check-tool"
                aria-pressed={view.hideCompleted}
                onClick={() => view.setHideCompleted(!view.hideCompleted)}
              >
                {view.visible.hidden > 0 ? `${view.visible.hidden} completed hidden` : 'Hide completed'}
              </button>
            ) : null}
            {user.canChangeItemStatuses || user.canDeleteChecklistItems ? (
              <button
                type="button"
                className="check-tool"
                aria-pressed={selecting}
                onClick={() => onSelecting(!selecting)}
              >
                Select
              </button>
            ) : null}
            <button
              ref={helper}
              type="button"
              className="check-tool"
              aria-label="Keyboard shortcuts"
              aria-expanded={help}
              onClick={() => onHelp(!help)}
            >
              ?
            </button>
          </div>
        )}
        <UndoLine history={history} say={props.say} />
      </div>
      {filters || filtering ? <Filters checklist={checklist} view={view} /> : null}
      {help ? (
        <Suspense fallback={null}>
          <Help button={helper} onClose={() => onHelp(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
