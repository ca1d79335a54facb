import CrossIcon from '@atlaskit/icon/core/cross';
import SearchIcon from '@atlaskit/icon/core/search';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { personName } from '../../../domain/person.ts';
import type { CheckboxRow, Checklist } from '../../../text/types.ts';
import { focusRow, keyAt } from '../../checklist/list/list-dom.ts';
import { useSearchField } from '../../kit/use-debounced.ts';
import { comparable, isFiltering, isOverdue, type Names, noFilter, wordsOf } from '../../model/rows/row-filter.ts';
import type { Filter, Viewer } from '../../model/rows/use-row-filter.ts';

interface FilterProps {
  filter: Filter | undefined;
  onFilter(filter: Filter): void;
}

const SEARCH_DEBOUNCE_MS = 60;

const firstRow = () => document.querySelector('.check-rows > [data-key]');

/** Searches the rows as the user types. Escape clears it and goes back to the row that had the focus. */
export function Search({ filter = noFilter, onFilter }: FilterProps) {
  const [typed, setTyped] = useSearchField(filter.words, SEARCH_DEBOUNCE_MS, words => onFilter({ ...filter, words }));
  /** Key of the row that had the focus before. */
  const from = useRef<number>(undefined);
  const enter = ({ relatedTarget }: FocusEvent) => {
    from.current = keyAt(relatedTarget);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      flushSync(() => {
        setTyped('');
        onFilter({ ...filter, words: '' });
      });
      focusRow(document.querySelector(`.check-rows > [data-key="${from.current}"]`) ?? firstRow());
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') focusRow(firstRow());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span className="check-search-field">
      <SearchIcon label="" />
      <input
        type="search"
        className="check-search"
        aria-label="Search items"
        placeholder="Search"
        autoComplete="off"
        value={typed}
        onFocus={enter}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={press}
      />
    </span>
  );
}

/** Highlights the words of a search in the mounted rows, if the browser can do so without changing them. */
export function useFoundWords(words: string, shown: readonly number[]): void {
  useEffect(() => {
    if (!('highlights' in CSS)) return undefined;
    const ranges = wordsOf(words).length > 0 && shown.length > 0 ? rangesOf(wordsOf(words)) : [];
    CSS.highlights.set('check-found', new Highlight(...ranges));
    return () => void CSS.highlights.delete('check-found');
  }, [words, shown]);
}

function rangesOf(words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (const row of document.querySelectorAll('.check-rows .check-words')) {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = comparable(node.nodeValue ?? '');
      // Without its accents a text may be shorter: positions would differ.
      if (text.length !== node.nodeValue?.length) continue;
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  return ranges;
}

/** A filter that can be switched on and off. */
interface Choice {
  id: string;
  label: string;
  on: boolean;
  /** The filter with this one switched over. */
  next: Filter;
  /** The number of items that it matches alone. */
  count: number;
}

const toggled = (list: readonly string[], value: string) =>
  list.includes(value) ? list.filter(each => each !== value) : [...list, value];

/** The other people show after a click. */
const PEOPLE_LISTED_AT_FIRST = 6;

function choicesOf(checklist: Checklist, filter: Filter, { me, today }: Viewer, names: Names) {
  const items = checklist.rows.filter(row => row.kind === 'checkbox');
  const count = (test: (row: CheckboxRow) => boolean) => items.filter(test).length;
  const person = (id: string, label: string): Choice => ({
    id: `person ${id}`,
    label,
    on: filter.people.includes(id),
    next: { ...filter, people: toggled(filter.people, id) },
    count: count(row => (row.assignee ?? '') === id),
  });
  const assignees = new Set([...items.flatMap(({ assignee }) => assignee ?? []), ...filter.people]);
  const otherPeople = [...assignees]
    .filter(id => id !== me && id !== '')
    .map(id => person(id, personName(names.get(id))));
  otherPeople.sort((a, b) => b.count - a.count);
  const offered = ({ on, count }: Choice) => on || count > 0;
  return {
    first: [
      ...(me === '' ? [] : [person(me, 'Assigned to me')]),
      person('', 'Unassigned'),
      {
        id: 'overdue',
        label: 'Overdue',
        on: filter.overdue,
        next: { ...filter, overdue: !filter.overdue },
        count: count(row => isOverdue(row, today)),
      },
      {
        id: 'mandatory',
        label: 'Mandatory',
        on: filter.mandatory,
        next: { ...filter, mandatory: !filter.mandatory },
        count: count(row => row.mandatory),
      },
    ].filter(offered),
    people: otherPeople.filter(offered),
    statuses: checklist.statuses.list
      .map(({ slug, name }) => ({
        id: `status ${slug}`,
        label: name,
        on: filter.statuses.includes(slug),
        next: { ...filter, statuses: toggled(filter.statuses, slug) },
        count: count(({ status }) => status.slug === slug),
      }))
      .filter(offered),
  };
}

/** The button that opens the filters. */
const OPENER_SELECTOR = '.check-tools > [aria-expanded]';

const focusOn = (element: Element | null) => {
  if (element instanceof HTMLElement) element.focus();
};

interface Props extends FilterProps {
  checklist: Checklist;
  viewer: Viewer;
  names: Names;
  /** Whether all filters are offered; otherwise only active filters show, to be removed. */
  open: boolean;
  /** The number of items that pass. */
  items: number;
}

/** The filters with the number of items that each matches alone, and how many items pass. */
export function Filters({ checklist, viewer, names, filter = noFilter, open, items, onFilter }: Props) {
  const [everyone, setEveryone] = useState(false);
  const { first, people, statuses } = choicesOf(checklist, filter, viewer, names);
  const listed = everyone ? people : people.filter(({ on }, index) => on || index < PEOPLE_LISTED_AT_FIRST);
  const choices = [...first, ...listed, ...statuses];
  const filtering = isFiltering(filter);
  const total = checklist.rows.filter(({ kind }) => kind === 'checkbox').length;
  const chip = ({ id, label, on, next, count }: Choice) => (
    <button
      key={id}
      type="button"
      className="check-chip"
      {...(open ? { 'aria-pressed': on } : { 'aria-label': `Remove filter ${label}`, title: `Remove filter ${label}` })}
      onClick={({ currentTarget }) => {
        // A removed chip passes the focus on to a neighbour.
        const neighbours = [currentTarget.nextElementSibling, currentTarget.previousElementSibling];
        const chip = neighbours.find(each => each?.matches('.check-chip'));
        if (!open) focusOn(chip ?? document.querySelector(OPENER_SELECTOR));
        onFilter(next);
      }}
    >
      {label} {open ? <span className="check-chip-count">{count}</span> : <CrossIcon label="" size="small" />}
    </button>
  );
  return (
    <div className="check-filtering">
      {open || filtering ? (
        <fieldset className="check-filters">
          <legend className="check-hidden">Show only</legend>
          {(open ? choices : choices.filter(({ on }) => on)).map(chip)}
          {open && listed.length < people.length ? (
            <button type="button" className="check-tool" onClick={() => setEveryone(true)}>
              {people.length - listed.length} more
            </button>
          ) : null}
          {filtering ? (
            <button
              type="button"
              className="check-tool"
              onClick={() => {
                focusOn(document.querySelector(OPENER_SELECTOR));
                onFilter({ ...noFilter, words: filter.words });
              }}
            >
              Clear filters
            </button>
          ) : null}
        </fieldset>
      ) : null}
      <span role="status" className="check-found-count">
        {filtering || filter.words !== '' ? `${items} of ${total} shown` : ''}
      </span>
    </div>
  );
}
