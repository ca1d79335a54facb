import Button from '@atlaskit/button/new';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type InheritJob, isRunning } from '../../../../client/admin/inherit.ts';
import { checkStoredData, getStoredData, type RefusedCopies } from '../../../../client/admin/stored-data.ts';
import { failures } from '../../../../domain/messages.ts';
import { Failure, Section } from '../../../kit/form/form.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { retryInterval } from '../../../shell/services/retry-interval.ts';
import { useGraphql } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';
import { issuesOf, JobLog } from './job-log.tsx';

const keyOf = (projectId: string | undefined) => ['stored data', projectId ?? null];
/** Milliseconds between two polls: while a job runs, and otherwise, since no event announces that copies are refused. */
const RUNNING_POLL_MS = 3_000;
const IDLE_POLL_MS = 20_000;

/** Refused copies, with the last job that checks the stored data and the last job that updates it. */
function useStoredData(projectId: string | undefined) {
  const key = keyOf(projectId);
  const variables = { projectId: projectId ?? null };
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { storedData, jobs } = await graphql.query(getStoredData, variables, signal);
      const lastOf = (name: string) => jobs.find(({ kind }) => kind === name);
      return { ...storedData, check: lastOf('CHECK'), refresh: lastOf('REFRESH') };
    },
    refetchInterval: query => {
      const { data, error } = query.state;
      const isBusy = [data?.check, data?.refresh].some(job => job && isRunning(job));
      if (isBusy) return RUNNING_POLL_MS;
      return error === null ? IDLE_POLL_MS : retryInterval(query);
    },
    meta: { silent: true },
  });
  useLiveQuery('job', key);
  const start = useMutation({
    mutationFn: () => graphql.mutate(checkStoredData, variables, data => data.checkStoredData),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
    meta: { failure: failures.unknown },
  });
  return { ...query, start };
}

const copies: Record<string, string> = { property: 'issue property', field: 'Checklist Text field' };
const reasons: Record<string, string> = {
  forbidden:
    'The app doesn’t have permission to edit issues there. Check the permission scheme and data security policies.',
  hidden: 'Jira doesn’t let the app see issues there. Check the permission scheme and data security policies.',
  refused: 'Jira rejects the change. Check for archived issues.',
  size: 'The checklist is too long.',
  screen: 'The field isn’t on the issue screen.',
  foreign: 'The copy holds a text that is too long for a checklist.',
};

const projectReasons: Record<string, string> = {
  forbidden: 'The app doesn’t have the Administer projects permission. Check the permission scheme.',
  refused: 'Jira rejects the change. Check for archived projects.',
};

/** "project AB", "projects AB, CD and 3 more". */
function projectsOf({ projects, projectKeys }: RefusedCopies): string {
  const more = projects - projectKeys.length;
  return `${projects === 1 ? 'project' : 'projects'} ${projectKeys.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Copies that Jira refuses, and what to do. */
function Refused({ of: refused, isOfProject }: { of: RefusedCopies; isOfProject: boolean }) {
  const { copy, reason, issues, projects } = refused;
  const [words, why] =
    projects > 0
      ? [`copy of the ${copy} in ${isOfProject ? 'this project' : projectsOf(refused)}`, projectReasons[reason]]
      : [`${copies[copy] ?? copy} of ${issuesOf(issues)}`, reasons[reason]];
  return <li>{`The ${words} isn’t up to date. ${why ?? ''} Retrying automatically.`}</li>;
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Says where the app may not leave out mail, and what to do. Without projects it is about this one. */
const mailWords = (projects: readonly string[] | undefined): string =>
  `Jira emails watchers when the app updates the Checklist Text field in ${
    projects ? `${projects.length === 1 ? 'project' : 'projects'} ${listed.format(projects)}` : 'this project'
  }. To stop these emails, grant “Administer projects” to the project role atlassian-addons-project-access.`;

const progress = ({ total, seen }: InheritJob): string =>
  total === null ? `${issuesOf(seen)} done` : `${seen} of ${issuesOf(Math.max(total, seen))} done`;

function Check({ job }: { job: InheritJob }) {
  if (isRunning(job)) return <p>{`Checking stored data: ${progress(job)}.`}</p>;
  const end = job.state === 'DONE' ? '' : 'The check didn’t finish. ';
  return (
    <>
      <p>
        {`${end}${issuesOf(job.seen)} checked, ${job.done} repaired.`}
        {job.failed > 0 ? ` ${issuesOf(job.failed)} couldn’t be repaired.` : ''}
      </p>
      <JobLog log={job.log} />
    </>
  );
}

/** Says which copies in Jira lag behind and why, and checks all that is stored, of the site or of a project. */
export function StoredDataSection({ projectId }: { projectId: string | undefined }) {
  const { start, ...storedData } = useStoredData(projectId);
  return (
    <Section title="Stored data">
      <p className="page-note">
        Jira holds copies of each checklist for search, workflow rules and automation. The check compares copies and
        counts with the checklists and repairs differences.
      </p>
      <QueryResult of={storedData}>
        {({ refused, mailedProjects, check, refresh }) => (
          <>
            <div className="settings-job" role="status">
              {refused.length > 0 ? (
                <ul>
                  {refused.map(each => (
                    <Refused key={`${each.copy} ${each.reason}`} of={each} isOfProject={projectId !== undefined} />
                  ))}
                </ul>
              ) : null}
              {mailedProjects.length > 0 ? (
                <p>{mailWords(projectId === undefined ? mailedProjects : undefined)}</p>
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
