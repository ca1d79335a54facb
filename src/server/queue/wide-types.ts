import * as v from 'valibot';

export const jobKinds = ['SYNCHRONIZE', 'IMPORT', 'STATUSES', 'INHERIT', 'REFRESH', 'CHECK'] as const;

export const jobStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type JobState = (typeof jobStates)[number];

/** An import replaces an existing checklist, appends to it, or skips the issue. */
export const importModes = ['OVERRIDE', 'APPEND', 'ONLY_EMPTY'] as const;

/** The task of a job, which runs for each issue. */
export const taskShape = v.variant('kind', [
  v.object({ kind: v.literal('SYNCHRONIZE') }),
  /** Updates texts to the current statuses. */
  v.object({ kind: v.literal('STATUSES') }),
  /** Recomputes data that was computed with other statuses. */
  v.object({ kind: v.literal('REFRESH') }),
  /** Compares all stored things of known issues with fresh readings, and repairs them. */
  v.object({ kind: v.literal('CHECK') }),
  /** Takes over the previous edition's stored data. */
  v.object({ kind: v.literal('INHERIT') }),
  /** Unreadable options are those that change nothing. */
  v.object({
    kind: v.literal('IMPORT'),
    mode: v.fallback(v.picklist(importModes), 'ONLY_EMPTY'),
    dryRun: v.fallback(v.boolean(), true),
  }),
]);
export type Task = v.InferOutput<typeof taskShape>;
export type ImportTask = Extract<Task, { kind: 'IMPORT' }>;

/** Issues of a job, by id of the project or issue. */
export type Scope = { kind: 'site' } | { kind: 'project'; id: string } | { kind: 'issue'; id: string };

const lineShape = v.object({ time: v.string(), issue: v.nullable(v.string()), message: v.string() });
export const logShape = v.fallback(v.array(lineShape), []);
/** A log entry: ISO time, issue key, text for users. Never a checklist's text. */
export type LogLine = v.InferOutput<typeof lineShape>;

/** Progress of a job. Saved after each page, and after each issue that was not skipped. */
export interface Progress {
  /** The tracker's token of the current page, and the last finished issue of that page. */
  page: string | null;
  issueDone: string | null;
  /** The issue for which the tracker did not answer at the last try. */
  unanswered: string | null;
  /** Estimated number of issues; `null` if unknown. */
  total: number | null;
  seen: number;
  done: number;
  skipped: number;
  failed: number;
  log: readonly LogLine[];
}

/** A job over a project, a site or one issue. */
export interface WideJob {
  id: string;
  task: Task;
  scope: Scope;
  state: JobState;
  progress: Progress;
  /** The account that started it; `''` if the installation did. */
  account: string;
  created: Date;
  updated: Date;
  ended: Date | null;
}

/** Outcome for one issue. */
export interface Result {
  outcome: 'done' | 'skipped' | 'failed';
  message?: string;
}
