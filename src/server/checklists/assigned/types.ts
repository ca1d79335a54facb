import type { IssueLine } from '../../../domain/issue.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import type { Status } from '../../../domain/statuses.ts';

/**
 * Whose items: those assigned to the viewer, those that the viewer assigned to others, everyone's in the projects with
 * items of the viewer, everyone's in one project, or one person's.
 */
export type AssignedWho =
  | { kind: 'me' | 'byMe' | 'myProjects' }
  | { kind: 'project' | 'person' /** Of the project or the account. */; id: string };

/** Filters items. */
export interface AssignedFilter {
  /** Complete items, or incomplete ones. */
  checked?: boolean | undefined;
  /** A status's slug. */
  status?: string | undefined;
  /** A project's id. */
  project?: string | undefined;
  /** Incomplete items whose due date has passed. */
  overdue?: boolean | undefined;
  /** Part of the line, or of the issue's key and summary, case-insensitive. */
  text?: string | undefined;
}

/** By issue, the newest first; or by due date, the earliest first, and items without a due date last. */
export type AssignedOrder = 'issue' | 'due';

export interface AssignedQuery {
  who: AssignedWho;
  filter: AssignedFilter;
  /** ISO day: today in the user's time zone. */
  today: string;
}

export interface AssignedPageQuery extends AssignedQuery {
  order: AssignedOrder;
  /** The cursor of the page before. */
  after: string | undefined;
  /** The maximum number of items. */
  first: number;
}

/** An assigned item, with its line. */
export interface AssignedItem {
  /** Persistent while the row's id is known. */
  id: string;
  issue: string;
  /** The row's index. */
  position: number;
  /** The text of the header above it. */
  section: string | null;
  text: string;
  status: Status;
  mandatory: boolean;
  /** ISO day. */
  due: string | null;
}

/** An issue of a page, the user's permissions on it, and the count of matching items. */
export interface AssignedIssue {
  id: string;
  project: string | null;
  may: PermissionFlags;
  count: number;
  /**
   * Reads the issue from the tracker, together with the others of the page; `undefined` if it was deleted since. A page
   * in the tracker reads it itself, which costs no points.
   */
  line(): Promise<IssueLine | undefined>;
}

export interface AssignedPage {
  items: AssignedItem[];
  /** Of the page's items, each once. */
  issues: AssignedIssue[];
  /** The start of the next page; absent on the last one. An empty page may have one. */
  next?: string | undefined;
}

export interface Counted {
  id: string;
  count: number;
  /** Reads the project's name from the tracker, together with the others; `undefined` if it has another one by now. */
  name(): Promise<string | undefined>;
}

/** The count of matching items, and the counts with another value of each filter. */
export interface AssignedCounts {
  /** The counts cover the newest issues only. */
  partial: boolean;
  all: number;
  /** By due date: past and incomplete, past and complete, today, the six days after, later, none. */
  due: Record<DueTime, number>;
  overdue: number;
  projects: Counted[];
  statuses: (Status & { count: number })[];
}

export const dueTimes = ['past', 'today', 'week', 'later', 'none'] as const;
export type DueTime = (typeof dueTimes)[number];
