import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { GadgetFrame } from '../../../bridge/bridge.ts';
import { TrackerError } from '../../../client/errors.ts';
import { createRegistries } from '../../../client/status-registry.ts';
import { readIssueProgress } from '../../../client/tracker/issue-progress.ts';
import { shell } from '../../../domain/messages.ts';
import { Button } from '../../kit/button.tsx';
import { Loading } from '../../kit/content-state.tsx';
import { FormButtons, Select, TextInput } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryError, QueryResult } from '../../kit/query-result.tsx';
import { ProjectField } from '../../model/projects.tsx';
import { useBridge, useGraphql } from '../../shell/services/services.ts';
import {
  type GadgetConfig,
  type GadgetGroup,
  GadgetView,
  gadgetGroups,
  gadgetQuery,
  newGadget,
  readGadget,
} from './gadget-view.tsx';
import '../../shell/page.css';
import './gadget.css';

/** A dashboard's gadget. It reads as the user, so that it costs none of the app's quota. */
export default function GadgetScreen() {
  const bridge = useBridge();
  const frame = useQuery({
    queryKey: ['gadget'],
    queryFn: async (): Promise<GadgetFrame> => {
      if (!bridge.modules) throw new Error('Open this page from a dashboard in Jira.');
      return (await bridge.modules()).gadget();
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
  const main = useRef<HTMLElement>(null);
  return (
    <main ref={main} className="gadget" tabIndex={-1}>
      <h1 className="check-hidden">Checklist progress</h1>
      <QueryResult of={frame}>{found => <Gadget frame={found} focusStart={() => main.current?.focus()} />}</QueryResult>
    </main>
  );
}

interface Props {
  frame: GadgetFrame;
  /** Moves the focus to the gadget's start, from a control that disappears. */
  focusStart(): void;
}

/** Why a save failed. */
const saveErrors = {
  failed: "We couldn't save the gadget. Try again.",
  denied: 'Only people who can edit this dashboard can configure the gadget.',
};

function Gadget({ frame, focusStart }: Props) {
  const saved = readGadget(frame.config);
  const [config, setConfig] = useState(saved);
  const [isEdit, setEdit] = useState(frame.isEdit || saved === undefined);
  useEffect(() => frame.on('edit', () => setEdit(true)), [frame]);
  const close = () => {
    focusStart();
    setEdit(false);
  };
  const save = useMutation({
    mutationFn: (values: GadgetConfig) => frame.save(values),
    onSuccess: (isSaved, values) => {
      if (!isSaved) return;
      setConfig(values);
      close();
    },
    meta: { silent: true },
  });
  if (config && !isEdit) return <Progress frame={frame} focusStart={focusStart} config={config} />;
  return (
    <>
      {frame.config !== undefined && saved === undefined ? (
        <Message appearance="warning">
          We couldn’t read the settings of this gadget. Choose them again, then save.
        </Message>
      ) : null}
      <GadgetForm
        config={config ?? newGadget}
        busy={save.isPending}
        error={save.isError ? saveErrors.failed : save.data === false ? saveErrors.denied : undefined}
        onSave={values => save.mutate(values)}
        onCancel={config ? close : undefined}
      />
    </>
  );
}

/** The reasons in an answer of the tracker. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof TrackerError) || error.status !== 400) return undefined;
  try {
    const { errorMessages }: { errorMessages?: unknown } = JSON.parse(error.text);
    return Array.isArray(errorMessages) ? errorMessages.filter(each => typeof each === 'string').join(' ') : undefined;
  } catch {
    return undefined;
  }
}

function Progress({ frame, focusStart, config }: Props & { config: GadgetConfig }) {
  const bridge = useBridge();
  const graphql = useGraphql();
  const jql = gadgetQuery(config);
  const issuesQuery = useQuery({
    queryKey: ['gadget', jql],
    queryFn: ({ signal }) => readIssueProgress(bridge, jql, createRegistries(bridge, graphql), signal),
    // The host refreshes gadgets.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
  const { refetch } = issuesQuery;
  useEffect(() => frame.on('refresh', () => void refetch()), [frame, refetch]);
  // The retry button disappears then.
  const retry = () => void refetch().then(({ isSuccess }) => isSuccess && focusStart());
  if (issuesQuery.isError && !issuesQuery.data) {
    return (
      <QueryError
        title="We couldn't load the issues."
        error={issuesQuery.error}
        onRetry={retry}
        retrying={issuesQuery.isFetching}
      >
        <p>{reasonOf(issuesQuery.error) ?? 'Check your connection, then try again.'}</p>
      </QueryError>
    );
  }
  if (!issuesQuery.data) return <Loading />;
  return (
    <>
      {issuesQuery.isError ? (
        <Message appearance="warning" actions={[{ label: shell.retry, run: retry }]}>
          We couldn’t refresh the issues. You see their last figures.
        </Message>
      ) : null}
      <GadgetView group={config.group} {...issuesQuery.data} />
    </>
  );
}

const groups: Record<GadgetGroup, string> = {
  issue: 'Progress by issue',
  person: 'Progress by person',
  overdue: 'Overdue items',
};

interface FormProps {
  config: GadgetConfig;
  busy: boolean;
  error: string | undefined;
  onSave(config: GadgetConfig): void;
  /** Missing for a new gadget. */
  onCancel: (() => void) | undefined;
}

/** The configuration of a gadget. */
function GadgetForm({ config, busy, error, onSave, onCancel }: FormProps) {
  const [values, setValues] = useState(config);
  const change = (next: Partial<GadgetConfig>) => setValues({ ...values, ...next });
  const project = useRef<HTMLInputElement>(null);
  return (
    <form
      className="form"
      aria-label="Gadget"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!busy) onSave(values);
      }}
    >
      <ProjectField
        ref={project}
        label="Project"
        chosen={values.project?.name ?? ''}
        hint={values.project ? undefined : 'Without a project, the gadget shows all projects.'}
        onChoose={({ id, name }) => change({ project: { id, name } })}
      />
      {values.project ? (
        <Button
          onClick={() => {
            // The button disappears.
            project.current?.focus();
            change({ project: null });
          }}
        >
          Show all projects
        </Button>
      ) : null}
      <TextInput
        label="Filter"
        value={values.jql}
        maxLength={2000}
        hint="Shows only issues that match this JQL, for example: status != Done. Leave out ORDER BY."
        onChange={jql => change({ jql })}
      />
      <Select
        label="Show"
        value={values.group}
        options={gadgetGroups.map(value => ({ value, words: groups[value] }))}
        onChange={group => change({ group })}
      />
      <p className="form-error" role="alert">
        {error}
      </p>
      <FormButtons save="Save gadget" busy={busy} onCancel={onCancel} />
    </form>
  );
}
