import type { ColumnType } from 'kysely';

/** The tables of checklists: each row belongs to an issue. */

/** Filled by the database when left out. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** Written as JSON text, read as a parsed value of unknown shape. */
export type Json = ColumnType<unknown, string, string>;

/** A checklist and its newest revision. Each change locks the row. */
export interface ChecklistTable {
  tenant: string;
  issue: string;
  /** Of the newest revision; '' and 0 if there is none: the issue was adopted without a checklist. */
  epoch: string;
  seq: number;
  /** The source of the checklist's first text; `PROPERTY` once the text is taken over or changed. */
  source: string;
  /** The tracker's copies are kept equal: it was changed here, or the app's property was adopted. */
  mirrored: boolean;
  /** The id of the issue's project, and its key, when it was last read. */
  project: string | null;
  key: Defaulted<string | null>;
  /** Whether that project has a portal; null if that was not read. */
  service: Defaulted<boolean | null>;
  /**
   * Counts of items, open ones and open mandatory ones, and the first day on which an open one is due, of the newest
   * revision.
   */
  items: Defaulted<number>;
  open: Defaulted<number>;
  open_mandatory: Defaulted<number>;
  due: Defaulted<string | null>;
  /** The revision, and a hash of the statuses, that the indexes were last made of; null if that is not known. */
  indexed_epoch: Defaulted<string | null>;
  indexed_seq: Defaulted<number | null>;
  indexed_registry: Defaulted<string | null>;
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
  /** Whether the property has to be written, also if it is known to hold the newest revision. */
  property_wanted: Defaulted<boolean>;
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
  /** Whether the last read of the issue did not show the field. */
  field_unread: Defaulted<boolean>;
  /** Hash of the text that is being written there. */
  field_pending: Defaulted<string | null>;
  /** Whether the field has to be written, also if it was never read, or is known to hold the newest revision. */
  field_wanted: Defaulted<boolean>;
  /** When the field was last written. */
  field_written: Defaulted<Date | null>;
  /** Start of the last sweep that read the issue. */
  swept: Defaulted<Date | null>;
  /** Since when the tracker does not show the issue to the app; '-infinity' if it reported the deletion. */
  missing: Defaulted<Date | null>;
  /** Id of the last changelog entry that was read. */
  cursor: Defaulted<string | null>;
  /** Text for users: why the field is not written, or what was left out of the checklist. */
  field_notice: Defaulted<string | null>;
  /** Text for users: why the property could not be written. */
  property_notice: Defaulted<string | null>;
  /** Why the property was last not written (`CopyRefusal`), after how many pauses in a row, and the end of the last pause. */
  property_refused: Defaulted<string | null>;
  property_tries: Defaulted<number>;
  property_retry: Defaulted<Date | null>;
  /** Hashes of the property's value, and of the statuses that it was made with, if it holds the confirmed revision. */
  property_print: Defaulted<string | null>;
  property_registry: Defaulted<string | null>;
  /** The tracker's refusal of the field, as of the property above. */
  field_refused: Defaulted<string | null>;
  field_tries: Defaulted<number>;
  field_retry: Defaulted<Date | null>;
  /** The revision that the field was last confirmed to hold; null if that is not known. */
  field_epoch: Defaulted<string | null>;
  field_seq: Defaulted<number | null>;
  /** The watch (`copies/watch.ts`) within which the property was last confirmed. */
  watch: Defaulted<string | null>;
}

/** The statuses by which the texts of a project's issues are read; '' for projects without their own. */
export interface RegistryTable {
  tenant: string;
  project: string;
  /** Hash of what decides how a text is read. */
  print: string;
}

/** A copy of statuses or templates that a project refuses. */
export interface ProjectCopyTable {
  tenant: string;
  project: string;
  copy: string;
  /** Key of the project. */
  key: string;
  /** The reason. */
  refused: string;
  /** Refusals in a row. */
  tries: number;
  /** When it is tried again. */
  due: ColumnType<Date, Date | string, Date | string>;
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
  /** The rows' lasting ids, in the rows' order; empty if unknown. */
  rows: Json;
  conflicts: Json;
  created: ColumnType<Date, never, never>;
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

/** A template was added to an issue's checklist, which was not emptied or replaced since then. */
export interface TemplateUseTable {
  tenant: string;
  template: string;
  issue: string;
}

/** An assigned item of a checklist. */
export interface AssignedItemTable {
  tenant: string;
  issue: string;
  /** Id of the issue's project when it was last read; null if it never was. */
  project: string | null;
  /** The row's index. */
  position: number;
  /** The row's lasting id, if it is known. */
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
  /** The text of the header above it; null if there is none. */
  section: string | null;
  /** The account that assigned it; null if unknown. */
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
  /** The item's lasting id, if it is known. */
  row: string | null;
  /** The issue's summary. */
  summary: string;
  /** The new issue's id; null as long as the key is. */
  made: ColumnType<string | null, never, string>;
  /** The item is completed with the issue, and reopened with it. */
  follows: Defaulted<boolean>;
  /** Whether the issue is done, as events last reported; null if one did not say. When, by the tracker's clock. */
  reported: Defaulted<boolean | null>;
  reported_at: Defaulted<Date | null>;
  /** The state that the item was last set to. */
  applied: Defaulted<boolean>;
}

/** The last import of an issue. */
export interface ImportedTable {
  tenant: string;
  issue: string;
  /** Hash of the imported text. */
  source: string;
  /** Number of imports. */
  times: Defaulted<number>;
}

/** How many items of an issue have a status that is not built in. */
export interface StatusUseTable {
  tenant: string;
  issue: string;
  slug: string;
  items: number;
}
