export const assignmentMoments = ['CREATED', 'MOVED', 'FIELD_CHANGED'] as const;
export type AssignmentMoment = (typeof assignmentMoments)[number];

/** What a rule says: which template comes to which issues by itself, and when. */
export interface AssignmentValues {
  template: string;
  /** Ids of projects; none are all of the site. */
  projects: readonly string[];
  /** Ids of issue types; none are all. */
  issueTypes: readonly string[];
  moment: AssignmentMoment;
  /** Ids of the tracker's statuses to which an issue moves; for `MOVED`. */
  statuses: readonly string[];
  /** Id of the field that changes; for `FIELD_CHANGED`. */
  field: string | null;
  enabled: boolean;
}

export interface Assignment extends AssignmentValues {
  id: string;
  /** `null` where the template is gone: then the rule does nothing. */
  templateName: string | null;
}

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
