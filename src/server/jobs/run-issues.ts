import { jobs } from '../../domain/messages.ts';
import { asRefusal } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { countIssues, type FoundIssue, type FoundPage, searchIssues } from '../platform/tracker/search.ts';
import { RetryLater } from '../queue/queue.ts';
import type { Progress, Result, Scope, WideJob } from '../queue/wide-types.ts';
import { advanced, noProgress, told } from './progress.ts';
import type { Work } from './site.ts';

/** How a turn is told to go on and where its progress is kept. */
export interface IssueRun {
  job: WideJob;
  tracker: Tracker;
  /** Finds out what is done to each issue. */
  begin(): Promise<Work>;
  /** Keeps the progress; `false` when the job is not to go on. */
  save(progress: Progress): Promise<boolean>;
  end(state: 'DONE' | 'FAILED', progress: Progress, work: Work): Promise<void>;
  /** Others wait, or the process stops. */
  over(): boolean;
  onError(error: unknown): void;
}

/** Milliseconds to leave the tracker alone when it does not say for how long. */
const PAUSE = 30_000;

/** A query without any bound is refused. */
function queryOf(scope: Scope): string {
  if (scope.kind === 'issue') return `id = ${scope.id}`;
  return `${scope.kind === 'site' ? 'project is not empty' : `project = ${scope.id}`} order by created asc`;
}

/** Milliseconds to wait, where the error says that the tracker cannot be reached now. */
function pauseOf(error: unknown): number | undefined {
  if (error instanceof TrackerUnavailable) return error.retryAfter ?? PAUSE;
  const refusal = asRefusal(error);
  return refusal instanceof Refused && refusal.code === 'TRACKER_UNAVAILABLE'
    ? (refusal.retryAfter ?? PAUSE)
    : undefined;
}

const after = (issues: readonly FoundIssue[], last: string | null): readonly FoundIssue[] =>
  issues.slice(issues.findIndex(({ id }) => id === last) + 1);

/** Works on a job's issues, from where it is, until its end or the turn's. Rejects with `RetryLater` for the next turn. */
export async function runIssues({ job, tracker, begin, save, end, over, onError }: IssueRun): Promise<void> {
  const jql = queryOf(job.scope);
  let progress = job.progress;

  /** Waits for the tracker if that is what is needed; else the error is handed back. */
  async function unlessUnreachable<T>(error: T): Promise<T> {
    const pause = pauseOf(error);
    if (pause === undefined) return error;
    await save(told(progress, jobs.notAnswering));
    throw new RetryLater(pause);
  }

  async function page(work: Work): Promise<FoundPage | 'anew' | 'refused'> {
    try {
      return await searchIssues(tracker, {
        jql,
        page: progress.page,
        fields: work.fields,
        properties: work.properties,
      });
    } catch (error) {
      const left = await unlessUnreachable(error);
      if (!(left instanceof TrackerRefused)) throw left;
      if (left.status === 400 && progress.page !== null) return 'anew';
      progress = told(progress, jobs.refused(left.status));
      return 'refused';
    }
  }

  async function resultOf(work: Work, issue: FoundIssue): Promise<Result> {
    try {
      return await work.each(issue);
    } catch (error) {
      const refusal = asRefusal(await unlessUnreachable(error));
      if (refusal instanceof Refused) return { outcome: 'failed', message: refusal.message };
      onError(refusal);
      return { outcome: 'failed', message: jobs.issueFailed };
    }
  }

  async function start(): Promise<Work> {
    try {
      progress = { ...progress, total: progress.total ?? (await countIssues(tracker, jql)) };
      return await begin();
    } catch (error) {
      throw await unlessUnreachable(error);
    }
  }

  const work = await start();
  for (const note of work.notes ?? []) progress = told(progress, note);
  if (!(await save(progress))) return;

  for (;;) {
    const found = await page(work);
    if (found === 'refused') return end('FAILED', progress, work);
    if (found === 'anew') {
      const { log, total } = told(progress, jobs.startedOver);
      progress = { ...noProgress, log, total };
      continue;
    }
    for (const issue of after(found.issues, progress.issueDone)) {
      const result = await resultOf(work, issue);
      progress = advanced(progress, issue, result);
      // After an issue and not before it: a beginning that takes a whole turn would never come to the first one.
      const stops = over();
      // Those that there is nothing to do for are kept count of by the next one, or by the page.
      if ((stops || result.outcome !== 'skipped') && !(await save(progress))) return;
      if (stops) throw new RetryLater(0);
    }
    progress = { ...progress, page: found.next, issueDone: null };
    if (found.next === null) return end('DONE', progress, work);
    if (!(await save(progress))) return;
  }
}
