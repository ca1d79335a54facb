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
  /** In their order, at least one. */
  addons: ({ state: 'installed'; key: string; name: string } | { state: 'failed' | 'absent'; reason: string })[];
  /** The same app on Forge, where the tracker hosts it. */
  forge?: { state: 'installed'; key: string; name: string } | { state: 'absent'; reason: string };
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
  /** When it was changed last, ISO 8601, and by which account. */
  updated: string;
  updatedBy: string;
  /** Where the user can take it from its status: id and name of a transition of the REST API. */
  transitions: { id: string; name: string }[];
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

/** By which framework an app's pages are in the tracker's. */
export type Framework = 'connect' | 'forge';

/**
 * GET /host/modules?place=&framework=&issueKey=&projectKey=&addonKey=&key=: the modules that stand there for this user,
 * conditions evaluated, each ready to be mounted. `framework` is `connect` unless given.
 */
export type HostModule = ConnectModule | ForgeModule;

interface PlacedModule {
  addonKey: string;
  key: string;
  name: string;
  icon?: string;
  /** Label of a context panel's button. */
  label?: string;
  /** Content panels that are not present stand behind the quick-add button. */
  contentPresent: boolean;
}

export interface ConnectModule extends PlacedModule {
  framework: 'connect';
  /** Signed; lives for three minutes. */
  url: string;
  dialog?: { size?: string; width?: string; height?: string; chrome: boolean };
  /** What `AP.context.getContext` answers, and `options` of `createExtension` beside it. */
  structuredContext: { jira: { issue?: { id: string; key: string }; project?: { id: string; key: string } } };
}

/** Of a page of several, `key` is the page's route. */
export interface ForgeModule extends PlacedModule {
  framework: 'forge';
  url: string;
  /** What `view.getContext` answers, without the theme. */
  context: {
    accountId: string;
    cloudId: string;
    siteUrl: string;
    environmentId: string;
    environmentType: string;
    locale: string;
    timezone: string;
    moduleKey: string;
    localId: string;
    extension: Record<string, unknown>;
  };
}

/** POST /host/forge/invoke: `invokeRemote` of a frame. */
export interface HostInvocation {
  place: Place;
  key: string;
  issueKey?: string;
  projectKey?: string;
  /** Context of the dialog that the frame is in. */
  modal?: unknown;
  path: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

/** Its answer. An error has no status: the app's server gave none that counts. */
export type HostInvoked =
  | { success: true; payload: { status: number; headers: Record<string, string[]>; body: unknown } }
  | { success: false; error: { message: string } };

/**
 * GET /host/forge, and PUT with those to be changed: how the platform behaves. POST /host/forge/tick fires the hourly
 * triggers; POST /host/forge/app {action} installs or uninstalls the app, for site administrators.
 */
export interface HostForge {
  /** How long tokens of the gateway live, those included that are there already. */
  tokenSeconds: number;
  /** How long the app's server may take for a frame's call. */
  invokeSeconds: number;
  /** How late events of issues are, up to three minutes. */
  eventDelayMs: number;
  /** What invocation tokens say of the licence, in the environment PRODUCTION. */
  isLicensed: boolean;
}

/** GET /host/context-token?addonKey=&issueKey=&projectKey=: text/plain, a token signed for this user and context. */

/**
 * POST /host/faults {…}: a fault on demand, for tests of a slow or failing tracker. GET: those in force, as `HostFault[]`.
 * DELETE ends them all, DELETE /host/faults/{id} one. Of several that match the first that strikes counts.
 */
export type Fault = CallFault | WebhookFault | TaskFault;

interface Strikes {
  /** What people call it. */
  name?: string;
  /** Share of what matches that is struck, 0 to 1; without it all. `seed` makes the choice repeatable. */
  chance?: number;
  seed?: number;
  /** Ends after so many strikes, and after so many milliseconds; without either, by DELETE. */
  times?: number;
  forMs?: number;
}

/** Strikes calls of the REST API, `/rest/*`. */
export interface CallFault extends Strikes {
  /** Regular expression over `METHOD /path?query`, e.g. `^PUT .*\/properties\/`. */
  match: string;
  /** Whose calls: the add-on's server's, or those that people and their pages make; without it all. */
  by?: 'addon' | 'people';
  /** Waits before the body is read: nothing is done for a caller who is gone by then. */
  delayMs?: number;
  /** Answers that status instead. `retryAfter` (seconds) and `reason` become the headers of a limit. */
  status?: number;
  retryAfter?: number;
  reason?: string;
  /** Answers 400 as for a property that cannot be stored, or for fields that are not on the issue's screen. */
  refuse?: 'property' | 'screen';
  /** Takes the request and does it that much later, whether or not the caller is still there. */
  lateMs?: number;
  /** Cuts the connection: `before` anything is done, when the request was `taken` to be done all the same, `after` it was done. */
  cut?: 'before' | 'taken' | 'after';
}

/** Strikes webhooks on their way to the add-on, and events and scheduled triggers of Forge. */
export interface WebhookFault extends Strikes {
  /** Regular expression over `event ISSUE-1`, e.g. `^issue_property_set `, or `^avi:jira:set:issue-property ` on Forge. */
  match: string;
  /**
   * `late`: waits, and all of the issue behind it; `overtaken`: waits while others pass; `doubled`: is sent again later;
   * `dropped`: is never sent.
   */
  webhook: 'late' | 'overtaken' | 'doubled' | 'dropped';
  /** How much later; not for `dropped`. */
  delayMs?: number;
}

/** Strikes tasks, which calls only begin. */
export interface TaskFault extends Strikes {
  /** Regular expression over `METHOD property-key`, e.g. `^PUT .*\.checklist$`. */
  match: string;
  /** `late`: is done that much later; `failed`: ends without anything done. */
  task: 'late' | 'failed';
  delayMs?: number;
}

/** A fault in force, and how often it has struck. */
export type HostFault = Fault & { id: string; struck: number };

/** PUT /host/projects/{key}, project administrators: takes the Checklist Text field off the project's screens. */
export interface HostProjectEdit {
  checklistFieldOnScreen: boolean;
}

/** POST /host/addon, site administrators; answers the new state of the add-on. */
export interface HostAddonAction {
  action: 'install' | 'uninstall';
  /** Which of the site's add-ons, from 0. */
  number: number;
}

/** The points that each app may spend in a window, for all sites together. */
export interface QuotaLimit {
  points: number;
  /** Length of the window. One of 3,600 is a full hour of UTC. */
  seconds: number;
  /** Only announced: the headers have the prefix `Beta-`, and nothing is refused. */
  beta: boolean;
}

/** PUT /host/quota: sets the limit, or with `null` takes it away. */
export interface HostQuotaEdit {
  limit: QuotaLimit | null;
}

/**
 * GET /host/quota: what apps spent at the REST API, also without a limit. Starts anew when a limit's window ends, and with
 * DELETE. The same at all sites.
 */
export interface HostQuota extends HostQuotaEdit {
  /** When counting began and when the window ends, ISO 8601; without a limit it does not end. */
  since: string;
  ends: string | null;
  /** Those that have called, by key. */
  apps: { key: string; spent: number }[];
  ledger: LedgerLine[];
}

export interface LedgerLine {
  /** Key of the app. */
  app: string;
  /** Address of the site. */
  site: string;
  /** Method and path, e.g. `GET /issue/:issue`. */
  call: string;
  /** What the app named as the cause in the header `X-Cause`; `null` where it named none. */
  cause: string | null;
  source: Source;
  /** Answered calls and their points. */
  calls: number;
  points: number;
  /** Calls that the limit refused, which cost nothing. */
  refused: number;
}

/** Where the figure of a call comes from: the vendor's documentation, measurements of others, or an estimate. */
export type Source = 'documented' | 'reported' | 'estimated';
