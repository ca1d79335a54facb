import * as v from 'valibot';

/*
 * The API of the tracker's page (`/host/*`), as JSON: each shape once, for the server that checks requests and the page
 * that checks answers. The tracker's REST API is separate.
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

/** Places of the page in which modules of the add-on stand. */
export const placeShape = v.picklist([
  'issue-content',
  'issue-context',
  'portal',
  'project-admin',
  'general',
  'project-page',
  'admin',
  'post-install',
  'configure',
  'rule-create',
  'rule-edit',
  'rule-view',
  'gadget',
  'gadget-edit',
  'dialog',
]);
export type ModulePlace = v.InferOutput<typeof placeShape>;

/** The framework of an app's pages. */
export const frameworkShape = v.picklist(['connect', 'forge']);
export type Framework = v.InferOutput<typeof frameworkShape>;

const ruleKind = v.picklist(['validator', 'condition']);
export type RuleKind = v.InferOutput<typeof ruleKind>;

const placedModule = v.object({
  addonKey: v.string(),
  key: v.string(),
  name: v.string(),
  icon: v.exactOptional(v.string()),
  /** Label of a context panel's button. */
  label: v.exactOptional(v.string()),
  url: v.pipe(v.string(), v.url()),
  /** Of a module for workflow rules. */
  rule: v.exactOptional(v.object({ kind: ruleKind, description: v.string() })),
  /** Absent content panels are offered by the quick-add button. */
  contentPresent: v.boolean(),
});

const entity = v.exactOptional(v.object({ id: v.string(), key: v.string() }));

/** Answer of `AP.context.getContext`; unknown members pass through. */
export const contextShape = v.looseObject({ jira: v.looseObject({ issue: entity, project: entity }) });

/** Its URL is signed, and valid for three minutes. */
const connectModule = v.object({
  ...placedModule.entries,
  framework: v.literal('connect'),
  dialog: v.exactOptional(
    v.object({
      size: v.exactOptional(v.string()),
      width: v.exactOptional(v.string()),
      height: v.exactOptional(v.string()),
      chrome: v.boolean(),
    }),
  ),
  /** Also the `options` of `createExtension`. */
  structuredContext: contextShape,
});
export type ConnectModule = v.InferOutput<typeof connectModule>;

/** Of a page of several, `key` is the page's route. */
const forgeModule = v.object({
  ...placedModule.entries,
  framework: v.literal('forge'),
  /** Answer of `view.getContext`, without the theme. */
  context: v.object({
    accountId: v.string(),
    cloudId: v.string(),
    siteUrl: v.string(),
    environmentId: v.string(),
    environmentType: v.string(),
    locale: v.string(),
    timezone: v.string(),
    moduleKey: v.string(),
    localId: v.string(),
    extension: v.record(v.string(), v.unknown()),
  }),
});
export type ForgeModule = v.InferOutput<typeof forgeModule>;

/**
 * GET /host/modules?place=&framework=&issueKey=&projectKey=&addonKey=&key=&rule=&gadget=: the user's modules there, conditions
 * evaluated, ready to be mounted. `framework` is `connect` unless given.
 */
export const connectModules = v.array(connectModule);
export const forgeModules = v.array(forgeModule);
export type HostModule = ConnectModule | ForgeModule;

/** POST /host/forge/invoke: `invokeRemote` of a frame. */
export const invocationShape = v.object({
  place: placeShape,
  key: v.string(),
  issueKey: v.exactOptional(v.string()),
  projectKey: v.exactOptional(v.string()),
  /** Context of the dialog that the frame is in. */
  modal: v.optional(v.unknown()),
  path: v.pipe(v.string(), v.startsWith('/')),
  method: v.exactOptional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  headers: v.exactOptional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  body: v.optional(v.unknown()),
});
export type HostInvocation = v.InferOutput<typeof invocationShape>;

/** Its answer. An error has no status: the app's server gave no valid answer. */
export const invokedShape = v.union([
  v.object({
    success: v.literal(true),
    payload: v.object({ status: v.number(), headers: v.record(v.string(), v.array(v.string())), body: v.unknown() }),
  }),
  v.object({ success: v.literal(false), error: v.object({ message: v.string() }) }),
]);
export type HostInvoked = v.InferOutput<typeof invokedShape>;

/** The longest delay of an event, in milliseconds. */
const EVENT_DELAY_MAX_MS = 180_000;
const RULE_CONFIG_MAX_CHARS = 32_768;

const forgeSettings = v.strictObject({
  /** Lifetime of gateway tokens, existing ones included. */
  tokenSeconds: v.pipe(v.number(), v.finite(), v.minValue(0)),
  /** Time limit of the app's server for a frame's call. */
  invokeSeconds: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  /** Delay of issue events. */
  eventDelayMs: v.pipe(v.number(), v.minValue(0), v.maxValue(EVENT_DELAY_MAX_MS)),
  /** Licence claim of invocation tokens, in the environment PRODUCTION. */
  isLicensed: v.boolean(),
  /** Characters that a module's context adds to invocation tokens. */
  contextChars: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(RULE_CONFIG_MAX_CHARS)),
  /** Accounts that were closed, or whose profiles have changed, by the reports of personal data. */
  closedAccounts: v.array(v.string()),
  updatedAccounts: v.array(v.string()),
  /** Days between two reports that the platform asks for. */
  reportDays: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Whether a rule saved on Connect is evaluated by its own expression; else by the manifest's. */
  replacesRules: v.boolean(),
});
/**
 * GET /host/forge, PUT with changes: settings of the platform. POST /host/forge/tick fires the hourly triggers; POST
 * /host/forge/app {action} installs or uninstalls the app, for site administrators.
 */
export type HostForge = v.InferOutput<typeof forgeSettings>;
export const forgeEdit = v.partial(forgeSettings);

/** GET /host/context-token?addonKey=&issueKey=&projectKey=: text/plain, a token signed for this user and context. */

const FAULT_DELAY_MAX_MS = 600_000;
const faultDelay = v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(FAULT_DELAY_MAX_MS)));

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

const strikes = {
  match: v.pipe(v.string(), v.minLength(1), v.check(isPattern, "This isn't a regular expression")),
  /** Display name. */
  name: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
  /** Probability per match, 0 to 1; always without it. `seed` makes it repeatable. */
  chance: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  seed: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  /** Ends after so many strikes, and after so many milliseconds; without either, by DELETE. */
  times: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  forMs: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(1))),
};

/**
 * Faults of calls to the REST API, `/rest/*`. `match` is a regular expression over `METHOD /path?query`, e.g.
 * `^PUT .*\/properties\/`.
 */
const callFault = v.strictObject({
  ...strikes,
  /** Source of the calls: the add-on's server, or users and their pages; both without it. */
  by: v.exactOptional(v.picklist(['addon', 'people'])),
  /** Delay before the body is read: nothing is done if the caller disconnects. */
  delayMs: faultDelay,
  /** Answers with that status instead. `retryAfter` (seconds) and `reason` become rate limit headers. */
  status: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(400), v.maxValue(599))),
  retryAfter: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  reason: v.exactOptional(v.string()),
  /** Answers 400 as for an invalid property, or for fields that are not on the issue's screen. */
  refuse: v.exactOptional(v.picklist(['property', 'screen'])),
  /** Accepts the request and performs it that much later, whether or not the caller is still connected. */
  lateMs: faultDelay,
  /**
   * Cuts the connection: `before` anything is done, when the request was `taken` and is still performed, `after` it was
   * done.
   */
  cut: v.exactOptional(v.picklist(['before', 'taken', 'after'])),
});
export type CallFault = v.InferOutput<typeof callFault>;

/**
 * Faults of webhooks, Forge events and scheduled triggers. `match` is a regular expression over `event ISSUE-1`, e.g.
 * `^issue_property_set `, or `^avi:jira:set:issue-property ` on Forge.
 */
const webhookFault = v.strictObject({
  ...strikes,
  /**
   * `late`: delayed with the issue's later ones; `overtaken`: delayed alone; `doubled`: sent again later; `dropped`:
   * never sent.
   */
  webhook: v.picklist(['late', 'overtaken', 'doubled', 'dropped']),
  /** Delay; not for `dropped`. */
  delayMs: faultDelay,
});
export type WebhookFault = v.InferOutput<typeof webhookFault>;

/** Faults of asynchronous tasks. `match` is a regular expression over `METHOD property-key`, e.g. `^PUT .*\.checklist$`. */
const taskFault = v.strictObject({
  ...strikes,
  /** `late`: done that much later; `failed`: ends without being done. */
  task: v.picklist(['late', 'failed']),
  delayMs: faultDelay,
});
export type TaskFault = v.InferOutput<typeof taskFault>;

/**
 * POST /host/faults {…}: fault injection, for tests of a slow or failing tracker. GET: the active faults, as
 * `HostFault[]`. DELETE ends them all, DELETE /host/faults/{id} one. Of several matching faults the first that strikes
 * counts.
 */
export const faultShape = v.union([callFault, webhookFault, taskFault]);
export type Fault = v.InferOutput<typeof faultShape>;

const active = { id: v.string(), struck: v.number() };
/** The active faults, each with its number of strikes. */
export const faultsShape = v.array(
  v.union([
    v.strictObject({ ...callFault.entries, ...active }),
    v.strictObject({ ...webhookFault.entries, ...active }),
    v.strictObject({ ...taskFault.entries, ...active }),
  ]),
);
export type HostFault = v.InferOutput<typeof faultsShape>[number];

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

/** The app's configuration of a rule, as text. */
const config = v.pipe(v.string(), v.maxLength(RULE_CONFIG_MAX_CHARS));
/** A rule of an app on a transition. */
const rule = v.object({
  id: v.string(),
  transitionId: v.string(),
  kind: ruleKind,
  framework: frameworkShape,
  addonKey: v.string(),
  moduleKey: v.string(),
  config,
});
const listedRule = v.object({
  ...rule.entries,
  /** The rule in words. */
  summary: v.string(),
});
export type HostRule = v.InferOutput<typeof listedRule>;
export const newRule = v.omit(rule, ['id']);
export type NewRule = v.InferOutput<typeof newRule>;
export const ruleEdit = v.pick(rule, ['config']);

/**
 * GET /host/projects/{key}/workflow, project administrators. POST /host/projects/{key}/rules {…} adds a rule, PUT
 * …/rules/{id} {config} changes its configuration, DELETE removes it.
 */
export const workflowShape = v.object({
  /** Each leads to the status of its name, from all others. */
  transitions: v.array(v.object({ id: v.string(), name: v.string() })),
  rules: v.array(listedRule),
});
export type HostWorkflow = v.InferOutput<typeof workflowShape>;

/** A gadget of an app on the user's dashboard. */
const gadget = v.object({ id: v.string(), framework: frameworkShape, addonKey: v.string(), moduleKey: v.string() });
export type HostGadget = v.InferOutput<typeof gadget>;
export const newGadget = v.omit(gadget, ['id']);

/**
 * GET /host/gadgets: those of the user's dashboard. POST adds one, PUT /host/gadgets/{id} {config} keeps the configuration
 * of a Forge gadget, DELETE removes one.
 */
export const gadgetsShape = v.array(gadget);

/** POST /host/addon, site administrators; answers the new state of the add-on. */
export const addonAction = v.object({
  action: v.picklist(['install', 'uninstall']),
  /** Number of the site's add-on, from 0. */
  number: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
});

/** A week. */
const QUOTA_WINDOW_MAX_SECONDS = 604_800;
/** Points of each app in a window, for all sites together. */
const quotaLimit = v.strictObject({
  points: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Length of the window. One of 3,600 is a full hour of UTC. */
  seconds: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(QUOTA_WINDOW_MAX_SECONDS)),
  /** Announced only: the headers have the prefix `Beta-`, and nothing is refused. */
  beta: v.boolean(),
});
export type QuotaLimit = v.InferOutput<typeof quotaLimit>;

/** PUT /host/quota: sets the limit, or removes it with `null`. */
export const quotaEdit = v.strictObject({ limit: v.nullable(quotaLimit) });
export type HostQuotaEdit = v.InferOutput<typeof quotaEdit>;

/** Source of a call's figure: the vendor's documentation, measurements of others, or an estimate. */
const sourceShape = v.picklist(['documented', 'reported', 'estimated']);
export type Source = v.InferOutput<typeof sourceShape>;

const ledgerLine = v.object({
  /** Key of the app. */
  app: v.string(),
  /** Address of the site. */
  site: v.string(),
  /** Method and path, e.g. `GET /issue/:issue`. */
  call: v.string(),
  /** The cause named by the app in the header `X-Cause`; `null` without one. */
  cause: v.nullable(v.string()),
  source: sourceShape,
  /** Answered calls and their points. */
  calls: v.number(),
  points: v.number(),
  /** Calls refused by the limit, at no cost. */
  refused: v.number(),
});
export type LedgerLine = v.InferOutput<typeof ledgerLine>;

/**
 * GET /host/quota: points spent at the REST API, also without a limit. Reset at a window's end and by DELETE. The same
 * at all sites.
 */
export const quotaShape = v.object({
  ...quotaEdit.entries,
  /** Start of the counting and end of the window, ISO 8601; none without a limit. */
  since: v.string(),
  ends: v.nullable(v.string()),
  /** Apps with calls, by key. */
  apps: v.array(v.object({ key: v.string(), spent: v.number() })),
  ledger: v.array(ledgerLine),
});
export type HostQuota = v.InferOutput<typeof quotaShape>;

/** `time` is an ISO time. */
const sent = { id: v.string(), time: v.string() };

/** A notification that an app sent about an issue, instead of an e-mail. */
const outboxNotification = v.object({
  ...sent,
  kind: v.literal('notification'),
  issue: v.string(),
  /** Names of the people who would get it, and of those who lack a permission that it asks for. */
  to: v.array(v.string()),
  withheld: v.array(v.string()),
  subject: v.string(),
  text: v.string(),
  html: v.string(),
});
export type OutboxNotification = v.InferOutput<typeof outboxNotification>;

/** A webhook that the receiver of this tracker got. */
const outboxWebhook = v.object({
  ...sent,
  kind: v.literal('webhook'),
  event: v.string(),
  delivery: v.string(),
  /** By the receiver's secret; `unchecked` without one. */
  signature: v.picklist(['valid', 'wrong', 'unchecked']),
  /** The token of the automation's trigger; empty without one. */
  token: v.string(),
  body: v.string(),
});
export type OutboxWebhook = v.InferOutput<typeof outboxWebhook>;

/**
 * GET /host/outbox: what apps sent, newest first; DELETE empties it. PUT sets the secret by which the receiver checks
 * signatures (empty: none), and the status that it answers. The receiver is POST /receiver.
 */
export const outboxShape = v.object({
  entries: v.array(v.variant('kind', [outboxNotification, outboxWebhook])),
  hasSecret: v.boolean(),
  status: v.number(),
});
export type HostOutbox = v.InferOutput<typeof outboxShape>;

export const outboxEdit = v.object({
  secret: v.exactOptional(v.string()),
  status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
});
export type HostOutboxEdit = v.InferOutput<typeof outboxEdit>;

/** POST /host/automation: sends a web request to an app, as the automation's action does. */
export const automationShape = v.object({
  address: v.string(),
  /** Sent as `Authorization: Bearer`, or used to sign the body. */
  secret: v.string(),
  signed: v.boolean(),
  body: v.string(),
});
export type HostAutomation = v.InferOutput<typeof automationShape>;

/** Its answer. */
export const automationAnswerShape = v.object({ status: v.number(), body: v.string() });
export type HostAutomationAnswer = v.InferOutput<typeof automationAnswerShape>;
