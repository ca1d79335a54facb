import type { CompiledQuery } from 'kysely';
import * as v from 'valibot';
import { parseAs, readAs } from '../../domain/shape.ts';

const ofTenant = v.object({ tenant: v.string() });
const ofIssue = v.object({ tenant: v.string(), issue: v.string() });
const ofAccount = v.object({ tenant: v.string(), account: v.string() });

/** The words before the id in the keys of jobs. */
const RULES_KEY_PREFIX = 'rules ';
const FOLLOW_KEY_PREFIX = 'follow ';
const DIGEST_KEY_PREFIX = 'digest ';

export const rulesKey = (issue: string): string => `${RULES_KEY_PREFIX}${issue}`;
export const followKey = (issue: string): string => `${FOLLOW_KEY_PREFIX}${issue}`;
export const digestKey = (account: string): string => `${DIGEST_KEY_PREFIX}${account}`;

const after = (prefix: string, key: string): string | undefined =>
  key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
const onlyTenant = (tenant: string) => ({ tenant });
const issueOf = (tenant: string, issue: string) => ({ tenant, issue });

/**
 * Background jobs by name. `shape` is the shape of their data: ids, never text of users. `ofKey` makes the data from the
 * job's tenant and key.
 */
const jobKinds = {
  /** Reads the tracker's copies of an issue's checklist, and applies foreign changes. */
  sync: { shape: ofIssue, ofKey: issueOf },
  /** Writes the property, and the field, of an issue. */
  'write-property': { shape: ofIssue, ofKey: issueOf },
  'write-field': { shape: ofIssue, ofKey: issueOf },
  /** Finds foreign changes without an event. */
  sweep: { shape: ofTenant, ofKey: onlyTenant },
  /** Applies the templates that rules have for an issue. */
  'apply-rules': {
    shape: ofIssue,
    ofKey: (tenant: string, key: string) => ({ tenant, issue: after(RULES_KEY_PREFIX, key) }),
  },
  /** Sets the items of a checklist that follow issues by the state of these. */
  'follow-issues': {
    shape: ofIssue,
    ofKey: (tenant: string, key: string) => ({ tenant, issue: after(FOLLOW_KEY_PREFIX, key) }),
  },
  /** Sends the waiting calls of a tenant's webhooks. */
  'send-webhooks': { shape: ofTenant, ofKey: onlyTenant },
  /** Finds items that are due. */
  'find-due': { shape: ofTenant, ofKey: onlyTenant },
  /** Sends a person's digest of notifications. */
  'send-digest': {
    shape: ofAccount,
    ofKey: (tenant: string, key: string) => ({ tenant, account: after(DIGEST_KEY_PREFIX, key) }),
  },
  /** Updates the projects' copies of statuses and templates. */
  mirror: { shape: ofTenant, ofKey: onlyTenant },
  /** Compares the projects' copies again after a write without a response, which may take effect after a later one. */
  'compare-copies': { shape: ofTenant, ofKey: onlyTenant },
  /** Deletes data past its retention, and all data of a tenant that uninstalled the app long ago. */
  prune: { shape: ofTenant, ofKey: onlyTenant },
  /** Reports the stored accounts of persons to the platform. */
  'report-people': { shape: ofTenant, ofKey: onlyTenant },
  /** Looks at the platform's tasks that move the data of Connect's fields. */
  'watch-fields': { shape: ofTenant, ofKey: onlyTenant },
  /** Continues the tenant's jobs over a project or the whole site. */
  'site-wide': { shape: ofTenant, ofKey: onlyTenant },
};

export type JobName = keyof typeof jobKinds;
export type Jobs = { [Name in JobName]: v.InferOutput<(typeof jobKinds)[Name]['shape']> };
export const jobNames = Object.keys(jobKinds) as JobName[];
export const isJobName = (name: string): name is JobName => Object.hasOwn(jobKinds, name);

/** A job's data as they are stored: the fields of their shape and no others. Throws `Mismatch`. */
export const jobData = <Name extends JobName>(name: Name, data: Jobs[Name]): Jobs[Name] =>
  parseAs(jobKinds[name].shape, data) as Jobs[Name];

/** Reads a stored job's data. Unreadable data are made again from tenant and key. Throws `Mismatch` if neither works. */
export function readJobData<Name extends JobName>(
  name: Name,
  { tenant, key, data }: { tenant: string; key: string; data: unknown },
): Jobs[Name] {
  const { shape, ofKey } = jobKinds[name];
  return (readAs(shape, data) ?? parseAs(shape, ofKey(tenant, key))) as Jobs[Name];
}

export interface AddOptions {
  /** Milliseconds before the first run. */
  after?: number;
  /**
   * Deduplicates jobs of one name: a waiting one runs at the earlier of both times, unless it waits for a retry. Jobs
   * of one tenant and key run one at a time, also of different names and in different processes.
   */
  key?: string;
}

/** A job that a transaction adds. */
export interface EnqueueOptions extends Required<AddOptions> {
  /** Debounces: each call defers the job anew, until so many milliseconds after the first call since its last run. */
  maxWait?: number;
}

/** Durable background jobs. Each runs at least once, also after a crash: handlers must be idempotent. */
export interface Queue {
  /** Adds a job. Must not be called within a transaction. */
  add<Name extends JobName>(name: Name, data: Jobs[Name], options?: AddOptions): Promise<void>;
  /**
   * Adds a job that may have been lost: a waiting or running one stays unchanged, one that failed for good starts
   * again.
   */
  restore<Name extends JobName>(name: Name, data: Jobs[Name], options: Required<AddOptions>): Promise<void>;
  /** The statement that adds a job within a transaction; after the commit, call `wake` if the job is due at once. */
  enqueue<Name extends JobName>(name: Name, data: Jobs[Name], options: EnqueueOptions): CompiledQuery<unknown>;
  /** Polls at once: a job may be due. */
  wake(): void;
}

/** Context of a running job. */
export interface JobRun {
  /** Aborts when the process stops: a long job ends at its next safe point. */
  signal: AbortSignal;
  /** A failure of this run is final. */
  lastTry: boolean;
}

/** Handlers of jobs by name. A rejected run is retried with backoff, for some hours. */
export type Handlers = { [Name in JobName]: (data: Jobs[Name], run: JobRun) => Promise<void> };

/**
 * Thrown by a handler to defer its job by `after` milliseconds, or until an earlier time for which the job is added
 * again. Costs no try.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly after: number;

  constructor(after: number) {
    super(`Not before ${after} ms.`);
    this.after = after;
  }
}
