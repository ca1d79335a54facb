import type { CompiledQuery } from 'kysely';
import * as v from 'valibot';

const ofIssue = v.strictObject({ tenant: v.string(), issue: v.string() });

/** Data of background jobs by name: ids, never text of users. */
export const jobShapes = {
  /** Writes the tracker's copies of an issue's checklist, and reads foreign changes. */
  sync: ofIssue,
  /** Finds foreign changes without an event. */
  sweep: v.strictObject({ tenant: v.string() }),
  /** Applies the templates that rules have for an issue. */
  'apply-rules': ofIssue,
  /** Sets the items of a checklist that follow issues by the state of these. */
  'follow-issues': ofIssue,
  /** Sends the waiting calls of a tenant's webhooks. */
  'send-webhooks': v.strictObject({ tenant: v.string() }),
  /** Finds items that are due. */
  'find-due': v.strictObject({ tenant: v.string() }),
  /** Sends a person's digest of notifications. */
  'send-digest': v.strictObject({ tenant: v.string(), account: v.string() }),
  /** Updates the projects' copies of statuses and templates. */
  mirror: v.strictObject({ tenant: v.string() }),
  /** Deletes what is past its retention, and all data of a tenant that uninstalled the app long ago. */
  prune: v.strictObject({ tenant: v.string() }),
  /** Continues the tenant's jobs over a project or the whole site. */
  'site-wide': v.strictObject({ tenant: v.string() }),
};

export type Jobs = { [Name in keyof typeof jobShapes]: v.InferOutput<(typeof jobShapes)[Name]> };
export type JobName = keyof Jobs;
export const jobNames = Object.keys(jobShapes) as JobName[];

export interface AddOptions {
  /** Milliseconds before the first run. */
  after?: number;
  /**
   * Deduplicates jobs of one name: a waiting one runs at the earlier of both times, unless it waits for a retry. Jobs
   * of one tenant and key run one at a time, also of different names and in different processes.
   */
  key?: string;
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
  enqueue<Name extends JobName>(name: Name, data: Jobs[Name], options: Required<AddOptions>): CompiledQuery<unknown>;
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
