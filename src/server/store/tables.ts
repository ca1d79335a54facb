import type { ColumnType, Kysely, Transaction } from 'kysely';

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
  getting_started: Defaulted<string | null>;
}

/** Who may change an issue's checklist now. The fence grows with every holder. */
export interface LeaseTable {
  tenant: string;
  issue: string;
  fence: number;
  holder: string;
  expires: Date;
}

/** A change that was written to the tracker, or is about to be. */
interface ChangeTable {
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
  conflicts: Json;
}

/** What a change is about to write. Gone once it was written. */
export interface IntentTable extends ChangeTable {
  /** It was not there when we looked; it may still arrive, so its number is never given again. */
  given_up: boolean;
}

/** What was written, and what was answered for it. */
export interface RevisionTable extends ChangeTable {
  notices: ColumnType<unknown, string | undefined, string>;
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
}

export interface Tables {
  tenant: TenantTable;
  lease: LeaseTable;
  intent: IntentTable;
  revision: RevisionTable;
  presence: PresenceTable;
  template: TemplateTable;
}

export type Database = Kysely<Tables>;
/** A transaction in which one tenant's rows are visible. */
export type Tx = Transaction<Tables>;
