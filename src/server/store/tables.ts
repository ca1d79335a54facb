import type { ColumnType, Transaction } from 'kysely';

/** Filled by the database when left out. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** Given as JSON text, read back parsed and not to be trusted. */
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
  /** What Connect last said of the license. */
  licensed: Defaulted<boolean>;
  manage_permissions: Defaulted<boolean>;
  view_permissions: Defaulted<boolean>;
  analytics: Defaulted<boolean>;
  getting_started: Defaulted<string | null>;
  /** The id of the field that an administrator chose to mirror checklists; null: our own. */
  text_field: Defaulted<string | null>;
  /** Whether checklists are mirrored in a field at all. */
  mirror: Defaulted<boolean>;
  status_version: Defaulted<number>;
  /** When all that the edition before this one had was taken over. */
  inherited: Defaulted<Date | null>;
}

/** A site on Forge. */
export interface ForgeSiteTable {
  tenant: string;
  cloud_id: string;
  /** Changes with every installation. */
  installation: string;
  /** Where the site's REST API is, without a trailing slash. */
  gateway: string;
  /** The app's token, encrypted, and when it ends; null where the gateway has refused it. */
  token: Uint8Array | null;
  token_until: Date | null;
  /** What Forge last said of the license. */
  licensed: boolean;
  /** The site's keys of our permissions, by module; null while they are not known. */
  permissions: ColumnType<unknown, string | null | undefined, string>;
  /** When Forge called last, to the minutes. */
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

/** A checklist that the database knows: locked by each change, and where its newest revision stands. */
export interface ChecklistTable {
  tenant: string;
  issue: string;
  /** Of the newest revision; '' and 0 where there is none: the issue was adopted without a checklist. */
  epoch: string;
  seq: number;
  /** Where its first text was read, `PROPERTY` from the first change on. */
  source: string;
  /** The tracker's copies are kept equal: it was changed here, or the property was ours when it was adopted. */
  mirrored: boolean;
  /** The id of the issue's project when it was last read. */
  project: string | null;
}

/** How far the two copies in the tracker are behind a checklist, and what is known of them. */
export interface SyncTable {
  tenant: string;
  issue: string;
  /** Grows with every run that claims the row: what an earlier run found out is not recorded any more. */
  fence: Defaulted<number>;
  /** Hints that a foreign change is possible, counted, and how many of them were there when the issue was last read. */
  hints: Defaulted<number>;
  hints_read: Defaulted<number>;
  /** When that was. */
  read_at: Defaulted<Date | null>;
  /** The accounts that events named since the last read, in their order. */
  actors: Defaulted<string[]>;
  /** When the property is to be written; null while nothing new is to be. */
  property_due: Defaulted<Date | null>;
  /** The revision that the property was last confirmed to hold. */
  confirmed_epoch: Defaulted<string | null>;
  confirmed_seq: Defaulted<number | null>;
  /** The revision that is being written; the outcome is unknown while it stands here. */
  pending_epoch: Defaulted<string | null>;
  pending_seq: Defaulted<number | null>;
  /** The foreign value that the property was last read to hold, until ours is confirmed in its place. */
  property_seen: ColumnType<unknown, string | null | undefined, string | null>;
  /** Compare-and-sets that followed each other without any being seen to have had an effect. */
  swaps: Defaulted<number>;
  /** When the property was last written, and what workflow rules read from what it was last known to hold (`verdictOf`). */
  property_written: Defaulted<Date | null>;
  verdict: Defaulted<string | null>;
  /** A foreign writer has written the property before: it is written with compare-and-set. */
  contended: Defaulted<boolean>;
  /** Events of own property writes that are still to come, until then. */
  echoes: Defaulted<number>;
  echoes_until: Defaulted<Date | null>;
  /** The field's id, and the text that it was last confirmed to hold; null while it was never seen. */
  field: Defaulted<string | null>;
  field_text: Defaulted<string | null>;
  /** Hash of the text that is being written there. */
  field_pending: Defaulted<string | null>;
  /** When it is to be written, and when the first change came that it does not hold. */
  field_due: Defaulted<Date | null>;
  field_since: Defaulted<Date | null>;
  /** When the field was last written. */
  field_written: Defaulted<Date | null>;
  /** When the last sweep began that looked at the issue. */
  swept: Defaulted<Date | null>;
  /** Since when the tracker does not show us the issue; '-infinity' where it told that the issue is deleted. */
  missing: Defaulted<Date | null>;
  /** Id of the last changelog entry that was looked at. */
  cursor: Defaulted<string | null>;
  /** Why the field is not written, or what was left out of the checklist, in words for people. */
  notice: Defaulted<string | null>;
  /** Why the property could not be written, in words for people. */
  property_notice: Defaulted<string | null>;
  /** The watch (`sync/watch.ts`) within which the property was last confirmed. */
  watch: Defaulted<string | null>;
}

/** A change that was written. */
export interface RevisionTable {
  tenant: string;
  issue: string;
  account: string;
  /** The client's id of the change. */
  client: string;
  kind: string;
  epoch: string;
  seq: number;
  hash: string;
  name: string;
  text: string;
  /** The rows' lasting ids, in the rows' order; empty where they are not known. */
  rows: Json;
  conflicts: Json;
  created: ColumnType<Date, never, never>;
}

/** What the tracker said of an account and an issue, for when it cannot be asked. */
export interface AccessGrantTable {
  tenant: string;
  issue: string;
  account: string;
  /** It was asked for the very frame of the issue that it showed to the account. */
  framed: boolean;
  /** Of the installation. */
  epoch: string;
  /** Permission keys. */
  granted: Json;
  sees: string;
  /** When the question was put. */
  asked: Date;
}

/** Since when answers and tokens of an issue prove nothing. */
export interface AccessDoubtTable {
  tenant: string;
  issue: string;
  since: Date;
}

/** An editor that is open on an issue, as long as its stream prolongs it. */
export interface PresenceTable {
  tenant: string;
  issue: string;
  stream: string;
  account: string;
  entered: ColumnType<Date, never, never>;
  expires: Date;
}

/** At which row somebody is who has an editor open; it says nothing of whether he still has. */
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
  /** Who wrote it last. */
  account: string;
  created: ColumnType<Date, never, never>;
  updated: Defaulted<Date>;
  /** The name as names are compared. */
  key: Defaulted<string>;
  items: Defaulted<number>;
  /** When it was deleted: it can be taken back for some time. */
  deleted: ColumnType<Date | null, null | undefined, Date | null>;
}

/** What a template said from when it was written until it was written anew. */
export interface TemplateVersionTable {
  tenant: string;
  template: string;
  /** Counted from 1 for each template. */
  version: number;
  /** Who wrote it; empty where nobody did. */
  account: string;
  project: string | null;
  name: string;
  text: string;
  items: number;
  created: ColumnType<Date, never, never>;
}

/** A template was added to an issue's checklist, which was not emptied or replaced since. */
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

/** An item that is somebody's, as the checklist says. */
export interface AssignedItemTable {
  tenant: string;
  issue: string;
  /** The id of the issue's project when it was last looked at, null where nobody has. */
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
  /** The issue's key and summary; null as long as nobody has asked, and when they may have changed. */
  called: string | null;
}

/** An issue that is made of an item, by the client's id of the change. */
export interface ConversionTable {
  tenant: string;
  issue: string;
  account: string;
  client: string;
  /** What the new issue is marked with. */
  mark: string;
  /** When the tracker was asked for it, unless it surely refused. */
  tried: ColumnType<Date | null, never, Date | null>;
  key: ColumnType<string | null, never, string>;
  /** The item's lasting id, and what the issue is called; null where a version of before asked. */
  row: string | null;
  summary: string | null;
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
  /** The tracker's mark of the page that it is at, and the last issue of that page that is done. */
  page: Defaulted<string | null>;
  issue_done: Defaulted<string | null>;
  /** About how many issues there are. */
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

/** What was imported last of an issue. */
interface ImportedTable {
  tenant: string;
  issue: string;
  /** Hash of the text that it was made of. */
  source: string;
  /** How often. */
  times: Defaulted<number>;
}

/** A status of a site's or a project's own, or what became of a built-in one. */
export interface StatusTable {
  tenant: string;
  slug: string;
  /** The id of the only project that it is for; null for the whole site. */
  project: string | null;
  name: string;
  color: string;
  checked: boolean;
  position: number;
  /** Names that it had. */
  former: Json;
  /** Slug of the status that its items get; null unless it is going. */
  moves_to: string | null;
}

/** How many items of an issue have a status that is not built in. */
export interface StatusUseTable {
  tenant: string;
  issue: string;
  slug: string;
  items: number;
}

/** A rule that applies a template by itself. Lists of ids; an empty one is all. */
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
  /** Who stands for what it does. */
  account: string;
  /** What happened before is none of its business. */
  since: Defaulted<Date>;
}

/** A rule did what it does for an issue. */
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
