import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import * as views from '../../../client/admin/template-views.ts';
import { getChecklist } from '../../../client/checklist-operations.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { getSummary } from '../../../client/tracker/find-issues.ts';
import { getProject, type Project, searchProjects } from '../../../client/tracker/projects.ts';
import { storage } from '../../../domain/messages.ts';
import { useBridge, useGraphql } from '../../shell/services/services.ts';

/** Folders with what pages of templates have for each, in the order of the pages. */
function filed(pages: readonly { folders: readonly views.TemplateFolder[] }[]): views.TemplateFolder[] {
  const folders = new Map<string | null, views.TemplateFolder>();
  for (const folder of pages.flatMap(page => page.folders)) {
    const before = folders.get(folder.projectId)?.templates ?? [];
    folders.set(folder.projectId, { ...folder, templates: [...before, ...folder.templates] });
  }
  return [...folders.values()];
}

/** All templates that somebody may use anywhere; the project that one looks from is among the folders in any case. */
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
      return { folders: filed(pages) };
    },
    meta: { silent: true },
  });
}

/** So few projects are asked for one by one; of more, pages of all are read. */
const FEW = 8;
const PAGE = 50;
const PAGES = 40;

/** What projects are called, by id; of those that are gone or not to be seen, nothing. */
export function useProjectNames(ids: readonly string[]) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['project names', ids],
    queryFn: async (): Promise<ReadonlyMap<string, string>> => {
      const names = (projects: readonly Project[]) => new Map(projects.map(({ id, name }) => [id, name]));
      if (ids.length <= FEW) {
        const found = await Promise.all(ids.map(id => getProject(bridge, id, []).catch(() => undefined)));
        return names(found.filter(project => project !== undefined));
      }
      const known: Project[] = [];
      for (let page = 1, total = 1; (page - 1) * PAGE < total && page <= PAGES; page += 1) {
        const found = await searchProjects(bridge, { page, pageSize: PAGE });
        known.push(...found.projects);
        total = found.total;
      }
      return names(known);
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
}

/** One template with its text. `projectId` is where one of the whole site is to be used. */
export function useTemplate(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['templates', 'one', id, projectId ?? null],
    queryFn: async ({ signal }) =>
      (await graphql.query(views.getTemplate, { id, projectId: projectId ?? null }, signal)).template,
    // Where it is used may change while it is open, which is no reason to take it from who writes it.
    placeholderData: before => (before?.id === id ? before : undefined),
    meta: { silent: true },
  });
}

/** What a template said, newest first, page by page. */
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

/** What a template said in a version; before the first it said nothing. It never changes. */
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

/** The same, when it is asked for. */
export function useFetchVersion(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  const client = useQueryClient();
  return (version: number) => client.fetchQuery(versionQuery(graphql, id, projectId, version));
}

/** Where a template is at work. */
export function useUsage(id: string, projectId: string | undefined) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['templates', 'usage', id, projectId ?? null],
    queryFn: async ({ signal }) =>
      (await graphql.query(views.getTemplateUsage, { id, projectId: projectId ?? null }, signal)).templateUsage,
    meta: { silent: true },
  });
}

/** An issue and its checklist, as whoever looks may see them; the latter without what is not saved yet. */
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
