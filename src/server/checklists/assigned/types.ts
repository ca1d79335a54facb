import type { PermissionFlags } from '../../../domain/permissions.ts';
import type { Status } from '../../../domain/statuses.ts';
import type { IssueLine } from '../../platform/tracker/lines.ts';

/** What of somebody's items is asked for; what is left out does not matter. */
export interface AssignedFilter {
  /** Those that count as complete, or those that do not. */
  checked?: boolean | undefined;
  /** A status's slug. */
  status?: string | undefined;
  /** A project's id. */
  project?: string | undefined;
  /** Open ones whose day is over. */
  overdue?: boolean | undefined;
  /** What the line says, or the issue's key and summary, without regard to case. */
  text?: string | undefined;
}

/** By issue, the newest first; or by due date, the earliest first and those without one last. */
export type AssignedOrder = 'issue' | 'due';

export interface AssignedQuery {
  filter: AssignedFilter;
  /** ISO day: today where the asker is. */
  today: string;
}

export interface AssignedPageQuery extends AssignedQuery {
  order: AssignedOrder;
  /** Where the page begins, as a page before said. */
  after: string | undefined;
  /** At most so many items. */
  first: number;
}

/** An item that is the asker's, with the line that it stands in. */
export interface AssignedItem {
  /** Lasting as long as its row is known. */
  id: string;
  issue: string;
  /** The row's index. */
  position: number;
  text: string;
  status: Status;
  mandatory: boolean;
  /** ISO day. */
  due: string | null;
}

/** An issue of a page, what the asker may do on it, and how many items of his that fit it has. */
export interface AssignedIssue extends IssueLine {
  may: PermissionFlags;
  count: number;
}

export interface AssignedPage {
  items: AssignedItem[];
  /** Of the page's items, each once. */
  issues: AssignedIssue[];
  /** Where to go on; nothing is left without it. A page may be empty and have one. */
  next?: string | undefined;
}

export interface Counted {
  id: string;
  name: string;
  count: number;
}

/** How many items fit, and how many would with another choice of the one thing. */
export interface AssignedCounts {
  all: number;
  /** By due day: over and open, over and complete, today, the six days after, later, none. */
  due: Record<DueTime, number>;
  overdue: number;
  projects: Counted[];
  statuses: (Status & { count: number })[];
}

export const dueTimes = ['past', 'today', 'week', 'later', 'none'] as const;
export type DueTime = (typeof dueTimes)[number];
