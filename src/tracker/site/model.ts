import * as z from 'zod';

/** The site's stored data, from which the REST API's shapes are made. */

export const roles = ['site-admin', 'project-admin', 'editor', 'viewer', 'customer'] as const;
export type Role = (typeof roles)[number];

export interface Person {
  accountId: string;
  displayName: string;
  email: string;
  role: Role;
  /** What the user switch shows. */
  roleName: string;
  color: string;
}

/** Names a picture under /images and an entry of the tracker's lists. */
export interface Named {
  id: string;
  name: string;
}

export interface IssueType extends Named {
  icon: string;
  subtask: boolean;
  /** Epics stand at 1, sub-tasks at -1, all others at 0. */
  hierarchyLevel: number;
}

export interface Status extends Named {
  category: StatusCategory;
}

export interface StatusCategory {
  id: number;
  key: string;
  name: string;
  colorName: string;
}

export interface Priority extends Named {
  icon: string;
  color: string;
}

export const projectShape = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  kind: z.enum(['software', 'service']),
  leadId: z.string(),
  issueTypeIds: z.array(z.string()),
  /** The number that the next issue's key takes. */
  nextNumber: z.number().int(),
  /** Ids of fields that stand on no screen of the project: they cannot be set there. */
  offScreen: z.array(z.string()),
});
export type Project = z.infer<typeof projectShape>;

/** A change of an issue's fields, as in the changelog. */
const changeShape = z.object({
  /** Increasing from change to change. */
  id: z.string(),
  /** Account id. */
  author: z.string(),
  /** ISO time. */
  created: z.string(),
  items: z.array(
    z.object({
      field: z.string(),
      fieldId: z.string(),
      fieldtype: z.enum(['jira', 'custom']),
      from: z.string().nullable(),
      fromString: z.string().nullable(),
      to: z.string().nullable(),
      toString: z.string().nullable(),
    }),
  ),
});
export type Change = z.infer<typeof changeShape>;

export const issueShape = z.object({
  id: z.string(),
  key: z.string(),
  projectId: z.string(),
  typeId: z.string(),
  statusId: z.string(),
  priorityId: z.string(),
  summary: z.string(),
  description: z.string(),
  reporterId: z.string(),
  assigneeId: z.string().nullable(),
  parentId: z.string().nullable(),
  labels: z.array(z.string()),
  /** Id of the security level, for restricted issues. */
  securityId: z.string().nullable().default(null),
  /** Linked issues by id, with the link's type; the other end has the same. */
  links: z.array(z.object({ issueId: z.string(), typeId: z.string(), outward: z.boolean() })).default([]),
  /** ISO times. */
  created: z.string(),
  updated: z.string(),
  /** The last changes of fields, newest first. Entries of an older format are dropped. */
  history: z.array(changeShape).catch([]),
  /** Values of custom fields by field id. */
  custom: z.record(z.string(), z.string()),
});
export type Issue = z.infer<typeof issueShape>;

/** A field of the add-on's descriptor. */
export const customFieldShape = z.object({
  id: z.string(),
  /** `{addonKey}__{moduleKey}`. */
  key: z.string(),
  name: z.string(),
  type: z.enum(['string', 'text', 'rich_text']),
});
export type CustomField = z.infer<typeof customFieldShape>;
