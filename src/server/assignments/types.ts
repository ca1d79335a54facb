import type { Assignment, AssignmentValues } from '../templates/assignments.ts';

/** Which issues a rule would touch if each came to its moment now. */
export interface AssignmentPreview {
  jql: string;
  /** About how many; `null` when the tracker does not say. */
  count: number | null;
  /** The first ones. */
  issues: { id: string; key: string; summary: string }[];
}

/** The rules of one tenant, as one account may see and change them. Every refusal is a `Refused`. */
export interface Assignments {
  /** Those that concern a project; without one, all. In the order in which they are applied. */
  list(project?: string): Promise<Assignment[]>;
  create(values: AssignmentValues): Promise<Assignment[]>;
  update(id: string, values: Partial<AssignmentValues>): Promise<Assignment[]>;
  remove(id: string): Promise<Assignment[]>;
  /** Before another one; before none is the end. */
  move(id: string, before: string | null): Promise<Assignment[]>;
  preview(
    values: Pick<AssignmentValues, 'projects' | 'issueTypes' | 'moment' | 'statuses'>,
  ): Promise<AssignmentPreview>;
}
