import Button from '@atlaskit/button/new';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type InheritJob, isRunning } from '../../../../client/admin/inherit.ts';
import { cancelJob, getRepair, repairCopies } from '../../../../client/admin/stored-data.ts';
import { failures, managing } from '../../../../domain/messages.ts';
import { Failure, Section } from '../../../kit/form/form.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { retryInterval } from '../../../shell/services/retry-interval.ts';
import { useGraphql } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';
import { issuesOf, JobLog } from './job-log.tsx';

/** Milliseconds between two polls of a running job without live events. */
const POLL_INTERVAL_MS = 3_000;

/** The last repair of the copies of a project or the site, its start and its end. */
function useRepair(projectId: string | undefined) {
  const key = ['repair of copies', projectId ?? null];
  const variables = { projectId: projectId ?? null };
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { jobs } = await graphql.query(getRepair, variables, signal);
      return { job: jobs.find(({ kind }) => kind === 'SYNCHRONIZE') };
    },
    refetchInterval: query =>
      query.state.data?.job && isRunning(query.state.data.job) ? POLL_INTERVAL_MS : retryInterval(query),
    meta: { silent: true },
  });
  useLiveQuery('job', key);
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const start = useMutation({
    mutationFn: () => graphql.mutate(repairCopies, variables, data => data.synchronizeStorages),
    onSettled,
    meta: { failure: managing.synchronize },
  });
  const cancel = useMutation({
    mutationFn: (id: string) => graphql.mutate(cancelJob, { id }, data => data.cancelJob),
    onSettled,
    meta: { failure: failures.unknown },
  });
  return { ...query, start, cancel };
}

function RunningRepair({ job: { total, seen, done } }: { job: InheritJob }) {
  const most = total === null ? undefined : Math.max(total, seen);
  const checked = most === undefined ? issuesOf(seen) : `${seen} of ${issuesOf(most)}`;
  return (
    <>
      <progress aria-label="Issues checked" max={most ?? 1} value={most === undefined ? undefined : seen} />
      <p>{seen === 0 ? 'The repair is starting.' : `${checked} checked, ${done} repaired.`}</p>
    </>
  );
}

function EndedRepair({ job: { state, seen, done, failed } }: { job: InheritJob }) {
  const end =
    state === 'DONE' ? '' : state === 'CANCELLED' ? 'The repair was cancelled. ' : 'The repair didn’t finish. ';
  return (
    <p>
      {`${end}${issuesOf(seen)} checked, ${done} repaired.`}
      {failed > 0 ? ` ${issuesOf(failed)} couldn’t be repaired.` : ''}
    </p>
  );
}

/**
 * Writes the copies in Jira of all checklists of a project or the site, also of checklists that were never opened in
 * the app.
 */
export function RepairCopiesSection({ projectId }: { projectId: string | undefined }) {
  const { start, cancel, ...repair } = useRepair(projectId);
  return (
    <Section title="Copies in Jira">
      <p className="page-note">
        {`Dashboards, boards, issue lists and search show the copy of each checklist in Jira. A checklist that was imported or
        written into the Checklist Text field gets its copy by a repair, or when someone opens the issue. Repair copies to
        write all of them ${projectId === undefined ? 'on this site' : 'in this project'}, in the background.`}
      </p>
      <QueryResult of={repair}>
        {({ job }) => (
          <>
            <div className="settings-job" role="status">
              {job ? isRunning(job) ? <RunningRepair job={job} /> : <EndedRepair job={job} /> : null}
              {job ? <JobLog log={job.log} /> : null}
            </div>
            <div className="form-buttons">
              {/* Stays in its place: the second click of a double click would cancel the repair. */}
              <Button
                isLoading={start.isPending || (job !== undefined && isRunning(job))}
                onClick={() => start.mutate()}
              >
                Repair copies
              </Button>
              {job && isRunning(job) ? (
                <Button isLoading={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
                  Cancel repair
                </Button>
              ) : null}
              <Failure of={start.error} words={managing.synchronize} />
              <Failure of={cancel.error} />
            </div>
          </>
        )}
      </QueryResult>
    </Section>
  );
}
