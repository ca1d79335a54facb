import Button from '@atlaskit/button/new';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import {
  getInheritance,
  type Inheritance,
  type InheritJob,
  inheritChecklists,
  isRunning,
} from '../../../../client/admin/inherit.ts';
import { erasePerson, removeSiteData } from '../../../../client/admin/settings.ts';
import { MutationRefused, ServerError } from '../../../../client/errors.ts';
import { predecessor } from '../../../../domain/editions.ts';
import { failures } from '../../../../domain/messages.ts';
import { download } from '../../../kit/copy-and-download.ts';
import { Failure, FormButtons, Section, TextInput } from '../../../kit/form/form.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { useLayer } from '../../../kit/use-layer.ts';
import { retryInterval } from '../../../shell/services/retry-interval.ts';
import { useBridge, useGraphql, useSessionStore } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';
import { JobLog } from '../stored/job-log.tsx';

/** Exports all stored data of a site, or deletes it. */
export function DataSection() {
  const bridge = useBridge();
  const session = useSessionStore();
  const exported = useMutation({
    mutationFn: async () => {
      const headers = { authorization: `JWT ${await session.token()}` };
      const { status, text } = await bridge.backend('/api/export', { headers });
      if (status !== 200) throw new ServerError(status, failures.unknown);
      return text;
    },
    onSuccess: text => download('smart-checklist.ndjson', 'application/x-ndjson', text),
    meta: { failure: failures.unknown },
  });
  const [asking, setAsking] = useState<'erase' | 'remove' | undefined>(undefined);
  const openers = { erase: useRef<HTMLButtonElement>(null), remove: useRef<HTMLButtonElement>(null) };
  const close = () => {
    setAsking(undefined);
    if (asking) openers[asking].current?.focus();
  };
  return (
    <Section title="Data">
      <p className="page-note">
        Checklists are stored with their issues. The app keeps their history, templates, rules, statuses and settings.
      </p>
      <div className="form-buttons">
        <Button isLoading={exported.isPending} onClick={() => exported.mutate()}>
          Export all data
        </Button>
        <Button ref={openers.erase} onClick={() => setAsking('erase')}>
          Erase a person…
        </Button>
        <Button ref={openers.remove} onClick={() => setAsking('remove')}>
          Remove all data…
        </Button>
        <Failure of={exported.error} />
      </div>
      {asking === 'erase' ? <ErasePerson onClose={close} /> : null}
      {asking === 'remove' ? <RemoveData onClose={close} /> : null}
    </Section>
  );
}

interface DangerFormProps {
  title: string;
  /** The data that will be lost. */
  warning: string;
  label: string;
  hint?: string;
  save: string;
  /** Text for users once it is done. */
  success: string;
  /** Does it with what was typed. Rejects with `MutationRefused`. */
  run(typed: string): Promise<unknown>;
  onClose(): void;
}

/** Asks for a text before something is deleted for good. */
function DangerForm({ title, warning, label, hint, save, success, run, onClose }: DangerFormProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  useLayer(true, onClose, true);
  const mutation = useMutation({
    mutationFn: () => run(typed.trim()),
    onSuccess: () => {
      void client.invalidateQueries();
      onClose();
    },
    onError: error => setRefusal(error instanceof MutationRefused ? error.message : failures.unknown),
    meta: { success, silent: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!mutation.isPending) mutation.mutate();
  };
  return (
    <form className="form settings-danger" aria-label={title} onSubmit={submit}>
      <p>{warning}</p>
      <TextInput
        label={label}
        {...(hint !== undefined && { hint })}
        value={typed}
        error={refusal}
        autoFocus
        onChange={now => {
          setTyped(now);
          setRefusal(undefined);
        }}
      />
      <FormButtons save={save} appearance="danger" busy={mutation.isPending} onCancel={onClose} />
    </form>
  );
}

/** Erases a person by account id, as the platform asks for closed accounts. */
function ErasePerson({ onClose }: { onClose(): void }) {
  const graphql = useGraphql();
  return (
    <DangerForm
      title="Erase a person"
      warning="This permanently replaces the person’s mentions in checklists, templates and their history with “Former user”, and deletes their assignments, notifications and settings."
      label="Atlassian account ID"
      hint="It is at the end of the address of the person’s profile."
      save="Erase person"
      success="The person has been erased."
      run={accountId => graphql.mutate(erasePerson, { accountId }, data => data.erasePerson)}
      onClose={onClose}
    />
  );
}

function RemoveData({ onClose }: { onClose(): void }) {
  const graphql = useGraphql();
  return (
    <DangerForm
      title="Remove all data"
      warning="This permanently deletes the history, templates, rules, statuses and settings of this site. Checklists stay with their issues."
      label="Type the site’s address to confirm"
      save="Remove all data"
      success="All data of this site has been removed."
      run={confirm => graphql.mutate(removeSiteData, { confirm }, data => data.removeSiteData)}
      onClose={onClose}
    />
  );
}

const QUERY_KEY = ['inheritance'];
const POLL_INTERVAL_MS = 3_000;

/** The progress of importing the previous edition's checklists, and its start. */
function useInheritance() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => (await graphql.query(getInheritance, {}, signal)).inheritance,
    refetchInterval: query =>
      query.state.data?.job && isRunning(query.state.data.job) ? POLL_INTERVAL_MS : retryInterval(query),
    meta: { silent: true },
  });
  useLiveQuery('job', QUERY_KEY);
  const start = useMutation({
    mutationFn: () => graphql.mutate(inheritChecklists, {}, data => data.inheritChecklists),
    onSuccess: ({ job }) => client.setQueryData<Inheritance>(QUERY_KEY, known => known && { ...known, job }),
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
              <p className="page-note">
                {`Import the checklists, templates and statuses of ${name}. On an issue that already has a checklist in this
                app, the items are added to it. ${name} keeps its data.`}
              </p>
              <State of={known} />
              {known.job && isRunning(known.job) ? null : (
                <div className="form-buttons">
                  <Button isLoading={inheritance.start.isPending} onClick={() => inheritance.start.mutate()}>
                    {known.job ? 'Check again' : 'Import checklists'}
                  </Button>
                  <Failure of={inheritance.start.error} />
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
      <JobLog log={job.log} />
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
