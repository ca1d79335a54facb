import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createStatus,
  deleteStatus,
  getStatuses,
  getStatusJobs,
  getStatusUse,
  type ManagedStatus,
  reorderStatuses,
  updateStatus,
} from '../../../../client/admin/managed-statuses.ts';
import { managing, successes } from '../../../../domain/messages.ts';
import type { StatusColor } from '../../../../domain/statuses.ts';
import { retryInterval } from '../../../shell/services/retry-interval.ts';
import { useGraphql } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';

/** The editable values of a status. */
export interface StatusInput {
  name: string;
  color: StatusColor;
  checked: boolean;
}

const keyOf = (projectId: string | undefined) => ['statuses', projectId ?? null];

/** The statuses of a project, or the site, and their mutations. */
export function useStatusSettings(projectId: string | undefined) {
  const graphql = useGraphql();
  const client = useQueryClient();
  const queryKey = keyOf(projectId);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await graphql.query(getStatuses, { projectId: projectId ?? null }, signal)).statuses,
    meta: { silent: true },
  });
  useLiveQuery('statuses', queryKey);
  const loadedStatuses = query.data;
  const setStatuses = ({ statuses }: { statuses: ManagedStatus[] | null }) => {
    if (statuses) client.setQueryData(queryKey, statuses);
  };
  const refetch = () => void client.invalidateQueries({ queryKey });
  const onJobStarted = ({ statuses, job }: { statuses: ManagedStatus[] | null; job: unknown }) => {
    setStatuses({ statuses });
    if (job) void client.invalidateQueries({ queryKey: ['status job'] });
  };
  const isOwn = (status: ManagedStatus) => status.projectId === (projectId ?? null);

  const create = useMutation({
    mutationFn: (values: StatusInput) =>
      graphql.mutate(createStatus, { input: { ...values, projectId: projectId ?? null } }, data => data.createStatus),
    onSuccess: setStatuses,
    meta: { success: successes.createStatus, failure: managing.createStatus },
  });
  const update = useMutation({
    mutationFn: (input: { slug: string } & Partial<StatusInput>) =>
      graphql.mutate(updateStatus, { input }, data => data.updateStatus),
    onSuccess: onJobStarted,
    onError: refetch,
    meta: { success: successes.updateStatus, failure: managing.updateStatus },
  });
  const remove = useMutation({
    mutationFn: (input: { slug: string; moveTo: string }) =>
      graphql.mutate(deleteStatus, { input }, data => data.deleteStatus),
    onSuccess: onJobStarted,
    onError: refetch,
    meta: { success: successes.deleteStatus, failure: managing.deleteStatus },
  });
  const reorder = useMutation({
    mutationFn: ({ slugs, seen }: { slugs: string[]; seen: string[] }) =>
      graphql.mutate(
        reorderStatuses,
        { input: { projectId: projectId ?? null, slugs, seen } },
        data => data.reorderStatuses,
      ),
    // Sequential: each reorder is based on the reorder before.
    scope: { id: `reorder statuses ${projectId ?? ''}` },
    onSuccess: setStatuses,
    onError: refetch,
    meta: { success: successes.orderStatuses, failure: managing.orderStatuses },
  });
  /** Moves a status in the list; optimistic. */
  const move = (from: number, to: number) => {
    const statuses = loadedStatuses ?? [];
    const mine = statuses.filter(isOwn);
    const order = [...mine];
    order.splice(to, 0, ...order.splice(from, 1));
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, [...statuses.filter(status => !isOwn(status)), ...order]);
    const slugs = (list: readonly ManagedStatus[]) => list.map(({ slug }) => slug);
    reorder.mutate({ slugs: slugs(order), seen: slugs(mine) });
  };
  return { ...query, statuses: loadedStatuses, own: isOwn, create, update, remove, move, moveError: reorder.error };
}

/** A running job is polled only without live events. */
const POLL_INTERVAL_MS = 5_000;

/** The progress of the job that updates checklists after a status change, if one is running. */
export function useStatusJob(projectId: string | undefined) {
  const graphql = useGraphql();
  const queryKey = ['status job', projectId ?? null];
  const isLive = useLiveQuery('job', queryKey);
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { jobs } = await graphql.query(getStatusJobs, { scope: { projectId: projectId ?? null } }, signal);
      return jobs.find(({ kind, ended }) => kind === 'STATUSES' && ended === null) ?? null;
    },
    refetchInterval: query => (query.state.data && !isLive ? POLL_INTERVAL_MS : retryInterval(query)),
    meta: { silent: true },
  });
  return data ?? undefined;
}

/** How many items and templates use a status. */
export function useStatusUse(slug: string) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['status use', slug],
    queryFn: async ({ signal }) => (await graphql.query(getStatusUse, { slug }, signal)).statusUse,
    gcTime: 0,
    meta: { silent: true },
  });
}
