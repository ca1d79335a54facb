import type { Progress, Result } from '../queue/wide-types.ts';

/** Older lines of the log are dropped. */
const MAX_LOG_LINES = 200;

export const noProgress: Progress = {
  page: null,
  issueDone: null,
  unanswered: null,
  total: null,
  seen: 0,
  done: 0,
  skipped: 0,
  failed: 0,
  log: [],
};

/** Adds a line to the log, unless it repeats the last one. */
export function withLogLine(progress: Progress, message: string, issue: string | null = null): Progress {
  const last = progress.log.at(-1);
  if (last?.message === message && last.issue === issue) return progress;
  const line = { time: new Date().toISOString(), issue, message };
  return { ...progress, log: [...progress.log, line].slice(-MAX_LOG_LINES) };
}

/** Counts an issue. */
export function advanceProgress(progress: Progress, issue: { id: string; key: string }, result: Result): Progress {
  const { outcome, message } = result;
  const counted = {
    ...progress,
    issueDone: issue.id,
    unanswered: null,
    seen: progress.seen + 1,
    [outcome]: progress[outcome] + 1,
  };
  return message === undefined ? counted : withLogLine(counted, message, issue.key);
}
