import * as v from 'valibot';
import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { edition } from '../../../domain/edition.ts';
import type { Person } from '../../../domain/person.ts';
import type { Segment } from '../../../text/inline.ts';
import { sections } from '../../../text/progress.ts';
import type { CheckboxRow, Checklist, Row } from '../../../text/types.ts';
import { lineOf } from './row-segments.ts';
import type { Filter, RowTest } from './use-row-filter.ts';

/* The list's search and filters. In the panel's tools: the first rows do not wait for them. */

export const noFilter: Filter = { words: '', people: [], overdue: false, mandatory: false, statuses: [] };

/** Whether a filter without the search hides rows. */
export const isFiltering = ({ people, overdue, mandatory, statuses }: Filter): boolean =>
  people.length > 0 || overdue || mandatory || statuses.length > 0;

export const isOverdue = ({ status, dueDate }: CheckboxRow, today: string): boolean =>
  !status.checked && dueDate !== undefined && dueDate < today;

/** Words to compare: without case and accents. */
export const comparable = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of a search, each of which has to be in a row. */
export const wordsOf = (search: string): string[] => comparable(search).split(/\s+/).filter(Boolean);

export type Names = ReadonlyMap<string, Person | null>;

function plain(segments: readonly Segment[], names: Names): string {
  return segments
    .map(segment => {
      if ('children' in segment) return plain(segment.children, names);
      return segment.type === 'mention' ? `@${names.get(segment.value)?.name ?? ''}` : segment.text;
    })
    .join('');
}

/** The text by which a search finds a row: its words, details and people's names. */
function searchTextOf(checklist: Checklist, index: number, row: Row, names: Names): string {
  const { text, details } = lineOf(checklist, index, row);
  return comparable([text, ...details].map(segments => plain(segments, names)).join('\n'));
}

function passes(row: CheckboxRow, { people, overdue, mandatory, statuses }: Filter, today: string): boolean {
  if (people.length > 0 && !people.includes(row.assignee ?? '')) return false;
  if (overdue && !isOverdue(row, today)) return false;
  if (mandatory && !row.mandatory) return false;
  return statuses.length === 0 || statuses.includes(row.status.slug);
}

/** A test of rows, with the names that a search finds. The words of a header find its whole section. */
export const rowTest =
  (names: Names): RowTest =>
  (checklist, filter, { today }) => {
    const { rows } = checklist;
    const words = wordsOf(filter.words);
    const matches = rows.map((row, index) => {
      if (words.length === 0) return row.kind === 'checkbox';
      const text = searchTextOf(checklist, index, row, names);
      return words.every(word => text.includes(word));
    });
    for (const { header, end } of sections(checklist)) if (matches[header]) matches.fill(true, header, end);
    return rows.map((row, index) => {
      if (!matches[index]) return false;
      return row.kind === 'checkbox' ? passes(row, filter, today) : !isFiltering(filter);
    });
  };

/** Storage key of an issue's filter, for the browser tab's session. */
const keyFor = (issueId: string) => keyOf(`${edition.key}.filter`, issueId);

const stored = v.object({
  people: v.array(v.string()),
  overdue: v.boolean(),
  mandatory: v.boolean(),
  statuses: v.array(v.string()),
});

/** The filter of an issue in this session, without the search; `undefined` if there is none. */
export function readFilter(issueId: string): Filter | undefined {
  try {
    const text = safeStorage(openStorage('sessionStorage')).get(keyFor(issueId));
    return text === undefined ? undefined : { words: '', ...v.parse(stored, JSON.parse(text)) };
  } catch {
    return undefined;
  }
}

export function saveFilter(issueId: string, filter: Filter): void {
  const safe = safeStorage(openStorage('sessionStorage'));
  const { words: _, ...kept } = filter;
  if (isFiltering(filter)) safe.set(keyFor(issueId), JSON.stringify(kept));
  else safe.remove(keyFor(issueId));
}
