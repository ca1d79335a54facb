import CollapseIcon from '@atlaskit/icon/core/collapse-vertical';
import ExpandIcon from '@atlaskit/icon/core/expand-vertical';
import HideIcon from '@atlaskit/icon/core/eye-open-strikethrough';
import FilterIcon from '@atlaskit/icon/core/filter';
import SelectIcon from '@atlaskit/icon/core/list-checklist';
import HelpIcon from '@atlaskit/icon/core/question-circle';
import { type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { selecting as words } from '../../../domain/messages.ts';
import type { User } from '../../../domain/user.ts';
import type { Checklist } from '../../../text/types.ts';
import { type ListControls, listCommands } from '../../checklist/list/list-commands.ts';
import { focusRow } from '../../checklist/list/list-dom.ts';
import { type Command, commandsFor, type Offers, offeredCommands, useOffers } from '../../commands/command.ts';
import { lazyPart } from '../../kit/lazy-component.tsx';
import { useLayer } from '../../kit/use-layer.ts';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { usePeople } from '../../model/people.tsx';
import { isFiltering, noFilter, readFilter, rowTest, saveFilter } from '../../model/rows/row-filter.ts';
import { noSelection, type Selection } from '../../model/rows/row-keys.ts';
import type { Filter, View } from '../../model/rows/use-row-filter.ts';
import { useChecklistStatuses } from '../../model/use-statuses.ts';
import { useTrack } from '../../shell/services/services.ts';
import { Bulk } from './bulk-actions.tsx';
import { Filters, Search, useFoundWords } from './filters.tsx';
import { useFloating } from './floating.ts';
import { GateWarnings } from './gate-warnings.tsx';
import '../../checklist/bar.css';

/** A list has a search field from this many rows on. */
const MIN_SEARCHED_ROWS = 15;

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
  controls: RefObject<ListControls>;
  onHelp(open: boolean): void;
}

interface BarContext extends Pick<Props, 'checklist' | 'view' | 'selecting' | 'onSelecting'> {
  /** Whether the filters are shown. */
  filters: boolean;
  setFilters(shown: boolean): void;
}

const hasDone = ({ rows }: Checklist) => rows.some(row => row.kind === 'checkbox' && row.status.checked);

const countHeaders = ({ rows }: Checklist) => rows.filter(({ kind }) => kind === 'header').length;
const command = commandsFor<BarContext>();

/** The commands on the whole list. */
export const barCommands: readonly Command<BarContext>[] = [
  command('filter', 'Filter', 'list', {
    label: ({ filters }) => (filters ? 'Hide filters' : 'Filter'),
    icon: FilterIcon,
    isOffered: ({ checklist }) => checklist.rows.length > 0,
    run: ({ filters, setFilters }) => setFilters(!filters),
  }),
  command('clearFilters', 'Clear filters', 'list', {
    isOffered: ({ view }) => view.filter !== undefined,
    run: ({ view }) => view.setFilter(undefined),
  }),
  command('hideCompleted', 'Hide or show completed items', 'list', {
    label: ({ view }) => (view.hideCompleted ? 'Show completed items' : 'Hide completed'),
    icon: HideIcon,
    isOffered: ({ checklist, view }) => view.hideCompleted || hasDone(checklist),
    run: ({ view }) => view.setHideCompleted(!view.hideCompleted),
  }),
  command('collapseAll', 'Collapse all', 'list', {
    icon: CollapseIcon,
    isOffered: ({ checklist, view }) => !view.filter && view.visible.folded.size < countHeaders(checklist),
    run: ({ checklist, view }) => view.fold(checklist, undefined, true),
  }),
  command('expandAll', 'Expand all', 'list', {
    icon: ExpandIcon,
    isOffered: ({ view }) => !view.filter && view.visible.folded.size > 0,
    run: ({ checklist, view }) => view.fold(checklist, undefined, false),
  }),
  command('select', 'Select', 'list', {
    label: ({ selecting }) => (selecting ? 'Stop selecting' : 'Select'),
    icon: SelectIcon,
    isOffered: ({ checklist }) => checklist.rows.length > 0,
    run: ({ selecting, onSelecting }) => onSelecting(!selecting),
  }),
];

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
    const restoredFilter = filter ?? readFilter(issueId);
    if (restoredFilter) setFilter(restoredFilter, latest, true);
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
  const { selecting, onSelecting, help, onHelp, offers, controls } = props;
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
  const isSearched = rows.length >= MIN_SEARCHED_ROWS || (filter?.words ?? '') !== '';
  const track = useTrack();
  const commands = () => {
    const context = { checklist, view, selecting, onSelecting, filters, setFilters };
    return offeredCommands(barCommands, () => context, track);
  };
  const search = () => head.current?.querySelector<HTMLElement>('.check-search')?.focus();
  useEffect(() => {
    controls.current.search = isSearched ? search : undefined;
  });
  useOffers(offers, 'bar', () => [
    ...offeredCommands([listCommands.search], () => controls.current, track),
    ...commands(),
  ]);
  /** Labels and states of command buttons that differ from the commands' names. */
  const states: Record<string, { label?: string; pressed?: boolean; expanded?: boolean }> = {
    filter: { label: 'Filter', pressed: filtering, expanded: filters },
    hideCompleted: {
      label: visible.hidden > 0 ? `${visible.hidden} completed hidden` : 'Hide completed',
      pressed: view.hideCompleted,
    },
    select: { label: 'Select', pressed: selecting },
  };
  return (
    <>
      <GateWarnings issueId={issueId} checklist={checklist} />
      <div ref={bar} className="check-bar">
        {isSearched ? <Search filter={filter} onFilter={onFilter} /> : null}
        {selected.length > 0 ? (
          <Bulk checklist={checklist} rows={selected} user={user} actions={actions} offers={offers} onDone={release} />
        ) : (
          <div className="check-tools" hidden={rows.length === 0}>
            {commands().map(({ id, icon: Icon, run, ...command }) => {
              const { label = command.label, pressed, expanded } = states[id] ?? {};
              return Icon ? (
                <button
                  key={id}
                  type="button"
                  className="check-tool"
                  aria-label={label}
                  title={label}
                  aria-expanded={expanded}
                  aria-pressed={pressed}
                  onClick={run}
                >
                  <Icon label="" />
                  <span className="check-tool-label">{label}</span>
                </button>
              ) : null;
            })}
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
