import { jobs, storage } from '../../domain/messages.ts';
import type { PermittedChecklists } from '../checklists/service/checklists.ts';
import type { CopiesState } from '../copies/records/copies-state.ts';
import type { TenantSync } from '../copies/sync.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { TrackerField } from '../platform/tracker/fields.ts';
import { flatText } from '../platform/tracker/richtext.ts';
import type { FoundIssue, FoundPage } from '../platform/tracker/search.ts';
import type { Result } from '../queue/wide-types.ts';
import type { SiteStatuses } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { OwnTexts } from '../text-workers/pool.ts';
import type { Pace } from './pace.ts';

/** Context of a job on one tenant. */
export interface WideSite {
  tenant: Tenant;
  store: Store;
  pace: Pace;
  /** Not restricted: permissions were checked when the job was started. */
  checklists: PermittedChecklists;
  sync: TenantSync;
  fields: readonly TrackerField[];
  registries(): Promise<SiteStatuses>;
  /** Runs tasks over texts for the account that started the job. */
  texts: Pick<OwnTexts, 'run'>;
}

/** Work on each issue: the fields and properties that it reads, and an idempotent function. */
export interface Work {
  fields: readonly string[];
  properties: readonly string[];
  /** The issues, if they are others than the tracker lists for the scope. */
  list?: {
    count(): Promise<number>;
    page(page: string | null): Promise<FoundPage>;
  };
  /** Log messages at the start. */
  notes?: readonly string[];
  each(issue: FoundIssue): Promise<Result>;
  /** Runs in the transaction that ends a job without failed issues. */
  finish?(tx: Tx): Promise<void>;
}

/** Approximate calls for reading a checklist, writing a copy, changing a checklist, and refreshing an issue. */
export const CALLS = { read: 2, write: 1, change: 3, refresh: 2 } as const;

/** Counts an issue as done only if its copies hold its newest revision. */
export function resultOf({ isEqual, isMissing, notice }: CopiesState): Result {
  if (isEqual) return { outcome: 'done' };
  return { outcome: 'failed', message: isMissing ? storage.issueNotFound : (notice ?? jobs.notEqual) };
}

/** The text of a field; `undefined` if it is blank. */
export function fieldText(value: unknown): string | undefined {
  const text = flatText(value);
  return text?.trim() ? text : undefined;
}

/** Ids of the app's text fields: the descriptor's, and the one that an administrator chose. */
export function ownFields({ tenant: { mirror }, fields }: WideSite): string[] {
  const chosen = typeof mirror === 'object' ? mirror.field : undefined;
  return fields.filter(({ id, own }) => own || id === chosen).map(({ id }) => id);
}
