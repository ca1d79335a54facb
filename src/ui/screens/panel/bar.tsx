import CollapseIcon from '@atlaskit/icon/core/collapse-vertical';
import ExpandIcon from '@atlaskit/icon/core/expand-vertical';
import HideIcon from '@atlaskit/icon/core/eye-open-strikethrough';
import FilterIcon from '@atlaskit/icon/core/filter';
import SelectIcon from '@atlaskit/icon/core/list-checklist';
import HelpIcon from '@atlaskit/icon/core/question-circle';
import {
  type ComponentType,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { selecting as words } from '../../../domain/messages.ts';
import type { User } from '../../../domain/user.ts';
import type { Checklist } from '../../../text/types.ts';
import { focusRow } from '../../checklist/list/list-dom.ts';
import { lazyPart } from '../../kit/lazy-component.tsx';
import { useLayer } from '../../kit/use-layer.ts';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { usePeople } from '../../model/people.tsx';
import { isFiltering, noFilter, readFilter, rowTest, saveFilter } from '../../model/rows/row-filter.ts';
import { noSelection, type Selection } from '../../model/rows/row-keys.ts';
import type { Filter, View } from '../../model/rows/use-row-filter.ts';
import { useChecklistStatuses } from '../../model/use-statuses.ts';
import { Bulk } from './bulk-actions.tsx';
import { type Offers, useOffers } from './checklist-actions/commands.ts';
import { Filters, Search, useFoundWords } from './filters.tsx';
import { useFloating } from './floating.ts';
import { GateWarnings } from './gate-warnings.tsx';
import '../../checklist/bar.css';

/** Rows from which on a list has a search field. */
const SEARCHED = 15;

/** The assignees, whose names are loaded for search and filters. */
const peopleOf = ({ rows }: Checklist) => [
  ...new Set(rows.flatMap(row => (row.kind === 'checkbox' ? (row.assignee ?? []) : []))),
];

const Help = lazyPart(async () => ({
  default: (await import('./checklist-actions/checklist-layers.tsx')).KeyboardHelp,
}));

interface Props {
  issueId: string;
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
  offers: RefObject<Offers>;
  onHelp(open: boolean): void;
}

/** Shows all rows while printing. */
function usePrintAll({ visible: { more }, setAll }: View): void {
  const before = useEffectEvent(() => {
    if (more === 0) return;
    flushSync(() => setAll(true, true));
    window.addEventListener('afterprint', () => setAll(false, true), { once: true });
  });
  useEffect(() => {
    const print = () => before();
    window.addEventListener('beforeprint', print);
    return () => window.removeEventListener('beforeprint', print);
  }, []);
}

/** Keeps the head's focused control visible when fewer rows make the frame shorter, as under a filter. */
function useVisibleFocus(head: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let before = window.innerHeight;
    const keep = () => {
      const { activeElement } = document;
      const shorter = window.innerHeight < before;
      before = window.innerHeight;
      if (shorter && head.current?.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
    };
    window.addEventListener('resize', keep);
    return () => window.removeEventListener('resize', keep);
  }, [head]);
}

/** The filter with the function that sets it; kept for the session. */
function useFilter(issueId: string, checklist: Checklist, { filter, setFilter }: View) {
  const names = usePeople(useMemo(() => peopleOf(checklist), [checklist]));
  const test = useMemo(() => rowTest(names), [names]);
  const onFilter = useCallback(
    (next: Filter) => setFilter(isFiltering(next) || next.words !== '' ? next : undefined, test),
    [setFilter, test],
  );
  const restore = useEffectEvent((latest: typeof test) => {
    const kept = filter ?? readFilter(issueId);
    if (kept) setFilter(kept, latest, true);
  });
  // On mount, and when names that a search finds are loaded.
  useEffect(() => restore(test), [test]);
  const used = useRef(false);
  useEffect(() => {
    if (filter || used.current) saveFilter(issueId, filter ?? noFilter);
    used.current ||= filter !== undefined;
  }, [issueId, filter]);
  return { names, onFilter };
}

/** The list's toolbar: search, filters, selection and its commands, keyboard help. */
export default function Bar(props: Props) {
  const { issueId, store, checklist, keys, view, user, actions, selection, onSelect } = props;
  const { selecting, onSelecting, help, onHelp, offers } = props;
  const { rows } = checklist;
  const { filter, visible } = view;
  const [filters, setFilters] = useState(false);
  const helper = useRef<HTMLButtonElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    head.current = bar.current?.parentElement ?? null;
  }, []);
  useChecklistStatuses(store);
  useFloating(head, 'head');
  usePrintAll(view);
  useVisibleFocus(head);
  useFoundWords(filter?.words ?? '', visible.shown);
  const { names, onFilter } = useFilter(issueId, checklist, view);
  const selected = visible.shown.flatMap(index => (selection.keys.has(keys[index] ?? -1) ? (rows[index] ?? []) : []));
  /** Ends the selection. Its toolbar is unmounted: focuses the first selected row, which passes the focus on if deleted. */
  const release = () => {
    const [key] = selection.keys;
    if (selected.length > 0 && bar.current?.contains(document.activeElement))
      focusRow(document.querySelector(`.check-rows > [data-key="${key}"]`));
    onSelect(noSelection);
    onSelecting(false);
  };
  useLayer(selecting || selected.length > 0, release, true);
  const filtering = filter !== undefined && isFiltering(filter);
  const done = rows.some(row => row.kind === 'checkbox' && row.status.checked);
  const headers = rows.filter(({ kind }) => kind === 'header').length;
  const tool = (
    label: string,
    Icon: ComponentType<{ label: string }>,
    pressed: boolean | undefined,
    run: () => void,
  ) => (
    <button type="button" className="check-tool" aria-label={label} title={label} aria-pressed={pressed} onClick={run}>
      <Icon label="" />
      <span className="check-tool-label">{label}</span>
    </button>
  );
  const hide = visible.hidden > 0 ? `${visible.hidden} completed hidden` : 'Hide completed';
  const searched = rows.length >= SEARCHED || (filter?.words ?? '') !== '';
  const offer = (available: boolean, label: string, run: () => void) => (available ? [{ label, run }] : []);
  const canFold = headers > visible.folded.size && filter === undefined;
  const canUnfold = visible.folded.size > 0 && filter === undefined;
  const fold = (closed: boolean) => view.fold(checklist, undefined, closed);
  const toSearch = () => head.current?.querySelector<HTMLElement>('.check-search')?.focus();
  useOffers(offers, 'bar', () => [
    ...(searched ? [{ label: 'Search items', key: '/', run: toSearch }] : []),
    ...offer(rows.length > 0, filters ? 'Hide filters' : 'Filter', () => setFilters(!filters)),
    ...offer(filter !== undefined, 'Clear filters', () => view.setFilter(undefined)),
    ...offer(done && !view.hideCompleted, 'Hide completed', () => view.setHideCompleted(true)),
    ...offer(view.hideCompleted, 'Show completed items', () => view.setHideCompleted(false)),
    ...offer(canFold, 'Collapse all', () => fold(true)),
    ...offer(canUnfold, 'Expand all', () => fold(false)),
    ...offer(rows.length > 0, selecting ? 'Stop selecting' : 'Select', () => onSelecting(!selecting)),
  ]);
  return (
    <>
      <GateWarnings issueId={issueId} checklist={checklist} />
      <div ref={bar} className="check-bar">
        {searched ? <Search filter={filter} onFilter={onFilter} /> : null}
        {selected.length > 0 ? (
          <Bulk checklist={checklist} rows={selected} user={user} actions={actions} offers={offers} onDone={release} />
        ) : (
          <div className="check-tools" hidden={rows.length === 0}>
            <button
              type="button"
              className="check-tool"
              aria-label="Filter"
              title="Filter"
              aria-expanded={filters}
              aria-pressed={filtering}
              onClick={() => setFilters(!filters)}
            >
              <FilterIcon label="" />
              <span className="check-tool-label">Filter</span>
            </button>
            {done || view.hideCompleted
              ? tool(hide, HideIcon, view.hideCompleted, () => view.setHideCompleted(!view.hideCompleted))
              : null}
            {canFold ? tool('Collapse all', CollapseIcon, undefined, () => fold(true)) : null}
            {canUnfold ? tool('Expand all', ExpandIcon, undefined, () => fold(false)) : null}
            {tool('Select', SelectIcon, selecting, () => onSelecting(!selecting))}
            <button
              ref={helper}
              type="button"
              className="check-tool check-tool-help"
              aria-label="Keyboard shortcuts"
              title="Keyboard shortcuts"
              aria-expanded={help}
              onClick={() => onHelp(!help)}
            >
              <HelpIcon label="" />
            </button>
          </div>
        )}
      </div>
      {selecting ? (
        <p className="check-select-hint" role="status">
          {selected.length === 0 ? `${words.none} ` : ''}
          {words.hint}
        </p>
      ) : null}
      <Filters
        checklist={checklist}
        viewer={view.viewer}
        names={names}
        filter={filter}
        open={filters}
        items={visible.items}
        onFilter={onFilter}
      />
      {help ? <Help button={helper} onClose={() => onHelp(false)} /> : null}
    </>
  );
}
