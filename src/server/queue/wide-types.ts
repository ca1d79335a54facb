import * as z from 'zod';

export const jobKinds = ['SYNCHRONIZE', 'IMPORT', 'STATUSES', 'INHERIT'] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type JobState = (typeof jobStates)[number];

/** What an import does where there is a checklist already: takes its place, goes below it, or leaves it alone. */
export const importModes = ['OVERRIDE', 'APPEND', 'ONLY_EMPTY'] as const;
export type ImportMode = (typeof importModes)[number];

/** What is done to each issue. */
export const taskShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('SYNCHRONIZE') }),
  /** Brings texts after the statuses as they are now. */
  z.object({ kind: z.literal('STATUSES') }),
  /** Takes over what the edition before this one has stored. */
  z.object({ kind: z.literal('INHERIT') }),
  z.object({ kind: z.literal('IMPORT'), mode: z.enum(importModes), dryRun: z.boolean() }),
]);
export type Task = z.infer<typeof taskShape>;
export type ImportTask = Extract<Task, { kind: 'IMPORT' }>;

/** To which issues, by id of the project or issue. */
export type Scope = { kind: 'site' } | { kind: 'project'; id: string } | { kind: 'issue'; id: string };

const lineShape = z.object({ time: z.string(), issue: z.string().nullable(), message: z.string() });
export const logShape = z.array(lineShape);
/** Something worth telling: when (ISO), of which issue (its key), in words for people. Never a checklist's text. */
export type LogLine = z.infer<typeof lineShape>;

/** How far a job is. Kept after each issue that was worked on. */
export interface Progress {
  /** The tracker's mark of the page that it is at, and the last issue of that page that is done. */
  page: string | null;
  issueDone: string | null;
  /** About how many issues there are, where the tracker says. */
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
  /** Who started it; `''` for nobody: the installation did. */
  account: string;
  created: Date;
  updated: Date;
  ended: Date | null;
}

/** What became of one issue. */
export interface Result {
  outcome: 'done' | 'skipped' | 'failed';
  message?: string;
}
