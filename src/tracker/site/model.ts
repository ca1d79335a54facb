import * as v from 'valibot';
import { appAccess } from '../wire/site.ts';

/** The site's stored data, from which the REST API's shapes are made. */

export const roles = ['site-admin', 'project-admin', 'editor', 'viewer', 'customer'] as const;
export type Role = (typeof roles)[number];

export interface Person {
  accountId: string;
  displayName: string;
  email: string;
  role: Role;
  /** The role's name in the user switch. */
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

export const projectShape = v.object({
  id: v.string(),
  key: v.string(),
  name: v.string(),
  kind: v.picklist(['software', 'service']),
  leadId: v.string(),
  issueTypeIds: v.array(v.string()),
  /** The number that the next issue's key takes. */
  nextNumber: v.pipe(v.number(), v.safeInteger()),
  /** Ids of fields that stand on no screen of the project: they cannot be set there. */
  offScreen: v.array(v.string()),
  /**
   * The permissions of apps in the project. `administrator`: all, as usual. `restricted`: without administration and
   * deletion, as in a new team-managed project. `blocked`: none, by a data security policy.
   */
  apps: v.optional(appAccess, 'administrator'),
  /** Managed by its team: `next-gen` in the API. */
  isTeamManaged: v.optional(v.boolean(), false),
});
export type Project = v.InferOutput<typeof projectShape>;

/** A change of an issue's fields, as in the changelog. */
const changeShape = v.object({
  /** Increasing from change to change. */
  id: v.string(),
  /** Account id. */
  author: v.string(),
  /** ISO time. */
  created: v.string(),
  items: v.array(
    v.object({
      field: v.string(),
      fieldId: v.string(),
      fieldtype: v.picklist(['jira', 'custom']),
      from: v.nullable(v.string()),
      fromString: v.nullable(v.string()),
      to: v.nullable(v.string()),
      toString: v.nullable(v.string()),
    }),
  ),
});
export type Change = v.InferOutput<typeof changeShape>;

export const issueShape = v.object({
  id: v.string(),
  key: v.string(),
  projectId: v.string(),
  typeId: v.string(),
  statusId: v.string(),
  priorityId: v.string(),
  summary: v.string(),
  description: v.string(),
  reporterId: v.string(),
  assigneeId: v.nullable(v.string()),
  parentId: v.nullable(v.string()),
  labels: v.array(v.string()),
  /** Id of the security level, for restricted issues. */
  securityId: v.optional(v.nullable(v.string()), null),
  /** Linked issues by id, with the link's type; the other end has the same. */
  links: v.optional(v.array(v.object({ issueId: v.string(), typeId: v.string(), outward: v.boolean() })), []),
  /** An archived issue can be read, not changed. */
  isArchived: v.optional(v.boolean(), false),
  /** ISO times. */
  created: v.string(),
  updated: v.string(),
  /** The last changes of fields, newest first. Entries of an older format are dropped. */
  history: v.fallback(v.array(changeShape), []),
  /** Values of custom fields by field id. */
  custom: v.record(v.string(), v.string()),
});
export type Issue = v.InferOutput<typeof issueShape>;

/** A rule of an app on a project's transition. */
export const workflowRuleShape = v.object({
  id: v.string(),
  projectId: v.string(),
  transitionId: v.string(),
  kind: v.picklist(['validator', 'condition']),
  framework: v.picklist(['connect', 'forge']),
  addonKey: v.string(),
  moduleKey: v.string(),
  config: v.string(),
});
export type WorkflowRule = v.InferOutput<typeof workflowRuleShape>;

/** A gadget of an app on a user's dashboard. */
export const gadgetShape = v.object({
  id: v.string(),
  /** Account id. */
  owner: v.string(),
  framework: v.picklist(['connect', 'forge']),
  addonKey: v.string(),
  moduleKey: v.string(),
  /** Of a Forge gadget; one of Connect keeps it in a property. */
  config: v.optional(v.unknown()),
});
export type Gadget = v.InferOutput<typeof gadgetShape>;

/** A field of the add-on's descriptor. */
export const customFieldShape = v.object({
  id: v.string(),
  /** `{addonKey}__{moduleKey}`. */
  key: v.string(),
  name: v.string(),
  type: v.picklist(['string', 'text', 'rich_text', 'read_only']),
  /** Of a read-only field: where its value is in a property of the issue, or the expression that formats it. */
  value: v.optional(
    v.union([
      v.object({ property: v.string(), path: v.string(), type: v.picklist(['number', 'string', 'date']) }),
      v.object({ expression: v.string() }),
    ]),
  ),
});
export type CustomField = v.InferOutput<typeof customFieldShape>;
