/** What the tracker's page asks of the tracker's own server (`/host/*`), as JSON. The tracker's REST API is beside it. */

export interface HostUser {
  accountId: string;
  displayName: string;
  avatar: string;
  /** Shown in the user switch: Site admin, Project admin, Editor, Viewer, Portal customer. */
  role: string;
}

export interface HostProject {
  id: string;
  key: string;
  name: string;
  /** Service projects have a portal. */
  kind: 'software' | 'service';
  issues: HostIssueLine[];
}

export interface HostIssueLine {
  id: string;
  key: string;
  summary: string;
  type: { name: string; icon: string };
  status: { name: string; color: string };
  parentKey?: string;
}

/** GET /host/state, and the answer of POST /host/user {accountId}. */
export interface HostState {
  site: string;
  user: HostUser;
  users: HostUser[];
  projects: HostProject[];
  addon: { state: 'installed'; key: string; name: string } | { state: 'failed' | 'absent'; reason: string };
}

/** GET /host/issues/{key}: 404 for what the user may not see. */
export interface HostIssue extends HostIssueLine {
  project: { id: string; key: string; name: string; kind: 'software' | 'service' };
  description: string;
  assignee?: HostUser;
  reporter?: HostUser;
  priority?: { name: string; icon: string };
  children: HostIssueLine[];
  /** The Checklist Text field as text. */
  checklistText: string;
  mayEdit: boolean;
}

/** Places of the page in which modules of the add-on stand. */
export type Place =
  | 'issue-content'
  | 'issue-context'
  | 'portal'
  | 'project-admin'
  | 'general'
  | 'admin'
  | 'post-install'
  | 'configure'
  | 'dialog';

/**
 * GET /host/modules?place=&issueKey=&projectKey=&key=: the modules that stand there for this user, conditions
 * evaluated, each ready to be mounted. `url` is signed and lives for three minutes.
 */
export interface HostModule {
  addonKey: string;
  key: string;
  name: string;
  icon?: string;
  /** Label of a context panel's button. */
  label?: string;
  url: string;
  dialog?: { size?: string; width?: string; height?: string; chrome: boolean };
  /** What `AP.context.getContext` answers, and `options` of `createExtension` beside it. */
  structuredContext: { jira: { issue?: { id: string; key: string }; project?: { id: string; key: string } } };
  /** Content panels whose content-present conditions fail stand behind the quick-add button. */
  contentPresent: boolean;
}

/** GET /host/context-token?issueKey=&projectKey=: text/plain, a token signed for this user and context. */

/**
 * POST /host/faults {…}, GET and DELETE: faults on demand for /rest/*, for tests of a slow or failing tracker.
 * `match` is a regular expression over `METHOD /path?query`, e.g. `^PUT .*\/properties\/`; the first that matches counts.
 */
export interface Fault {
  match: string;
  /** Answers that status instead, with `Retry-After` in seconds and `RateLimit-Reason` where given. */
  status?: number;
  retryAfter?: number;
  reason?: string;
  /** Waits first. */
  delayMs?: number;
  /** Ends after so many calls; without it, by DELETE. */
  times?: number;
  /** Cuts the connection: `before` anything is done, or `after` it was done and before the answer. */
  cut?: 'before' | 'after';
}

/** PUT /host/projects/{key}, project administrators: takes the Checklist Text field off the project's screens. */
export interface HostProjectEdit {
  checklistFieldOnScreen: boolean;
}

/** POST /host/addon, site administrators; answers the new state of the add-on. */
export interface HostAddonAction {
  action: 'install' | 'uninstall';
}
