import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import * as views from '../../../../client/admin/template-views.ts';
import { getChecklist } from '../../../../client/checklist-operations.ts';
import type { GraphqlClient } from '../../../../client/graphql.ts';
import { getSummary } from '../../../../client/tracker/find-issues.ts';
import { storage } from '../../../../domain/messages.ts';
import { useBridge, useGraphql } from '../../../shell/services/services.ts';

/** Merges pages of templates into folders, in the order of the pages. */
function mergePages(pages: readonly { folders: readonly views.TemplateFolder[] }[]): views.TemplateFolder[] {
  const folders = new Map<string | null, views.TemplateFolder>();
  for (const folder of pages.flatMap(page => page.folders)) {
    const before = folders.get(folder.projectId)?.templates ?? [];
    folders.set(folder.projectId, { ...folder, templates: [...before, ...folder.templates] });
  }
  return [...folders.values()];
}

/** All templates that the user has permission to use; always contains the current project's folder. */
export function useTree(projectId: string | undefined) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['templates', 'tree', projectId ?? null],
    queryFn: async ({ signal }) => {
      const pages: { folders: views.TemplateFolder[] }[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const variables = { projectId: projectId ?? null, after: after ?? null };
        const { templateTree } = await graphql.query(views.getTemplateTree, variables, signal);
        pages.push(templateTree);
        after = templateTree.next;
      }
      return { folders: mergePages(pages) };
    },
    meta: { silent: true },
  });
}

/** A template with its text. `projectId` is the project in which a site template is to be used. */
export function useTemplate(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['templates', 'one', id, projectId ?? null],
    queryFn: async ({ signal }) =>
      (await graphql.query(views.getTemplate, { id, projectId: projectId ?? null }, signal)).template,
    // The project may change while the template is open: its editor stays.
    placeholderData: before => (before?.id === id ? before : undefined),
    meta: { silent: true },
  });
}

/** The versions of a template, newest first, in pages. */
export function useVersions(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  return useInfiniteQuery({
    queryKey: ['templates', 'versions', id, projectId ?? null],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam: before, signal }) => {
      const variables = { id, projectId: projectId ?? null, before };
      return (await graphql.query(views.getTemplateVersions, variables, signal)).templateVersions;
    },
    getNextPageParam: page => page.next,
    meta: { silent: true },
  });
}

/** The name and text of a template's version; empty before the first. Versions never change. */
const versionQuery = (graphql: GraphqlClient, id: string, projectId: string | undefined, version: number) =>
  queryOptions({
    queryKey: ['template version', id, version],
    queryFn: async ({ signal }) => {
      if (version === 0) return { name: '', text: '' };
      const variables = { id, projectId: projectId ?? null, version };
      return (await graphql.query(views.getTemplateVersion, variables, signal)).templateVersion;
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });

export const useVersion = (id: string, projectId: string | undefined, version: number) =>
  useQuery(versionQuery(useGraphql(), id, projectId, version));

/** Loads a version on demand. */
export function useFetchVersion(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  const client = useQueryClient();
  return (version: number) => client.fetchQuery(versionQuery(graphql, id, projectId, version));
}

/** Reads the usage of a template. */
export function useUsage(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['templates', 'usage', id, projectId ?? null],
    queryFn: async ({ signal }) =>
      (await graphql.query(views.getTemplateUsage, { id, projectId: projectId ?? null }, signal)).templateUsage,
    meta: { silent: true },
  });
}

/** An issue and its stored checklist, with the user's permissions. */
export function useIssue(key: string) {
  const bridge = useBridge();
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['issue preview', key],
    queryFn: async ({ signal }) => {
      const summary = await getSummary(bridge, key);
      if (!summary) throw new Error(storage.issueNotFound);
      const { checklist } = await graphql.query(getChecklist, { issueId: summary.id }, signal);
      return { summary, text: checklist.text };
    },
    enabled: key !== '',
    retry: false,
    meta: { silent: true },
  });
}
