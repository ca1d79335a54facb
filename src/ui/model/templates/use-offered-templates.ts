import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getTemplates } from '../../../client/admin/templates.ts';
import { readTemplates } from '../../../client/tracker/templates.ts';
import { type Starter, starters } from '../../../domain/templates/starters.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import { useBridge, useGraphql, useSession } from '../../shell/services/services.ts';

/** A template that can be imported. */
export interface Offered {
  id: string;
  name: string;
  global: boolean;
  items: number;
  /** The default template, listed first. */
  first: boolean;
  /** `undefined` if only its name is loaded. */
  text: string | undefined;
}

/** The server's maximum page size. */
const MAX_PAGE_SIZE = 100;

const defaultFirst = (a: Offered, b: Offered) => Number(b.first) - Number(a.first);

/** The starter templates by part of their names or purpose; none if an administrator hides them. */
export function useStarters(search: string): (Offered & Pick<Starter, 'about'>)[] {
  const isHidden = useSession().payload?.settings.starters_hidden === true;
  const words = search.trim().toLowerCase();
  return useMemo(
    () =>
      (isHidden ? [] : starters)
        .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(words))
        .map(({ id, name, about, text }) => ({
          ...{ id, name, about, text, global: true, first: false },
          items: progressOf(readChecklist(text).rows).total,
        })),
    [isHidden, words],
  );
}

/** The project's templates as mirrored in the tracker, at no cost for the server. */
export function useMirroredTemplates(projectId: string | undefined) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['templates', 'mirror', projectId],
    queryFn: async () => (projectId === undefined ? null : ((await readTemplates(bridge, projectId)) ?? null)),
    // The server's answer replaces it in any case.
    retry: false,
    meta: { silent: true },
  });
}

/** The project's templates by part of their names: first the templates mirrored in the tracker, then the server's. */
export function useOfferedTemplates(projectId: string | undefined, search: string) {
  const graphql = useGraphql();
  const mirror = useMirroredTemplates(projectId);
  const server = useQuery({
    queryKey: ['templates', 'offered', projectId ?? null, search],
    queryFn: async ({ signal }) => {
      const variables = { projectId: projectId ?? null, search, first: MAX_PAGE_SIZE };
      return (await graphql.query(getTemplates, variables, signal)).templates;
    },
    meta: { silent: true },
  });
  const offered = useMemo((): Offered[] | undefined => {
    if (server.data) {
      return server.data.templates
        .map(({ id, name, projectId, itemCount: items, isDefault: first, text }) => ({
          ...{ id, name, items, first, text, global: projectId === null },
        }))
        .sort(defaultFirst);
    }
    const words = search.trim().toLowerCase();
    return mirror.data?.templates
      .filter(({ name }) => name.toLowerCase().includes(words))
      .map(template => ({
        ...template,
        first: template.id === mirror.data?.first,
        text: mirror.data?.texts[template.id],
      }))
      .sort(defaultFirst);
  }, [server.data, mirror.data, search]);
  const pending = server.isPending && !server.isError;
  return {
    offered,
    /** Whether more were found than are listed. */
    more: server.data ? server.data.total > server.data.templates.length : (mirror.data?.more ?? false),
    loading: offered === undefined && (pending || mirror.isPending),
    failed: server.isError,
    error: server.error,
    retrying: server.isFetching,
    retry: () => void server.refetch(),
  };
}
