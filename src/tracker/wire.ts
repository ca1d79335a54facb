/** The API of the tracker's page (`/host/*`), as JSON. The tracker's REST API is separate. */

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
  /** Read-only fields of apps that have a value. */
  fields: { name: string; value: string }[];
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

/** GET /host/issues/{key}: 404 where the user has no access. */
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
  /** The user's transitions: id and name as in the REST API. */
  transitions: { id: string; name: string }[];
}

/** Places of the page in which modules of the add-on stand. */
export type ModulePlace =
  | 'issue-content'
  | 'issue-context'
  | 'portal'
  | 'project-admin'
  | 'general'
  | 'project-page'
  | 'admin'
  | 'post-install'
  | 'configure'
  | 'rule-create'
  | 'rule-edit'
  | 'rule-view'
  | 'gadget'
  | 'gadget-edit'
  | 'dialog';

/** The framework of an app's pages. */
export type Framework = 'connect' | 'forge';

/**
 * GET /host/modules?place=&framework=&issueKey=&projectKey=&addonKey=&key=&rule=&gadget=: the user's modules there, conditions
 * evaluated, ready to be mounted. `framework` is `connect` unless given.
 */
export type HostModule = ConnectModule | ForgeModule;

export type RuleKind = 'validator' | 'condition';

interface PlacedModule {
  addonKey: string;
  key: string;
  name: string;
  icon?: string;
  /** Label of a context panel's button. */
  label?: string;
  /** Of a module for workflow rules. */
  rule?: { kind: RuleKind; description: string };
  /** Absent content panels are offered by the quick-add button. */
  contentPresent: boolean;
}

export interface ConnectModule extends PlacedModule {
  framework: 'connect';
  /** Signed; valid for three minutes. */
  url: string;
  dialog?: { size?: string; width?: string; height?: string; chrome: boolean };
  /** Answer of `AP.context.getContext`, and `options` of `createExtension`. */
  structuredContext: { jira: { issue?: { id: string; key: string }; project?: { id: string; key: string } } };
}

/** Of a page of several, `key` is the page's route. */
export interface ForgeModule extends PlacedModule {
  framework: 'forge';
  url: string;
  /** Answer of `view.getContext`, without the theme. */
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
  place: ModulePlace;
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

/** Its answer. An error has no status: the app's server gave no valid answer. */
export type HostInvoked =
  | { success: true; payload: { status: number; headers: Record<string, string[]>; body: unknown } }
  | { success: false; error: { message: string } };

/**
 * GET /host/forge, PUT with changes: settings of the platform. POST /host/forge/tick fires the hourly triggers; POST
 * /host/forge/app {action} installs or uninstalls the app, for site administrators.
 */
export interface HostForge {
  /** Lifetime of gateway tokens, existing ones included. */
  tokenSeconds: number;
  /** Time limit of the app's server for a frame's call. */
  invokeSeconds: number;
  /** Delay of issue events, up to three minutes. */
  eventDelayMs: number;
  /** Licence claim of invocation tokens, in the environment PRODUCTION. */
  isLicensed: boolean;
  /** Characters that a module's context adds to invocation tokens: the configuration of a rule has up to 32,768. */
  contextChars: number;
  /** Accounts that were closed, or whose profiles have changed, by the reports of personal data. */
  closedAccounts: string[];
  updatedAccounts: string[];
  /** Days between two reports that the platform asks for. */
  reportDays: number;
  /** Whether a rule saved on Connect is evaluated by its own expression; else by the manifest's. */
  replacesRules: boolean;
}

/** GET /host/context-token?addonKey=&issueKey=&projectKey=: text/plain, a token signed for this user and context. */

/**
 * POST /host/faults {…}: fault injection, for tests of a slow or failing tracker. GET: the active faults, as
 * `HostFault[]`. DELETE ends them all, DELETE /host/faults/{id} one. Of several matching faults the first that strikes
 * counts.
 */
export type Fault = CallFault | WebhookFault | TaskFault;

interface Strikes {
  /** Display name. */
  name?: string;
  /** Probability per match, 0 to 1; always without it. `seed` makes it repeatable. */
  chance?: number;
  seed?: number;
  /** Ends after so many strikes, and after so many milliseconds; without either, by DELETE. */
  times?: number;
  forMs?: number;
}

/** Faults of calls to the REST API, `/rest/*`. */
export interface CallFault extends Strikes {
  /** Regular expression over `METHOD /path?query`, e.g. `^PUT .*\/properties\/`. */
  match: string;
  /** Source of the calls: the add-on's server, or users and their pages; both without it. */
  by?: 'addon' | 'people';
  /** Delay before the body is read: nothing is done if the caller disconnects. */
  delayMs?: number;
  /** Answers with that status instead. `retryAfter` (seconds) and `reason` become rate limit headers. */
  status?: number;
  retryAfter?: number;
  reason?: string;
  /** Answers 400 as for an invalid property, or for fields that are not on the issue's screen. */
  refuse?: 'property' | 'screen';
  /** Accepts the request and performs it that much later, whether or not the caller is still connected. */
  lateMs?: number;
  /**
   * Cuts the connection: `before` anything is done, when the request was `taken` and is still performed, `after` it was
   * done.
   */
  cut?: 'before' | 'taken' | 'after';
}

/** Faults of webhooks, Forge events and scheduled triggers. */
export interface WebhookFault extends Strikes {
  /** Regular expression over `event ISSUE-1`, e.g. `^issue_property_set `, or `^avi:jira:set:issue-property ` on Forge. */
  match: string;
  /**
   * `late`: delayed with the issue's later ones; `overtaken`: delayed alone; `doubled`: sent again later; `dropped`:
   * never sent.
   */
  webhook: 'late' | 'overtaken' | 'doubled' | 'dropped';
  /** Delay; not for `dropped`. */
  delayMs?: number;
}

/** Faults of asynchronous tasks. */
export interface TaskFault extends Strikes {
  /** Regular expression over `METHOD property-key`, e.g. `^PUT .*\.checklist$`. */
  match: string;
  /** `late`: done that much later; `failed`: ends without being done. */
  task: 'late' | 'failed';
  delayMs?: number;
}

/** An active fault, and its number of strikes. */
export type HostFault = Fault & { id: string; struck: number };

/** PUT /host/projects/{key}, project administrators. */
export interface HostProjectEdit {
  /** Whether the Checklist Text field is on the project's screens. */
  checklistFieldOnScreen?: boolean | undefined;
  /** What apps have there: `restricted` is no administration, `blocked` nothing at all. */
  apps?: 'administrator' | 'restricted' | 'blocked' | undefined;
  isTeamManaged?: boolean | undefined;
}

/** PUT /host/issues/{key}, project administrators. */
export interface HostIssueEdit {
  isArchived: boolean;
}

/** A rule of an app on a transition. */
export interface HostRule {
  id: string;
  transitionId: string;
  kind: RuleKind;
  framework: Framework;
  addonKey: string;
  moduleKey: string;
  /** The app's configuration, as text. */
  config: string;
}

/**
 * GET /host/projects/{key}/workflow, project administrators. POST /host/projects/{key}/rules {…} adds a rule, PUT
 * …/rules/{id} {config} changes its configuration, DELETE removes it.
 */
export interface HostWorkflow {
  /** Each leads to the status of its name, from all others. */
  transitions: { id: string; name: string }[];
  rules: HostRule[];
}

/** A gadget of an app on the user's dashboard. */
export interface HostGadget {
  id: string;
  framework: Framework;
  addonKey: string;
  moduleKey: string;
}

/**
 * GET /host/gadgets: those of the user's dashboard. POST adds one, PUT /host/gadgets/{id} {config} keeps the configuration
 * of a Forge gadget, DELETE removes one.
 */
export type HostGadgets = HostGadget[];

/** POST /host/addon, site administrators; answers the new state of the add-on. */
export interface HostAddonAction {
  action: 'install' | 'uninstall';
  /** Number of the site's add-on, from 0. */
  number: number;
}

/** Points of each app in a window, for all sites together. */
export interface QuotaLimit {
  points: number;
  /** Length of the window. One of 3,600 is a full hour of UTC. */
  seconds: number;
  /** Announced only: the headers have the prefix `Beta-`, and nothing is refused. */
  beta: boolean;
}

/** PUT /host/quota: sets the limit, or removes it with `null`. */
export interface HostQuotaEdit {
  limit: QuotaLimit | null;
}

/**
 * GET /host/quota: points spent at the REST API, also without a limit. Reset at a window's end and by DELETE. The same
 * at all sites.
 */
export interface HostQuota extends HostQuotaEdit {
  /** Start of the counting and end of the window, ISO 8601; none without a limit. */
  since: string;
  ends: string | null;
  /** Apps with calls, by key. */
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
  /** The cause named by the app in the header `X-Cause`; `null` without one. */
  cause: string | null;
  source: Source;
  /** Answered calls and their points. */
  calls: number;
  points: number;
  /** Calls refused by the limit, at no cost. */
  refused: number;
}

/** Source of a call's figure: the vendor's documentation, measurements of others, or an estimate. */
export type Source = 'documented' | 'reported' | 'estimated';

/** A notification that an app sent about an issue, instead of an e-mail. */
export interface OutboxNotification {
  kind: 'notification';
  id: string;
  /** ISO time. */
  time: string;
  issue: string;
  /** Names of the people who would get it, and of those who lack a permission that it asks for. */
  to: string[];
  withheld: string[];
  subject: string;
  text: string;
  html: string;
}

/** A webhook that the receiver of this tracker got. */
export interface OutboxWebhook {
  kind: 'webhook';
  id: string;
  time: string;
  event: string;
  delivery: string;
  /** By the receiver's secret; `unchecked` without one. */
  signature: 'valid' | 'wrong' | 'unchecked';
  /** The token of the automation's trigger; empty without one. */
  token: string;
  body: string;
}

/**
 * GET /host/outbox: what apps sent, newest first; DELETE empties it. PUT sets the secret by which the receiver checks
 * signatures (empty: none), and the status that it answers. The receiver is POST /receiver.
 */
export interface HostOutbox {
  entries: (OutboxNotification | OutboxWebhook)[];
  hasSecret: boolean;
  status: number;
}

export interface HostOutboxEdit {
  secret?: string;
  status?: number;
}

/** POST /host/automation: sends a web request to an app, as the automation's action does; answers `HostAutomationAnswer`. */
export interface HostAutomation {
  address: string;
  /** Sent as `Authorization: Bearer`, or used to sign the body. */
  secret: string;
  signed: boolean;
  body: string;
}

export interface HostAutomationAnswer {
  status: number;
  body: string;
}
