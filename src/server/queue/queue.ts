import type { CompiledQuery } from 'kysely';
import * as z from 'zod';

const ofIssue = z.strictObject({ tenant: z.string(), issue: z.string() });

/** What waits to be done in the background, by name, and what each needs to know: ids, never words of people. */
export const jobShapes = {
  /** Write the tracker's copies of an issue's checklist, and take up foreign changes. */
  sync: ofIssue,
  /** Look for foreign changes that no event told of. */
  sweep: z.strictObject({ tenant: z.string() }),
  /** Apply the templates that rules have for an issue. */
  'apply-rules': ofIssue,
  /** Bring what the projects hold of statuses and templates up to date. */
  mirror: z.strictObject({ tenant: z.string() }),
  /** Go on with the tenant's jobs over a project or the whole site. */
  'site-wide': z.strictObject({ tenant: z.string() }),
};

export type Jobs = { [Name in keyof typeof jobShapes]: z.infer<(typeof jobShapes)[Name]> };
export type JobName = keyof Jobs;
export const jobNames = Object.keys(jobShapes) as JobName[];

export interface AddOptions {
  /** Milliseconds to wait first. */
  after?: number;
  /**
   * While a job of this name and key waits, another one is not added: it runs at the earlier of the two times, unless it
   * failed and is to be tried again. Jobs of one tenant and key run one at a time, whatever their names and wherever they
   * run.
   */
  key?: string;
}

/** Durable background work: a job that was added runs at least once, also after a kill, so handlers can be repeated. */
export interface Queue {
  /** Not from inside a transaction. */
  add<Name extends JobName>(name: Name, data: Jobs[Name], options?: AddOptions): Promise<void>;
  /**
   * Adds a job that may have been lost: one that waits, runs or is to be tried again stays as it is, one that failed for
   * good begins anew.
   */
  restore<Name extends JobName>(name: Name, data: Jobs[Name], options: Required<AddOptions>): Promise<void>;
  /** The statement that enqueues it within its caller's transaction, who calls `wake` after the commit if it is due at once. */
  enqueue<Name extends JobName>(name: Name, data: Jobs[Name], options: Required<AddOptions>): CompiledQuery<unknown>;
  /** A job may be due. */
  wake(): void;
}

/** What a running job is told. */
export interface JobRun {
  /** Aborted when the process stops: a long job ends at its next good point. */
  signal: AbortSignal;
  /** Should it fail, it is not tried again. */
  lastTry: boolean;
}

/** What does the work. One that fails is tried again, later each time, for some hours. */
export type Handlers = { [Name in JobName]: (data: Jobs[Name], run: JobRun) => Promise<void> };

/**
 * Thrown by a handler whose time has not come. The job waits so many milliseconds, unless it is asked for earlier, and
 * loses no try.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly after: number;

  constructor(after: number) {
    super(`Not before ${after} ms.`);
    this.after = after;
  }
}
