import * as v from 'valibot';

/*
 * The API of the page (`/host/*`), as JSON: users, projects, issues and installed apps. Each shape of this folder stands
 * once, for the server that checks requests and the page that checks answers. The REST API is separate.
 */

const user = v.object({
  accountId: v.string(),
  displayName: v.string(),
  avatar: v.string(),
  /** Shown in the user switch: Site admin, Project admin, Editor, Viewer, Portal customer. */
  role: v.string(),
});
export type HostUser = v.InferOutput<typeof user>;

/** Service projects have a portal. */
const projectKind = v.picklist(['software', 'service']);

const issueLine = v.object({
  id: v.string(),
  key: v.string(),
  summary: v.string(),
  type: v.object({ name: v.string(), icon: v.string() }),
  status: v.object({ name: v.string(), color: v.string() }),
  /** Read-only fields of apps that have a value. */
  fields: v.array(v.object({ name: v.string(), value: v.string() })),
  parentKey: v.exactOptional(v.string()),
});
export type HostIssueLine = v.InferOutput<typeof issueLine>;

const project = v.object({
  id: v.string(),
  key: v.string(),
  name: v.string(),
  kind: projectKind,
  issues: v.array(issueLine),
});
export type HostProject = v.InferOutput<typeof project>;

const installedApp = v.object({ state: v.literal('installed'), key: v.string(), name: v.string() });

/** GET /host/state, and the answer of POST /host/user {accountId}. */
export const stateShape = v.object({
  site: v.string(),
  user,
  users: v.array(user),
  projects: v.array(project),
  /** In their order, at least one. */
  addons: v.array(v.union([installedApp, v.object({ state: v.picklist(['failed', 'absent']), reason: v.string() })])),
  /** The app on Forge, if the tracker hosts it. */
  forge: v.exactOptional(v.union([installedApp, v.object({ state: v.literal('absent'), reason: v.string() })])),
});
export type HostState = v.InferOutput<typeof stateShape>;

/** GET /host/issues/{key}: 404 if the user has no access. */
export const issueShape = v.object({
  ...issueLine.entries,
  project: v.object({ id: v.string(), key: v.string(), name: v.string(), kind: projectKind }),
  description: v.string(),
  assignee: v.exactOptional(user),
  reporter: v.exactOptional(user),
  priority: v.exactOptional(v.object({ name: v.string(), icon: v.string() })),
  children: v.array(issueLine),
  /** The Checklist Text field as text. */
  checklistText: v.string(),
  mayEdit: v.boolean(),
  /** When it was changed last, ISO 8601, and by which account. */
  updated: v.string(),
  updatedBy: v.string(),
  /** The user's transitions: id and name as in the REST API. */
  transitions: v.array(v.object({ id: v.string(), name: v.string() })),
});
export type HostIssue = v.InferOutput<typeof issueShape>;

/** The rights of apps in a project: `restricted` is no administration, `blocked` nothing at all. */
export const appAccess = v.picklist(['administrator', 'restricted', 'blocked']);

/** PUT /host/projects/{key}, project administrators. */
export const projectEdit = v.strictObject({
  /** Whether the Checklist Text field is on the project's screens. */
  checklistFieldOnScreen: v.optional(v.boolean()),
  apps: v.optional(appAccess),
  isTeamManaged: v.optional(v.boolean()),
});

/** PUT /host/issues/{key}, project administrators. */
export const issueEdit = v.strictObject({ isArchived: v.boolean() });

/** POST /host/addon, site administrators; answers the new state of the add-on. */
export const addonAction = v.object({
  action: v.picklist(['install', 'uninstall']),
  /** Number of the site's add-on, from 0. */
  number: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
});
