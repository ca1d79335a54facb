import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { GadgetFrame } from '../../bridge/bridge.ts';
import { TrackerError } from '../../client/errors.ts';
import { createRegistries } from '../../client/statuses.ts';
import { readIssueProgress } from '../../client/tracker/issue-progress.ts';
import { ErrorView, Loading, QueryResult } from '../kit/content-state.tsx';
import { Message } from '../kit/message.tsx';
import { useBridge, useGraphql } from '../shell/services/services.ts';
import { type GadgetConfig, gadgetQuery, newGadget, readGadget } from './gadget-config.ts';
import { GadgetForm } from './gadget-form.tsx';
import { GadgetView } from './gadget-view.tsx';
import './gadget.css';

/** A dashboard's gadget. It reads as the user, so that it costs none of the app's quota. */
export default function GadgetScreen() {
  const bridge = useBridge();
  const frame = useQuery({
    queryKey: ['gadget'],
    queryFn: async (): Promise<GadgetFrame> => {
      if (!bridge.modules) throw new Error('There are no gadgets here.');
      return (await bridge.modules()).gadget();
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
  return (
    <main className="gadget">
      <QueryResult of={frame}>{found => <Gadget frame={found} />}</QueryResult>
    </main>
  );
}

function Gadget({ frame }: { frame: GadgetFrame }) {
  const saved = readGadget(frame.config);
  const [config, setConfig] = useState(saved);
  const [isEdit, setEdit] = useState(frame.isEdit || saved === undefined);
  useEffect(() => frame.on('edit', () => setEdit(true)), [frame]);
  const save = useMutation({
    mutationFn: (values: GadgetConfig) => frame.save(values),
    onSuccess: (_, values) => {
      setConfig(values);
      setEdit(false);
    },
    meta: { silent: true },
  });
  if (config && !isEdit) return <Progress frame={frame} config={config} />;
  return (
    <>
      {frame.config !== undefined && saved === undefined ? (
        <Message appearance="warning">The configuration of this gadget cannot be read. Save it again.</Message>
      ) : null}
      <GadgetForm
        config={config ?? newGadget}
        busy={save.isPending}
        error={save.isError ? "We couldn't save the gadget. Try again." : undefined}
        onSave={values => save.mutate(values)}
        onCancel={config ? () => setEdit(false) : undefined}
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

function Progress({ frame, config }: { frame: GadgetFrame; config: GadgetConfig }) {
  const bridge = useBridge();
  const graphql = useGraphql();
  const jql = gadgetQuery(config);
  const found = useQuery({
    queryKey: ['gadget', jql],
    queryFn: ({ signal }) => readIssueProgress(bridge, jql, createRegistries(bridge, graphql), signal),
    // The host refreshes gadgets.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
  const { refetch } = found;
  useEffect(() => frame.on('refresh', () => void refetch()), [frame, refetch]);
  if (found.isError && !found.data) {
    return (
      <ErrorView title="We couldn't load the issues." onRetry={() => void refetch()} retrying={found.isFetching}>
        <p>{reasonOf(found.error) ?? 'Check your connection, then try again.'}</p>
      </ErrorView>
    );
  }
  if (!found.data) return <Loading />;
  return <GadgetView group={config.group} {...found.data} />;
}
