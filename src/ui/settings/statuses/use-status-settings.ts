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
} from '../../../client/admin/statuses.ts';
import { managing, successes } from '../../../domain/messages.ts';
import type { StatusColor } from '../../../domain/statuses.ts';
import { useGraphql } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

/** What somebody decides about a status. */
export interface StatusInput {
  name: string;
  color: StatusColor;
  checked: boolean;
}

const keyOf = (projectId: string | undefined) => ['statuses', projectId ?? null];

/** The statuses that a project, or the site, sees, and what can be done to its own. */
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
  const seen = query.data;
  const take = ({ statuses }: { statuses: ManagedStatus[] | null }) => {
    if (statuses) client.setQueryData(queryKey, statuses);
  };
  const again = () => void client.invalidateQueries({ queryKey });
  const begun = ({ statuses, job }: { statuses: ManagedStatus[] | null; job: unknown }) => {
    take({ statuses });
    if (job) void client.invalidateQueries({ queryKey: ['status job'] });
  };
  const own = (status: ManagedStatus) => status.projectId === (projectId ?? null);

  const create = useMutation({
    mutationFn: (values: StatusInput) =>
      graphql.mutate(createStatus, { input: { ...values, projectId: projectId ?? null } }, data => data.createStatus),
    onSuccess: take,
    meta: { success: successes.createStatus, failure: managing.createStatus },
  });
  const update = useMutation({
    mutationFn: (input: { slug: string } & Partial<StatusInput>) =>
      graphql.mutate(updateStatus, { input }, data => data.updateStatus),
    onSuccess: begun,
    onError: again,
    meta: { success: successes.updateStatus, failure: managing.updateStatus },
  });
  const remove = useMutation({
    mutationFn: (input: { slug: string; moveTo: string }) =>
      graphql.mutate(deleteStatus, { input }, data => data.deleteStatus),
    onSuccess: begun,
    onError: again,
    meta: { success: successes.deleteStatus, failure: managing.deleteStatus },
  });
  const reorder = useMutation({
    mutationFn: ({ slugs, seen }: { slugs: string[]; seen: string[] }) =>
      graphql.mutate(
        reorderStatuses,
        { input: { projectId: projectId ?? null, slugs, seen } },
        data => data.reorderStatuses,
      ),
    // One after the other, each on what the one before has made.
    scope: { id: `reorder statuses ${projectId ?? ''}` },
    onSuccess: take,
    onError: again,
    meta: { success: successes.orderStatuses, failure: managing.orderStatuses },
  });
  /** Puts one of its own elsewhere among them; it shows at once. */
  const move = (from: number, to: number) => {
    const statuses = seen ?? [];
    const mine = statuses.filter(own);
    const order = [...mine];
    order.splice(to, 0, ...order.splice(from, 1));
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, [...statuses.filter(status => !own(status)), ...order]);
    const slugs = (list: readonly ManagedStatus[]) => list.map(({ slug }) => slug);
    reorder.mutate({ slugs: slugs(order), seen: slugs(mine) });
  };
  return { ...query, statuses: seen, own, create, update, remove, move };
}

/** Milliseconds between two looks at a job that is under way, where it is not told how far it is. */
const LOOK = 5_000;

/** The job that brings checklists after the statuses, if one is under way there: how far it is. */
export function useStatusJob(projectId: string | undefined) {
  const graphql = useGraphql();
  const queryKey = ['status job', projectId ?? null];
  const told = useLiveQuery('job', queryKey);
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { jobs } = await graphql.query(getStatusJobs, { scope: { projectId: projectId ?? null } }, signal);
      return jobs.find(({ kind, ended }) => kind === 'STATUSES' && ended === null) ?? null;
    },
    refetchInterval: ({ state }) => (state.data && !told ? LOOK : false),
    meta: { silent: true },
  });
  return data ?? undefined;
}

/** How much bears a status. */
export function useStatusUse(slug: string) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['status use', slug],
    queryFn: async ({ signal }) => (await graphql.query(getStatusUse, { slug }, signal)).statusUse,
    gcTime: 0,
    meta: { silent: true },
  });
}
