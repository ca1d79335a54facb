import { jobs } from '../../domain/messages.ts';
import { asRefusal } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import { Unauthorized } from '../errors/request.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { Overloaded, StoreUnavailable } from '../errors/unavailable.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { countIssues, type FoundIssue, type FoundPage, searchIssues } from '../platform/tracker/search.ts';
import { RetryLater } from '../queue/queue.ts';
import type { Progress, Result, Scope, WideJob } from '../queue/wide-types.ts';
import { advanceProgress, noProgress, withLogLine } from './progress.ts';
import type { Work } from './site.ts';

/** A slice of a job. */
export interface IssueRun {
  job: WideJob;
  tracker: Tracker;
  /** Prepares the work on issues. */
  begin(): Promise<Work>;
  /** Saves the progress; `false` if the job has ended. */
  save(progress: Progress): Promise<boolean>;
  end(state: 'DONE' | 'FAILED', progress: Progress, work: Work): Promise<void>;
  /** Whether the slice is over, or the process stops. */
  over(): boolean;
  onError(error: unknown): void;
}

/** Applies if the tracker gives no time for the next try. */
const RETRY_PAUSE_MS = 30_000;

/** The tracker refuses unbounded queries. */
function queryOf(scope: Scope): string {
  if (scope.kind === 'issue') return `id = ${scope.id}`;
  return `${scope.kind === 'site' ? 'project is not empty' : `project = ${scope.id}`} order by created asc`;
}

/** Says that the tracker is unavailable, and the milliseconds that it asks to wait, if any. */
function unavailable(error: unknown): { asked: number | undefined } | undefined {
  const refusal = asRefusal(error);
  const isAway = refusal instanceof Refused && refusal.code === 'TRACKER_UNAVAILABLE';
  return isAway ? { asked: refusal.retryAfter } : undefined;
}

/** Why the job waits. A limit that it waits for is no failure of the tracker. */
function reasonFor(error: unknown, retryAfter: number | undefined): string {
  const reason = error instanceof Refused ? error.cause : error;
  if (!(reason instanceof TrackerUnavailable && reason.isLimited)) return jobs.notAnswering;
  return jobs.limited(
    retryAfter === undefined ? undefined : new Date(Date.now() + retryAfter).toISOString().slice(11, 16),
  );
}

const after = (issues: readonly FoundIssue[], last: string | null): readonly FoundIssue[] =>
  issues.slice(issues.findIndex(({ id }) => id === last) + 1);

/**
 * Continues a job over its issues until the end of the job or the slice. Rejects with `RetryLater` for the next slice.
 */
export async function runIssues({ job, tracker, begin, save, end, over, onError }: IssueRun): Promise<void> {
  const jql = queryOf(job.scope);
  let progress = job.progress;

  /** Rejects with `RetryLater` if the tracker is unavailable, or turns are; otherwise resolves with the error. */
  async function unlessUnreachable<T>(error: T, issue?: FoundIssue): Promise<T> {
    if (error instanceof Overloaded && error.isUntried) throw new RetryLater(error.reset * 1_000);
    const away = unavailable(error);
    if (!away) return error;
    // One line says until when, however often that moves on.
    const log = progress.log.filter(({ message }) => !message.startsWith(jobs.LIMIT_SENTENCE));
    await save({
      ...withLogLine({ ...progress, log }, reasonFor(error, away.asked)),
      unanswered: issue?.id ?? progress.unanswered,
    });
    throw new RetryLater(away.asked ?? RETRY_PAUSE_MS);
  }

  /** Whether the tracker failed for the issue at the last try, too, asks for no pause, and answers another call. */
  async function isOfIssue(error: unknown, { id }: FoundIssue): Promise<boolean> {
    if (progress.unanswered !== id || unavailable(error)?.asked !== undefined) return false;
    return countIssues(tracker, jql).then(
      () => true,
      () => false,
    );
  }

  async function page(work: Work): Promise<FoundPage | 'restart' | 'refused'> {
    try {
      if (work.list) return await work.list.page(progress.page);
      return await searchIssues(tracker, {
        jql,
        page: progress.page,
        fields: work.fields,
        properties: work.properties,
      });
    } catch (error) {
      const trackerError = await unlessUnreachable(error);
      if (!(trackerError instanceof TrackerRefused)) throw trackerError;
      if (trackerError.status === 400 && progress.page !== null) return 'restart';
      progress = withLogLine(progress, jobs.refused(trackerError.status));
      return 'refused';
    }
  }

  async function resultOf(work: Work, issue: FoundIssue): Promise<Result> {
    try {
      return await work.each(issue);
    } catch (error) {
      // The run goes on from the stored progress.
      if (error instanceof StoreUnavailable) throw error;
      // The installation ended: so does the job, at its next slice.
      if (error instanceof Unauthorized) throw error;
      // It must not keep the others waiting.
      if (unavailable(error) && (await isOfIssue(error, issue)))
        return { outcome: 'failed', message: jobs.issueUnanswered };
      const refusal = asRefusal(await unlessUnreachable(error, issue));
      if (refusal instanceof Refused) return { outcome: 'failed', message: refusal.message };
      onError(refusal);
      return { outcome: 'failed', message: jobs.issueFailed };
    }
  }

  async function start(): Promise<Work> {
    try {
      const begun = await begin();
      const count = () => (begun.list ? begun.list.count() : countIssues(tracker, jql));
      progress = { ...progress, total: progress.total ?? (await count()) };
      return begun;
    } catch (error) {
      throw await unlessUnreachable(error);
    }
  }

  const work = await start();
  for (const note of work.notes ?? []) progress = withLogLine(progress, note);
  if (!(await save(progress))) return;

  for (;;) {
    const issuePage = await page(work);
    if (issuePage === 'refused') return end('FAILED', progress, work);
    if (issuePage === 'restart') {
      const { log, total } = withLogLine(progress, jobs.startedOver);
      progress = { ...noProgress, log, total };
      continue;
    }
    for (const issue of after(issuePage.issues, progress.issueDone)) {
      const result = await resultOf(work, issue);
      progress = advanceProgress(progress, issue, result);
      // After an issue, not before it: otherwise a start that takes a whole slice would never reach the first issue.
      const stops = over();
      // Skipped issues are saved with the next one, or with the page.
      if ((stops || result.outcome !== 'skipped') && !(await save(progress))) return;
      if (stops) throw new RetryLater(0);
    }
    progress = { ...progress, page: issuePage.next, issueDone: null };
    if (issuePage.next === null) return end('DONE', progress, work);
    if (!(await save(progress))) return;
  }
}
