import type { PermittedChecklists } from '../checklists/checklists.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { TrackerField } from '../platform/tracker/fields.ts';
import { flatText } from '../platform/tracker/richtext.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import type { Result } from '../queue/wide-types.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { TenantSync } from '../sync/sync.ts';
import type { Pace } from './pace.ts';

/** What a job's work on one tenant goes through. */
export interface WideSite {
  tenant: Tenant;
  store: Store;
  pace: Pace;
  /** With the permissions that were checked when the job was started. */
  checklists: PermittedChecklists;
  sync: TenantSync;
  fields: readonly TrackerField[];
}

/** What is done to each issue: which fields and properties it looks at, and what it makes of them. Can be repeated. */
export interface Work {
  fields: readonly string[];
  properties: readonly string[];
  /** What is worth telling before it begins. */
  notes?: readonly string[];
  each(issue: FoundIssue): Promise<Result>;
  /** In the transaction that ends a job in which every issue went well. */
  finish?(tx: Tx): Promise<void>;
}

/** About the calls that reading a checklist, changing it, and looking at an issue take. */
export const CALLS = { read: 2, change: 3, look: 2 } as const;

/** The text of a field; nothing where it is blank. */
export function fieldText(value: unknown): string | undefined {
  const text = flatText(value);
  return text?.trim() ? text : undefined;
}

/** The fields that hold our checklists: the descriptor's, and the one that an administrator chose instead. */
export function ownFields({ tenant: { mirror }, fields }: WideSite): string[] {
  const chosen = typeof mirror === 'object' ? mirror.field : undefined;
  return fields.filter(({ id, own }) => own || id === chosen).map(({ id }) => id);
}
