import { EditRefused } from '../errors.ts';
import { targetOf } from '../rows.ts';
import type { CheckboxRow, Checklist, TextChange } from '../types.ts';
import { setAssignee } from './assign.ts';
import { setDetails } from './details.ts';
import { joinChanges } from './join-changes.ts';

/*
 * A table from elsewhere names the people of its items. What has the shape of no account becomes a detail, until it is
 * known whose name it is.
 */

const LEADING_TEXT = 'Assignee: ';

/** The detail that keeps a name. */
export const detailOfName = (name: string): string => LEADING_TEXT + name;

/** Names in any case, with any blanks, are the same name. */
export const plainName = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

interface Named {
  index: number;
  row: CheckboxRow;
  /** The detail with the name, counted from 0. */
  detail: number;
  name: string;
}

/** The items that begin in a range, have no assignee, and name one person in a detail. */
function namedIn({ rows, starts }: Checklist, from: number, to: number): Named[] {
  return rows.flatMap((row, index): Named[] => {
    const start = starts[index] ?? -1;
    if (row.kind !== 'checkbox' || row.assignee !== undefined || start < from || start > to) return [];
    const named = row.details.flatMap(({ text }, detail) => (text.startsWith(LEADING_TEXT) ? [{ text, detail }] : []));
    const [first] = named;
    return first && named.length === 1
      ? [{ index, row, detail: first.detail, name: plainName(first.text.slice(LEADING_TEXT.length)) }]
      : [];
  });
}

/** The distinct names of people whom items in a range name in a detail. */
export const namesIn = (checklist: Checklist, from: number, to: number): string[] => [
  ...new Set(namedIn(checklist, from, to).map(({ name }) => name)),
];

/**
 * Assigns items to the people whose names are known, by `plainName`. The details of these items stay, without the
 * names.
 */
export function assignNamed(
  checklist: Checklist,
  from: number,
  to: number,
  people: ReadonlyMap<string, string>,
): { changes: TextChange[]; count: number } {
  const edits = namedIn(checklist, from, to).flatMap(({ index, row, detail, name }) => {
    const accountId = people.get(name);
    if (accountId === undefined) return [];
    const target = targetOf(checklist, index);
    const details = row.details.flatMap(({ text }, i) => (i === detail ? [] : [text])).join('\n');
    try {
      return [joinChanges(setAssignee(checklist, target, accountId), setDetails(checklist, target, details))];
    } catch (error) {
      if (error instanceof EditRefused) return [];
      throw error;
    }
  });
  return { changes: joinChanges(...edits), count: edits.length };
}
