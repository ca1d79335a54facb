import type { ColumnType, Transaction } from 'kysely';

/** Filled by the database when left out. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** Written as JSON text, read as a parsed value of unknown shape. */
type Json = ColumnType<unknown, string, string>;

export interface TenantTable {
  /** The tracker's client key, or the cloud id of a site that never had the Connect app. */
  tenant: string;
  /** The tracker's address without a trailing slash. */
  url: string;
  /** Connect's shared secret, encrypted; null where the Connect app is not installed. */
  secret: Uint8Array | null;
  /** Changes with every installation. */
  epoch: string;
  /** The app is installed, as a Connect app, on Forge, or both. */
  enabled: boolean;
  /** The Forge installation that Connect's installation named, where it did. */
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
  /** What portal customers see in projects without a choice of their own. */
  portal: Defaulted<string>;
  /** Whether checklists are mirrored in a field. */
  mirror: Defaulted<boolean>;
  status_version: Defaulted<number>;
  /** When the previous edition's data was taken over completely. */
  inherited: Defaulted<Date | null>;
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

/** A checklist and its newest revision. Each change locks the row. */
export interface ChecklistTable {
  tenant: string;
  issue: string;
  /** Of the newest revision; '' and 0 where there is none: the issue was adopted without a checklist. */
  epoch: string;
  seq: number;
  /** Where its first text was read, `PROPERTY` from the first change on. */
  source: string;
  /** The tracker's copies are kept equal: it was changed here, or the app's property was adopted. */
  mirrored: boolean;
  /** The id of the issue's project when it was last read. */
  project: string | null;
  /** Whether that project has a portal; null where that was not read. */
  service: Defaulted<boolean | null>;
}

/** What portal customers see of the checklists of a project. */
export interface PortalModeTable {
  tenant: string;
  project: string;
  mode: string;
}

/** State of a checklist's two copies in the tracker. */
export interface SyncTable {
  tenant: string;
  issue: string;
  /** Fencing token, incremented by each run that claims the row: results of earlier runs are not recorded. */
  fence: Defaulted<number>;
  /** Number of hints that a foreign change is possible, and that number when the issue was last read. */
  hints: Defaulted<number>;
  hints_read: Defaulted<number>;
  /** When the issue was last read. */
  read_at: Defaulted<Date | null>;
  /** Accounts that events named since the last read, in their order. */
  actors: Defaulted<string[]>;
  /** When to write the property; null where no write is due. */
  property_due: Defaulted<Date | null>;
  /** The revision that the property was last confirmed to hold. */
  confirmed_epoch: Defaulted<string | null>;
  confirmed_seq: Defaulted<number | null>;
  /** The revision that is being written, while the outcome is unknown. */
  pending_epoch: Defaulted<string | null>;
  pending_seq: Defaulted<number | null>;
  /** The foreign value that was last read from the property, until the app's is confirmed in its place. */
  property_seen: ColumnType<unknown, string | null | undefined, string | null>;
  /** Number of consecutive compare-and-sets without a visible effect. */
  swaps: Defaulted<number>;
  /** When the property was last written, and what workflow rules read from what it was last known to hold (`verdictOf`). */
  property_written: Defaulted<Date | null>;
  verdict: Defaulted<string | null>;
  /** A foreign writer has written the property before: it is written with compare-and-set. */
  contended: Defaulted<boolean>;
  /** Number of events of own property writes that are still expected, and until when. */
  echoes: Defaulted<number>;
  echoes_until: Defaulted<Date | null>;
  /** The field's id, and the text that it was last confirmed to hold; null while unknown. */
  field: Defaulted<string | null>;
  field_text: Defaulted<string | null>;
  /** Hash of the text that is being written there. */
  field_pending: Defaulted<string | null>;
  /** When to write the field, and the time of the first change that it does not hold. */
  field_due: Defaulted<Date | null>;
  field_since: Defaulted<Date | null>;
  /** When the field was last written. */
  field_written: Defaulted<Date | null>;
  /** Start of the last sweep that read the issue. */
  swept: Defaulted<Date | null>;
  /** Since when the tracker does not show the issue to the app; '-infinity' where it reported the deletion. */
  missing: Defaulted<Date | null>;
  /** Id of the last changelog entry that was read. */
  cursor: Defaulted<string | null>;
  /** Text for users: why the field is not written, or what was left out of the checklist. */
  notice: Defaulted<string | null>;
  /** Text for users: why the property could not be written. */
  property_notice: Defaulted<string | null>;
  /** The watch (`sync/watch.ts`) within which the property was last confirmed. */
  watch: Defaulted<string | null>;
}

/** A revision of a checklist. */
export interface RevisionTable {
  tenant: string;
  issue: string;
  account: string;
  /** Client id of the change. */
  client: string;
  kind: string;
  epoch: string;
  seq: number;
  hash: string;
  name: string;
  text: string;
  /** The rows' lasting ids, in the rows' order; empty where unknown. */
  rows: Json;
  conflicts: Json;
  created: ColumnType<Date, never, never>;
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

/** An open editor on an issue; its stream extends `expires`. */
export interface PresenceTable {
  tenant: string;
  issue: string;
  stream: string;
  account: string;
  entered: ColumnType<Date, never, never>;
  expires: Date;
}

/** The row that an account is at in an editor; may remain after the editor is closed. */
export interface PresencePlaceTable {
  tenant: string;
  issue: string;
  account: string;
  row: number;
  mark: string;
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
  /** The author; empty where no account is. */
  account: string;
  project: string | null;
  name: string;
  text: string;
  items: number;
  created: ColumnType<Date, never, never>;
}

/** A template was added to an issue's checklist, which was not emptied or replaced since then. */
export interface TemplateUseTable {
  tenant: string;
  template: string;
  issue: string;
}

/** The template that a project, or (`''`) the site, offers first. */
export interface TemplateDefaultTable {
  tenant: string;
  project: string;
  template: string;
}

/** An assigned item of a checklist. */
export interface AssignedItemTable {
  tenant: string;
  issue: string;
  /** Id of the issue's project when it was last read; null where it never was. */
  project: string | null;
  /** The row's index. */
  position: number;
  /** The row's lasting id, where it is known. */
  row: string | null;
  account: string;
  text: string;
  /** The status's slug, and whether it counts as complete. */
  status: string;
  checked: boolean;
  mandatory: boolean;
  /** ISO day. */
  due: string | null;
  /** The issue's key and summary; null while unknown or stale. */
  called: string | null;
  /** The text of the header above it; null where there is none, or where an earlier version of the app wrote the row. */
  section: string | null;
  /** The account that assigned it; null where unknown. */
  assigner: string | null;
}

/** An issue that is created from an item, by client id. */
export interface ConversionTable {
  tenant: string;
  issue: string;
  account: string;
  client: string;
  /** Marker by which the new issue is found. */
  mark: string;
  /** When its creation was requested, unless the tracker definitely refused. */
  tried: ColumnType<Date | null, never, Date | null>;
  key: ColumnType<string | null, never, string>;
  /** The item's lasting id, and the issue's summary; null in rows of earlier versions. */
  row: string | null;
  summary: string | null;
  /** The new issue's id. */
  made: ColumnType<string | null, never, string>;
  /** The item is completed with the issue, and reopened with it. */
  follows: Defaulted<boolean>;
  /** Whether the issue is done, as events last reported; null where one did not say. When, by the tracker's clock. */
  reported: Defaulted<boolean | null>;
  reported_at: Defaulted<Date | null>;
  /** What the item was last set to. */
  applied: Defaulted<boolean>;
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

/** The last import of an issue. */
interface ImportedTable {
  tenant: string;
  issue: string;
  /** Hash of the imported text. */
  source: string;
  /** Number of imports. */
  times: Defaulted<number>;
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

/** How many items of an issue have a status that is not built in. */
export interface StatusUseTable {
  tenant: string;
  issue: string;
  slug: string;
  items: number;
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

export interface Tables {
  template_version: TemplateVersionTable;
  template_use: TemplateUseTable;
  template_rule: TemplateRuleTable;
  rule_applied: RuleAppliedTable;
  status: StatusTable;
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
