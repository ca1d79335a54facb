import { isChecklistField } from '../../../domain/storage.ts';
import type { Tenant } from '../../platform/tenants.ts';
import type { Tracker } from '../../platform/tracker/client.ts';
import { listFields, type TrackerField } from '../../platform/tracker/fields.ts';
import type { Queue } from '../../queue/queue.ts';
import type { SiteStatuses } from '../../statuses/registries.ts';
import { type Cache, cached, createCache } from '../../store/cached.ts';
import type { Store } from '../../store/store.ts';
import type { KeyedMutex } from '../../text-workers/mutex.ts';
import type { OwnTexts } from '../../text-workers/pool.ts';
import type { Adoptions } from '../commit/adopt.ts';
import type { Changes } from '../commit/commit.ts';

/** A period without missed events and without a restored backup. */
export interface Watch {
  id: string;
  since: Date;
}

/** The watch that this process has joined. */
export interface Watching {
  now(): Watch;
  /** Prolongs the watch; joins a new one if it has expired. */
  renew(): Promise<void>;
}

/** Ids and keys of issues that the tracker did not show, each with its tenant. */
export type HiddenIssues = Cache<true>;

/** A hidden issue counts as hidden for this time without another call to the tracker. */
const HIDDEN_ISSUE_MS = 60_000;
const MAX_HIDDEN_ISSUES = 10_000;

export const createHiddenIssues = (): HiddenIssues => createCache(MAX_HIDDEN_ISSUES, HIDDEN_ISSUE_MS);

/** The dependencies of work on one tenant's checklists. */
export interface Site {
  tenant: Tenant;
  tracker: Tracker;
  store: Store;
  /** Conversions of items to issues run one at a time for each checklist. */
  conversions: KeyedMutex;
  adoptions: Adoptions;
  /** Issues that the tracker did not show to the app, for a minute. */
  hidden: HiddenIssues;
  queue: Queue;
  /** The id of the field that mirrors the checklist, `undefined` when there is none. Rejects when the lookup fails. */
  field(): Promise<string | undefined>;
  /** The fields with a checklist's name, and the app's own. */
  namedFields(): Promise<readonly TrackerField[]>;
  /** The statuses of every project, and of the site for an unknown one. */
  registries(): Promise<SiteStatuses>;
  /** Reads an issue and applies foreign changes of its checklist. Rejects if the tracker does not answer. */
  refresh(issue: string): Promise<void>;
  watch: Watching;
  /** Runs tasks over texts for the account, or the site, that the work is for. */
  texts: OwnTexts;
  /** Makes a change, in one transaction with others that wait for the issue. */
  changes: Changes;
  /** The edition's most items of a checklist. */
  itemLimit: number;
  /** Called with errors that did not stop the work. */
  onError(error: unknown): void;
}

/** The fields are cached for a shorter time if the app's own field is missing, as it may be created soon. */
const FIELDS_TTL_MS = 600_000;
const NO_OWN_FIELD_TTL_MS = 30_000;
const MAX_SITES = 1_000;

/** The fields of a site with a checklist's name, and the app's own. */
export type SiteFields = (tenant: Tenant, tracker: Tracker) => Promise<readonly TrackerField[]>;

export function createSiteFields(): SiteFields {
  const fields = cached<readonly TrackerField[]>({
    max: MAX_SITES,
    ttl: fields => (fields.some(({ own }) => own) ? FIELDS_TTL_MS : NO_OWN_FIELD_TTL_MS),
  });
  return ({ id, epoch }, tracker) =>
    fields.get(`${id} ${epoch}`, async () =>
      (await listFields(tracker)).filter(({ own, name }) => own || isChecklistField(name)),
    );
}

/** The id of the field that mirrors a site's checklists, `undefined` if there is none. */
export async function mirrorOf(tenant: Tenant, fields: () => ReturnType<SiteFields>): Promise<string | undefined> {
  const { mirror } = tenant;
  if (mirror !== 'own') return mirror === 'none' ? undefined : mirror.field;
  return (await fields()).find(({ own }) => own)?.id;
}
