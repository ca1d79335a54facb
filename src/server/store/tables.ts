import type { ColumnType, Transaction } from 'kysely';
import type {
  AssignedItemTable,
  ChecklistTable,
  ConversionTable,
  Defaulted,
  ImportedTable,
  Json,
  PresencePlaceTable,
  PresenceTable,
  ProjectCopyTable,
  RegistryTable,
  RevisionTable,
  StatusUseTable,
  SyncTable,
  TemplateUseTable,
} from './checklist-tables.ts';

export interface TenantTable {
  /** The tracker's client key, or the cloud id of a site that never had the Connect app. */
  tenant: string;
  /** The tracker's address without a trailing slash. */
  url: string;
  /** Connect's shared secret, encrypted; null if the Connect app is not installed. */
  secret: Uint8Array | null;
  /** Changes with every installation. */
  epoch: string;
  /** The app is installed, as a Connect app, on Forge, or both. */
  enabled: boolean;
  /** The Forge installation that Connect's installation named, if it did. */
  installation: Defaulted<string | null>;
  /** License state that Connect last reported. */
  licensed: Defaulted<boolean>;
  manage_permissions: Defaulted<boolean>;
  view_permissions: Defaulted<boolean>;
  analytics: Defaulted<boolean>;
  getting_started: Defaulted<string | null>;
  /** Whether the starter templates are offered. */
  starters: Defaulted<boolean>;
  /** Id of the field that an administrator chose to mirror checklists; null: the app's own. */
  text_field: Defaulted<string | null>;
  /** The portal mode of projects without a choice of their own. */
  portal: Defaulted<string>;
  /** Whether checklists are mirrored in a field. */
  mirror: Defaulted<boolean>;
  status_version: Defaulted<number>;
  /** The version of statuses and templates that the site's projects should hold, and the last one that they all held or refused. */
  copies_wanted: Defaulted<number>;
  copies_confirmed: Defaulted<number>;
  /** The watch in which they held it; null: never. */
  copies_watch: Defaulted<string | null>;
  /** When the previous edition's data was taken over completely. */
  inherited: Defaulted<Date | null>;
  /** Since when it has not been installed; null while it is. */
  uninstalled: Defaulted<Date | null>;
}

/** A site on Forge. */
export interface ForgeSiteTable {
  tenant: string;
  cloud_id: string;
  /** Changes with every installation. */
  installation: string;
  /** Base URL of the site's REST API, without a trailing slash. */
  gateway: string;
  /** The app's token, encrypted, and when it expires; null after the gateway refused it. */
  token: Uint8Array | null;
  token_until: Date | null;
  /** License state that Forge last reported. */
  licensed: boolean;
  /** The site's keys of the app's permissions, by module; null while unknown. */
  permissions: ColumnType<unknown, string | null | undefined, string>;
  /** When Forge last called, to some minutes. */
  seen: Date;
  enabled: boolean;
}

/** A user's token on Forge. */
export interface ForgeAskerTable {
  tenant: string;
  account: string;
  /** Encrypted. */
  token: Uint8Array;
  until: Date;
}

/** The part of a project's checklists that portal customers see. */
export interface PortalModeTable {
  tenant: string;
  project: string;
  mode: string;
}

/** Cached permissions of an account on an issue, for when the tracker does not answer. */
export interface AccessGrantTable {
  tenant: string;
  issue: string;
  account: string;
  /** The tracker had shown the account the frame of this issue. */
  framed: boolean;
  /** Epoch of the installation. */
  epoch: string;
  /** Permission keys. */
  granted: Json;
  sees: string;
  /** When the tracker was asked. */
  asked: Date;
}

/** The time before which cached permissions and tokens of an issue are stale. */
export interface AccessDoubtTable {
  tenant: string;
  issue: string;
  since: Date;
}

export interface TemplateTable {
  tenant: string;
  id: string;
  /** The id of the only project that it is for; null for the whole site. */
  project: string | null;
  name: string;
  text: string;
  /** Author of the last change. */
  account: string;
  created: ColumnType<Date, never, never>;
  updated: Defaulted<Date>;
  /** The normalized name, for comparisons. */
  key: Defaulted<string>;
  items: Defaulted<number>;
  /** When it was deleted; it can be restored for some time. */
  deleted: ColumnType<Date | null, null | undefined, Date | null>;
}

/** A version of a template. */
export interface TemplateVersionTable {
  tenant: string;
  template: string;
  /** Counted from 1 for each template. */
  version: number;
  /** The author; empty if no account is. */
  account: string;
  project: string | null;
  name: string;
  text: string;
  items: number;
  created: ColumnType<Date, never, never>;
}

/** The template that a project, or (`''`) the site, offers first. */
export interface TemplateDefaultTable {
  tenant: string;
  project: string;
  template: string;
}

/** A job over a project, a site or one issue. */
export interface JobTable {
  tenant: string;
  id: string;
  kind: string;
  state: string;
  /** Id of the project or issue that it is limited to. */
  project: string | null;
  issue: string | null;
  options: Json;
  /** The tracker's token of the current page, and the last finished issue of that page. */
  page: Defaulted<string | null>;
  issue_done: Defaulted<string | null>;
  /** The issue for which the tracker did not answer at the last try. */
  unanswered: Defaulted<string | null>;
  /** Estimated number of issues. */
  total: Defaulted<number | null>;
  seen: Defaulted<number>;
  done: Defaulted<number>;
  skipped: Defaulted<number>;
  failed: Defaulted<number>;
  log: ColumnType<unknown, string | undefined, string>;
  account: string;
  created: ColumnType<Date, never, never>;
  updated: ColumnType<Date, never, Date>;
  ended: ColumnType<Date | null, never, Date>;
}

/** A custom status of a site or project, or a changed built-in one. */
export interface StatusTable {
  tenant: string;
  slug: string;
  /** The id of the only project that it is for; null for the whole site. */
  project: string | null;
  name: string;
  color: string;
  checked: boolean;
  position: number;
  /** Former names. */
  former: Json;
  /** Slug of the status that its items get; null unless it is being deleted. */
  moves_to: string | null;
}

/** A rule that applies a template automatically. Lists hold ids; an empty one means all. */
export interface TemplateRuleTable {
  tenant: string;
  id: string;
  template: string;
  projects: Json;
  issue_types: Json;
  moment: string;
  statuses: Json;
  field: string | null;
  enabled: boolean;
  position: number;
  /** The account in whose name it acts. */
  account: string;
  /** Events before this time are ignored. */
  since: Defaulted<Date>;
}

/** A rule was applied to an issue. */
export interface RuleAppliedTable {
  tenant: string;
  rule: string;
  issue: string;
}

/** A token of the REST API. */
export interface ApiTokenTable {
  tenant: string;
  id: string;
  /** Epoch of the installation that it belongs to. */
  epoch: string;
  name: string;
  /** Of the whole token. */
  hash: string;
  /** `READ` or `WRITE`. */
  scope: string;
  /** Ids of the projects that it is restricted to; empty for the whole site. */
  projects: string[];
  /** The account that created it. */
  account: string;
  created: ColumnType<Date, never, never>;
  /** When it expires, if it does. */
  until: Date | null;
  /** When it was last used, to a minute. */
  used: Defaulted<Date | null>;
  /** When it was revoked. The row stays, since the history names its changes by it. */
  revoked: Defaulted<Date | null>;
}

/** A request of an API token with an idempotency key. */
export interface ApiRequestTable {
  tenant: string;
  /** Id of the token. */
  token: string;
  key: string;
  /** Hash of the request. */
  fingerprint: string;
  created: ColumnType<Date, never, never>;
}

/** A webhook, outgoing or incoming. Lists hold names or ids; of projects an empty one means all. */
export interface WebhookTable {
  tenant: string;
  id: string;
  direction: string;
  name: string;
  /** The receiver's address, of an outgoing one. */
  url: string | null;
  events: Json;
  actions: Json;
  projects: Json;
  /** Calls have the texts of items. */
  with_text: boolean;
  /** It is also called for changes that incoming webhooks and API tokens made. */
  automated: boolean;
  /** Sealed; null after the end of the installation that it was made in. */
  secret: Uint8Array | null;
  /** The token for Jira's automation, sealed. */
  token: Uint8Array | null;
  enabled: boolean;
  /** Failed tries since the last success, when the first of them was, and when the next is due. */
  failures: Defaulted<number>;
  failing: Defaulted<Date | null>;
  retry_at: Defaulted<Date | null>;
  /** When it was turned off because its receiver failed for too long. */
  stopped: Defaulted<Date | null>;
  /** Author of the last change. */
  account: string;
  created: ColumnType<Date, never, never>;
}

/** A call of a webhook: one that waits, or an entry of its log. */
export interface WebhookCallTable {
  tenant: string;
  webhook: string;
  id: string;
  /** The event of an outgoing webhook's call, or the action that an incoming webhook was asked for. */
  event: string;
  issue: string | null;
  /** The JSON to send; null once the call has ended. */
  body: string | null;
  /** The receiver's or our HTTP status; 0 without an answer. */
  status: Defaulted<number | null>;
  /** `null` while it waits. */
  outcome: Defaulted<string | null>;
  tries: Defaulted<number>;
  /** Milliseconds of the last try. */
  took: Defaulted<number | null>;
  created: ColumnType<Date, never, never>;
  ended: Defaulted<Date | null>;
}

/** A person of a site: settings, time zone and digests. */
export interface PersonTable {
  tenant: string;
  account: string;
  /** The person's choice of notifications; null: the default. */
  notify: Defaulted<string | null>;
  /** IANA time zone of the person's browser. */
  zone: Defaulted<string | null>;
  /** When the last digest was sent. */
  digest_at: Defaulted<Date | null>;
}

/** A person who wants no notifications of an issue. */
export interface NotificationMuteTable {
  tenant: string;
  account: string;
  issue: string;
  created: ColumnType<Date, never, never>;
}

/** A notice that a person is to get, or got. Each notice is stored once. */
export interface NotificationTable {
  tenant: string;
  account: string;
  issue: string;
  /** The row's lasting id. */
  row: string;
  kind: string;
  /** ISO day of an item that is due; empty for others. */
  due: Defaulted<string>;
  created: ColumnType<Date, never, Date>;
  sent: Defaulted<Date | null>;
}

/** A token that was used, until it expires. */
export interface UsedTokenTable {
  tenant: string;
  hash: string;
  until: Date;
}

export interface Tables {
  used_token: UsedTokenTable;
  api_token: ApiTokenTable;
  api_request: ApiRequestTable;
  webhook: WebhookTable;
  webhook_call: WebhookCallTable;
  person: PersonTable;
  notification_mute: NotificationMuteTable;
  notification: NotificationTable;
  template_version: TemplateVersionTable;
  template_use: TemplateUseTable;
  template_rule: TemplateRuleTable;
  rule_applied: RuleAppliedTable;
  status: StatusTable;
  registry: RegistryTable;
  project_copy: ProjectCopyTable;
  status_use: StatusUseTable;
  job: JobTable;
  imported: ImportedTable;
  tenant: TenantTable;
  portal_mode: PortalModeTable;
  forge_site: ForgeSiteTable;
  forge_asker: ForgeAskerTable;
  checklist: ChecklistTable;
  sync: SyncTable;
  revision: RevisionTable;
  access_grant: AccessGrantTable;
  access_doubt: AccessDoubtTable;
  presence: PresenceTable;
  presence_place: PresencePlaceTable;
  template: TemplateTable;
  template_default: TemplateDefaultTable;
  assigned_item: AssignedItemTable;
  conversion: ConversionTable;
}

/** A transaction in which one tenant's rows are visible. */
export type Tx = Transaction<Tables>;
