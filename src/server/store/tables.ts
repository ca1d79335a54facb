import type { ColumnType, Transaction } from 'kysely';

/** Filled by the database when left out. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** Given as JSON text, read back parsed and not to be trusted. */
type Json = ColumnType<unknown, string, string>;

export interface TenantTable {
  /** The tracker's client key. */
  tenant: string;
  /** The tracker's address without a trailing slash. */
  url: string;
  /** The shared secret, encrypted. */
  secret: Uint8Array;
  /** Changes with every installation. */
  epoch: string;
  enabled: boolean;
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

/** Who may change an issue's checklist now. The fence grows with every holder. */
export interface LeaseTable {
  tenant: string;
  issue: string;
  fence: number;
  holder: string;
  expires: Date;
}

/** What is about to be written: one or more changes, as one write of the property. Gone once it was written. */
export interface IntentTable {
  tenant: string;
  issue: string;
  /** The place and the hash of the last of its revisions. */
  epoch: string;
  seq: number;
  hash: string;
  /** In order, see `Revision`. */
  revisions: Json;
  /** What the text field held when it was merged, see `FieldText`; null where it was not looked at. */
  field: ColumnType<unknown, string | null, string | null>;
  /** Somebody's text in the property, which the write takes in and replaces; null where there was none. */
  found: string | null;
  /** What that was made of, as far as it is known. */
  found_base: string | null;
  /** It was not there when we looked; it may still arrive, so its number is never given again. */
  given_up: boolean;
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

/** The issue's text field, which is kept equal to the checklist. */
export interface MirrorTable {
  tenant: string;
  issue: string;
  /** The field's id, null while it was never seen. */
  field: string | null;
  /** What it held when we last looked, or after we wrote. */
  text: string | null;
  /** Whether it is to be written. */
  behind: boolean;
  /** Why it could not be written, in words for people. */
  notice: string | null;
}

/** What stood in a storage or may still arrive there: a write of ours, or what somebody wrote. */
export interface EchoTable {
  tenant: string;
  issue: string;
  storage: 'property' | 'field';
  mark: string;
  text: string | null;
  /** A write of ours of which it is not known whether it arrived; it may yet. */
  late: Defaulted<boolean>;
  /** What somebody had written that such a write took in, as long as it is not history. */
  found: Defaulted<string | null>;
  /** What that was made of, as far as it is known. */
  found_base: Defaulted<string | null>;
  /** When it was last known to be there, or tried; infinite while nobody has kept record of what came of it. */
  seen: Defaulted<Date>;
}

/** Who did something to an issue since we last looked at it, by the tracker's webhooks. */
export interface SightingTable {
  tenant: string;
  issue: string;
  account: string;
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
  lease: LeaseTable;
  intent: IntentTable;
  revision: RevisionTable;
  presence: PresenceTable;
  presence_place: PresencePlaceTable;
  template: TemplateTable;
  template_default: TemplateDefaultTable;
  assigned_item: AssignedItemTable;
  conversion: ConversionTable;
  mirror: MirrorTable;
  echo: EchoTable;
  sighting: SightingTable;
}

/** A transaction in which one tenant's rows are visible. */
export type Tx = Transaction<Tables>;
