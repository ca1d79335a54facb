import type { AssignedIssue, AssignedItem } from '../../../client/assigned.ts';
import type { AssignedView } from './use-assigned.ts';

/** Items under one heading: an issue or a period. */
export interface Group {
  id: string;
  heading: { issue: AssignedIssue } | { words: string; count: keyof typeof spans };
  items: readonly AssignedItem[];
}

/** Periods with their headings. */
export const spans = {
  past: 'Overdue',
  today: 'Today',
  week: 'Next 6 days',
  later: 'Later',
  none: 'No due date',
} as const;

const DAY_MS = 86_400_000;

function spanOf(due: string | null, today: string): keyof typeof spans {
  if (due === null) return 'none';
  if (due < today) return 'past';
  if (due === today) return 'today';
  return Date.parse(due) - Date.parse(today) <= 6 * DAY_MS ? 'week' : 'later';
}

/** Items under their headings, in the given order, without items of unknown issues. */
export function groupsOf(
  items: readonly AssignedItem[],
  issues: ReadonlyMap<string, AssignedIssue>,
  { order, status }: Pick<AssignedView, 'order' | 'status'>,
  today: string,
): Group[] {
  const groups = new Map<string, { heading: Group['heading']; items: AssignedItem[] }>();
  for (const item of items) {
    const issue = issues.get(item.issueId);
    if (!issue) continue;
    const span = spanOf(item.dueDate, today);
    const id = order === 'ISSUE' ? item.issueId : span;
    const group = groups.get(id);
    if (group) {
      group.items.push(item);
      continue;
    }
    // Completed items are not overdue.
    const words = span === 'past' && status !== 'open' ? 'Earlier' : spans[span];
    groups.set(id, { heading: order === 'ISSUE' ? { issue } : { words, count: span }, items: [item] });
  }
  return [...groups].map(([id, group]) => ({ id, ...group }));
}

/** A part of a group; `headed` for the first one. */
export interface Part extends Group {
  headed: boolean;
}

const ROWS_PER_BLOCK = 60;

/** Groups cut into blocks of the virtual list. */
export function blocksOf(groups: readonly Group[]): Part[][] {
  const blocks: Part[][] = [];
  let room = 0;
  for (const group of groups) {
    for (let from = 0; from < group.items.length; ) {
      if (room === 0) {
        blocks.push([]);
        room = ROWS_PER_BLOCK;
      }
      const items = group.items.slice(from, from + room);
      blocks.at(-1)?.push({ ...group, items, headed: from === 0 });
      from += items.length;
      room -= items.length;
    }
  }
  return blocks;
}
