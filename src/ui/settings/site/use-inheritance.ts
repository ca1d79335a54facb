import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getInheritance, type Inheritance, type InheritJob, inheritChecklists } from '../../../client/admin/inherit.ts';
import { failures } from '../../../domain/messages.ts';
import { useGraphql } from '../../shell/hooks.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

const KEY = ['inheritance'];
/** Milliseconds between two looks at a job under way, where nobody tells how it goes. */
const POLL = 3_000;

export const isUnderWay = ({ state }: InheritJob): boolean => state === 'QUEUED' || state === 'RUNNING';

/** How far the site has come with taking over the checklists of the edition before this one, and the start of that. */
export function useInheritance() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await graphql.query(getInheritance, {}, signal)).inheritance,
    refetchInterval: ({ state }) => (state.data?.job && isUnderWay(state.data.job) ? POLL : false),
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
