import { useQuery } from '@tanstack/react-query';
import { getTemplates } from '../../client/admin/templates.ts';
import { useGraphql } from '../app/hooks.ts';
import type { Rooms } from './scope.ts';

/** How many templates there are, and may be, where somebody may look from. A failure leaves it open: the server counts itself. */
export function useRooms(projectId: string | undefined): Rooms | undefined {
  const graphql = useGraphql();
  const { data } = useQuery({
    queryKey: ['templates', 'rooms', projectId],
    queryFn: async ({ signal }): Promise<Rooms> => {
      const { templates } = await graphql.query(getTemplates, { projectId: projectId ?? null, first: 1 }, signal);
      return { global: templates.globalRoom, project: templates.projectRoom };
    },
    meta: { silent: true },
  });
  return data;
}
