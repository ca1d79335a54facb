import type { Assignment, AssignmentValues } from '../assignments.ts';

/** The issues that a rule is for; for `MOVED`, without those that are in one of its statuses now. */
export interface AssignmentPreview {
  jql: string;
  /** The approximate count; `null` when the tracker does not give one. */
  count: number | null;
  /** The first issues. */
  issues: { id: string; key: string; summary: string }[];
}

/** The rules of one tenant with the permissions of one account. Every refusal is a `Refused`. */
export interface Assignments {
  /** The rules that concern a project, or all, in their order of application. */
  list(project?: string): Promise<Assignment[]>;
  create(values: AssignmentValues): Promise<Assignment[]>;
  update(id: string, values: Partial<AssignmentValues>): Promise<Assignment[]>;
  remove(id: string): Promise<Assignment[]>;
  /** Moves a rule before another one; `null` is the end. */
  move(id: string, before: string | null): Promise<Assignment[]>;
  preview(
    values: Pick<AssignmentValues, 'projects' | 'issueTypes' | 'moment' | 'statuses'>,
  ): Promise<AssignmentPreview>;
}
