import { sql } from 'kysely';
import * as v from 'valibot';
import { parseAs, readAs } from '../../domain/shape.ts';
import { publish } from '../store/live-events.ts';
import type { JobTable, Tx } from '../store/tables.ts';
import {
  type JobState,
  jobKinds,
  jobStates,
  logShape,
  type Progress,
  type Scope,
  type Task,
  taskShape,
  type WideJob,
} from './wide-types.ts';

/** The limit of listed jobs, and the time for which ended jobs are kept. */
const MAX_LISTED = 20;
const JOB_RETENTION_DAYS = 90;

const columns = ({ page, issueDone, unanswered, total, seen, done, skipped, failed, log }: Progress) => {
  const counts = { total, seen, done, skipped, failed };
  return { page, issue_done: issueDone, unanswered, ...counts, log: JSON.stringify(log) };
};

const placeOf = (scope: Scope): Pick<JobTable, 'project' | 'issue'> => ({
  project: scope.kind === 'project' ? scope.id : null,
  issue: scope.kind === 'issue' ? scope.id : null,
});

function scopeOf({ project, issue }: Pick<JobTable, 'project' | 'issue'>): Scope {
  if (issue !== null) return { kind: 'issue', id: issue };
  return project === null ? { kind: 'site' } : { kind: 'project', id: project };
}

const stateShape = v.fallback(v.picklist(jobStates), 'RUNNING');

/** The jobs of known kinds: a later version, which was taken back, may have left others. */
const select = (tx: Tx, tenant: string) =>
  tx.selectFrom('job').selectAll().where('tenant', '=', tenant).where('kind', 'in', jobKinds);
type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

function jobOf(row: Row): WideJob {
  const { id, account, created, updated, ended, page, issue_done, unanswered, total, seen, done, skipped, failed } =
    row;
  const state = parseAs(stateShape, row.state);
  const counts = { total, seen, done, skipped, failed };
  const progress = { page, issueDone: issue_done, unanswered, ...counts, log: parseAs(logShape, row.log) };
  return {
    id,
    account,
    created,
    updated,
    ended,
    state,
    progress,
    scope: scopeOf(row),
    task: readAs(taskShape, row.options) ?? parseAs(taskShape, { kind: row.kind }),
  };
}

const inScope = (tx: Tx, tenant: string, scope: Scope) => {
  const { project, issue } = placeOf(scope);
  return select(tx, tenant)
    .where('project', project === null ? 'is' : '=', project)
    .where('issue', issue === null ? 'is' : '=', issue);
};

/** Adds a job, unless one of its kind and scope is open. Resolves with whether it was added. */
export async function addJob(
  tx: Tx,
  tenant: string,
  { id, task, scope, account }: Pick<WideJob, 'id' | 'task' | 'scope' | 'account'>,
): Promise<boolean> {
  await tx
    .deleteFrom('job')
    .where('tenant', '=', tenant)
    .where('ended', '<', sql<Date>`now() - ${JOB_RETENTION_DAYS} * interval '1 day'`)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('job')
    .values({ tenant, id, kind: task.kind, state: 'QUEUED', options: JSON.stringify(task), account, ...placeOf(scope) })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await publish(tx, tenant, { kind: 'job', job: id });
  return true;
}

export async function findJob(tx: Tx, tenant: string, id: string): Promise<WideJob | undefined> {
  const row = await select(tx, tenant).where('id', '=', id).executeTakeFirst();
  return row && jobOf(row);
}

/** The open job of this kind and scope. */
export async function openJob(tx: Tx, tenant: string, kind: Task['kind'], scope: Scope): Promise<WideJob | undefined> {
  const row = await inScope(tx, tenant, scope).where('kind', '=', kind).where('ended', 'is', null).executeTakeFirst();
  return row && jobOf(row);
}

/** The last jobs of this scope, newest first. */
export async function listJobs(tx: Tx, tenant: string, scope: Scope): Promise<WideJob[]> {
  const rows = await inScope(tx, tenant, scope).orderBy('created', 'desc').limit(MAX_LISTED).execute();
  return rows.map(jobOf);
}

/** The open job that was updated the longest time ago. */
export async function nextJob(tx: Tx, tenant: string): Promise<WideJob | undefined> {
  const row = await select(tx, tenant).where('ended', 'is', null).orderBy('updated').limit(1).executeTakeFirst();
  return row && jobOf(row);
}

const update = (tx: Tx, tenant: string, id: string) =>
  tx
    .updateTable('job')
    .set({ updated: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('ended', 'is', null);

/** Saves the progress. `false` if the job has ended. */
export async function saveJob(tx: Tx, tenant: string, id: string, progress: Progress): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, tenant, id)
    .set({ state: 'RUNNING', ...columns(progress) })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends a job, with its saved progress or with `progress`. `false` if it had ended before. */
export async function endJob(
  tx: Tx,
  tenant: string,
  id: string,
  { state, progress }: { state: Exclude<JobState, 'QUEUED' | 'RUNNING'>; progress?: Progress },
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, tenant, id)
    .set({ state, ended: sql<Date>`now()`, ...(progress && columns(progress)) })
    .executeTakeFirst();
  await publish(tx, tenant, { kind: 'job', job: id });
  return numUpdatedRows === 1n;
}

/** Deletes a job that could not be started. */
export async function dropJob(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx.deleteFrom('job').where('tenant', '=', tenant).where('id', '=', id).execute();
}

/** The last import of an issue: hash of its source, and number of imports. */
export async function findImported(
  tx: Tx,
  tenant: string,
  issue: string,
): Promise<{ source: string; times: number } | undefined> {
  return tx
    .selectFrom('imported')
    .select(['source', 'times'])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .executeTakeFirst();
}

export async function noteImported(tx: Tx, tenant: string, issue: string, source: string): Promise<void> {
  await tx
    .insertInto('imported')
    .values({ tenant, issue, source })
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet({ source, times: sql`imported.times + 1` }),
    )
    .execute();
}

/** When the previous edition's data was taken over completely; `null` before that. */
export async function inheritedAt(tx: Tx, tenant: string): Promise<Date | null> {
  const row = await tx.selectFrom('tenant').select('inherited').where('tenant', '=', tenant).executeTakeFirst();
  return row?.inherited ?? null;
}

export async function noteInherited(tx: Tx, tenant: string): Promise<void> {
  const currentTime = sql<Date>`now()`;
  await tx.updateTable('tenant').set({ inherited: currentTime }).where('tenant', '=', tenant).execute();
}
