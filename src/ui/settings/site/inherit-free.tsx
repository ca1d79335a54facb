import Button from '@atlaskit/button/new';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getInheritance, type Inheritance, type InheritJob, inheritChecklists } from '../../../client/admin/inherit.ts';
import { predecessor } from '../../../domain/editions.ts';
import { failures } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import { QueryResult } from '../../kit/content-state.tsx';
import { Section } from '../../kit/form/form.tsx';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useGraphql } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

const KEY = ['inheritance'];
/** Milliseconds between two polls of a running job without live events. */
const POLL = 3_000;

export const isRunning = ({ state }: InheritJob): boolean => state === 'QUEUED' || state === 'RUNNING';

/** The progress of importing the previous edition's checklists, and its start. */
export function useInheritance() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await graphql.query(getInheritance, {}, signal)).inheritance,
    refetchInterval: ({ state }) => (state.data?.job && isRunning(state.data.job) ? POLL : false),
    meta: { silent: true },
  });
  useLiveQuery('job', KEY);
  const start = useMutation({
    mutationFn: () => graphql.mutate(inheritChecklists, {}, data => data.inheritChecklists),
    onSuccess: ({ job }) => client.setQueryData<Inheritance>(KEY, known => known && { ...known, job }),
    meta: { failure: failures.unknown },
  });
  return { ...query, start };
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The import of the previous edition's data. */
export const InheritSection = () => (predecessor ? <Inherited name={predecessor.name} /> : null);

function Inherited({ name }: { name: string }) {
  const inheritance = useInheritance();
  return (
    <Section title={`Checklists of ${name}`}>
      <QueryResult of={inheritance}>
        {known =>
          known && (
            <>
              <p className="settings-note">
                {`Import the checklists, templates and statuses of ${name}. On an issue that already has a checklist in this
                app, the items are added to it. ${name} keeps its data.`}
              </p>
              <State of={known} />
              {known.job && isRunning(known.job) ? null : (
                <div className="form-buttons">
                  <Button isLoading={inheritance.start.isPending} onClick={() => inheritance.start.mutate()}>
                    {known.job ? 'Check again' : 'Import checklists'}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}

function State({ of: { job, ended } }: { of: NonNullable<Inheritance> }) {
  if (!job) return ended === null ? null : <p role="status">Everything has been imported.</p>;
  return (
    <div className="settings-job" role="status">
      {isRunning(job) ? <RunningJob job={job} /> : <EndedJob job={job} />}
      {job.log.length > 0 ? (
        <ul>
          {job.log.map(({ issue, message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended.
            <li key={index}>
              {issue === null ? null : (
                <>
                  <TrackerLink path={issuePath(issue)}>{issue}</TrackerLink>:{' '}
                </>
              )}
              {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function RunningJob({ job: { total, seen, done } }: { job: InheritJob }) {
  const most = total === null ? undefined : Math.max(total, seen);
  return (
    <>
      <progress aria-label="Issues checked" max={most ?? 1} value={most === undefined ? undefined : seen} />
      <p>
        {seen === 0
          ? 'The import is starting.'
          : `${most === undefined ? counted(seen, 'issue') : `${seen} of ${counted(most, 'issue')}`} checked, ${counted(done, 'checklist')} imported.`}
      </p>
    </>
  );
}

function EndedJob({ job: { state, seen, done, failed } }: { job: InheritJob }) {
  const end =
    state === 'DONE' ? '' : state === 'CANCELLED' ? 'The import was cancelled. ' : "The import didn't finish. ";
  return (
    <p>
      {`${end}${counted(done, 'checklist')} imported, ${counted(seen, 'issue')} checked.`}
      {failed > 0 ? ` ${counted(failed, 'checklist')} failed.` : ''}
    </p>
  );
}
