import Button from '@atlaskit/button/new';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type InheritJob, isRunning } from '../../../client/admin/inherit.ts';
import { checkStoredData, getStoredData, type RefusedCopies } from '../../../client/admin/stored-data.ts';
import { failures } from '../../../domain/messages.ts';
import { Failure, Section } from '../../kit/form/form.tsx';
import { QueryResult } from '../../kit/query-result.tsx';
import { retryInterval } from '../../shell/services/retry-interval.ts';
import { useGraphql } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';
import { JobLog } from './job-log.tsx';

const KEY = ['stored data'];
const POLL_MILLISECONDS = 3_000;

/** Counts of a site's stored data that waits, with the last job that checks it and the one that updates it. */
function useStoredData() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const { storedData, jobs } = await graphql.query(getStoredData, {}, signal);
      const lastOf = (name: string) => jobs.find(({ kind }) => kind === name);
      return { ...storedData, check: lastOf('CHECK'), refresh: lastOf('REFRESH') };
    },
    refetchInterval: query => {
      const { data } = query.state;
      return [data?.check, data?.refresh].some(job => job && isRunning(job)) ? POLL_MILLISECONDS : retryInterval(query);
    },
    meta: { silent: true },
  });
  useLiveQuery('job', KEY);
  const start = useMutation({
    mutationFn: () => graphql.mutate(checkStoredData, {}, data => data.checkStoredData),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { failure: failures.unknown },
  });
  return { ...query, start };
}

const issuesOf = (count: number) => `${count} ${count === 1 ? 'issue' : 'issues'}`;

const copies: Record<string, string> = { property: 'issue property', field: 'Checklist Text field' };
const reasons: Record<string, string> = {
  forbidden: 'The app doesn’t have permission to edit them. Check the permission scheme.',
  refused: 'Jira rejects the change. The issues may be archived.',
  size: 'The checklist is too long.',
  screen: 'The field isn’t on their screens.',
  foreign: 'They hold a text that is too long for a checklist.',
};

/** Copies that Jira refuses, and what to do. */
function Refused({ of: { copy, reason, issues } }: { of: RefusedCopies }) {
  return (
    <li>
      {`The ${copies[copy] ?? copy} of ${issuesOf(issues)} isn’t up to date. ${reasons[reason] ?? ''} Retrying automatically.`}
    </li>
  );
}

const progress = ({ total, seen }: InheritJob): string =>
  total === null ? `${issuesOf(seen)} done` : `${seen} of ${issuesOf(Math.max(total, seen))} done`;

function Check({ job }: { job: InheritJob }) {
  if (isRunning(job)) return <p>{`Checking stored data: ${progress(job)}.`}</p>;
  const end = job.state === 'DONE' ? '' : 'The check didn’t finish. ';
  const repaired = job.log.length - job.failed;
  return (
    <>
      <p>
        {`${end}${issuesOf(job.seen)} checked, ${Math.max(0, repaired)} repaired.`}
        {job.failed > 0 ? ` ${issuesOf(job.failed)} couldn’t be repaired.` : ''}
      </p>
      <JobLog log={job.log} />
    </>
  );
}

/** Says which copies in Jira lag behind and why, and checks all that is stored. */
export function StoredDataSection() {
  const { start, ...storedData } = useStoredData();
  return (
    <Section title="Stored data">
      <p className="page-note">
        Jira holds copies of each checklist for search, workflow rules and automation. The check compares copies and
        counts with the checklists and repairs differences.
      </p>
      <QueryResult of={storedData}>
        {({ refused, check, refresh }) => (
          <>
            <div className="settings-job" role="status">
              {refused.length > 0 ? (
                <ul>
                  {refused.map(each => (
                    <Refused key={`${each.copy} ${each.reason}`} of={each} />
                  ))}
                </ul>
              ) : null}
              {refresh && isRunning(refresh) ? (
                <p>{`Updating checklists to the new statuses: ${progress(refresh)}.`}</p>
              ) : null}
              {check ? <Check job={check} /> : null}
            </div>
            {check && isRunning(check) ? null : (
              <div className="form-buttons">
                <Button isLoading={start.isPending} onClick={() => start.mutate()}>
                  Check stored data
                </Button>
                <Failure of={start.error} />
              </div>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}
