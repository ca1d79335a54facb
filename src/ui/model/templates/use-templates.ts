import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getTemplateUsage } from '../../../client/admin/template-views.ts';
import * as operations from '../../../client/admin/templates.ts';
import { managing, successes } from '../../../domain/messages.ts';
import { useGraphql } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';
import type { Rooms } from './templates.ts';

export type Sort = 'NAME' | 'UPDATED' | 'ITEMS';

/** Filter and order of the templates. */
export interface TemplateView {
  search: string;
  scope: 'ALL' | 'GLOBAL' | 'PROJECT';
  sort: Sort;
}

const TEMPLATES_PER_PAGE = 50;

/** The templates available to a project, or without a project the templates of the site; page by page. */
export function useTemplates(projectId: string | undefined, { search, scope, sort }: TemplateView) {
  const graphql = useGraphql();
  const query = useInfiniteQuery({
    queryKey: ['templates', 'list', projectId ?? null, scope, sort, search],
    initialPageParam: 0,
    queryFn: async ({ pageParam: skip, signal }) => {
      // Newest or largest first; names ascending.
      const order = { sort, descending: sort !== 'NAME' };
      const variables = { projectId: projectId ?? null, search, scope, ...order, first: TEMPLATES_PER_PAGE, skip };
      return (await graphql.query(operations.getTemplates, variables, signal)).templates;
    },
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { templates }) => sum + templates.length, 0);
      return last.templates.length > 0 && shown < last.total ? shown : undefined;
    },
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
  useLiveQuery('templates', ['templates']);
  const { data } = query;
  const first = data?.pages[0];
  return {
    ...query,
    templates: data?.pages.flatMap(({ templates }) => templates),
    total: first?.total ?? 0,
    rooms: first && { global: first.globalRoom, project: first.projectRoom },
  };
}

/** The deleted templates that can be restored, once they are wanted. */
export function useDeletedTemplates(projectId: string | undefined, isWanted: boolean) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['templates', 'deleted', projectId ?? null],
    queryFn: async ({ signal }) =>
      (await graphql.query(operations.getDeletedTemplates, { projectId: projectId ?? null }, signal)).deletedTemplates,
    enabled: isWanted,
    meta: { silent: true },
  });
}

export interface TemplateName {
  id: string;
  name: string;
}

/** The server's maximum. */
const NAMES_PER_PAGE = 100;

/** The names of all templates available to a project, or of the site without one; `GLOBAL` for the site's only. */
export function useTemplateNames(projectId: string | undefined, scope: 'ALL' | 'GLOBAL') {
  const graphql = useGraphql();
  const queryKey = ['templates', 'names', projectId ?? null, scope];
  useLiveQuery('templates', queryKey);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const names = new Map<string, TemplateName>();
      for (let skip = 0, total = 1; skip < total; skip += NAMES_PER_PAGE) {
        const variables = { projectId: projectId ?? null, scope, first: NAMES_PER_PAGE, skip };
        const { templates } = await graphql.query(operations.getTemplateNames, variables, signal);
        // A concurrent change may repeat a template on the next page.
        for (const template of templates.templates) names.set(template.id, template);
        total = templates.total;
      }
      return [...names.values()];
    },
    meta: { silent: true },
  });
}

/** Counts and limits of templates. `undefined` on failure: the server checks the limit. */
export function useRooms(projectId: string | undefined): Rooms | undefined {
  const graphql = useGraphql();
  const { data } = useQuery({
    queryKey: ['templates', 'rooms', projectId ?? null],
    queryFn: async ({ signal }): Promise<Rooms> => {
      const variables = { projectId: projectId ?? null, first: 1 };
      const { templates } = await graphql.query(operations.getTemplates, variables, signal);
      return { global: templates.globalRoom, project: templates.projectRoom };
    },
    meta: { silent: true },
  });
  return data;
}

interface Values {
  name?: string;
  text?: string;
  /** The text that the edit started from, for the merge with concurrent changes. */
  baseText?: string;
  projectId?: string | null;
}

/** Mutations of templates. Each invalidates the lists and reports its outcome. */
export function useTemplateChanges() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const onSuccess = () => void client.invalidateQueries({ queryKey: ['templates'] });
  const create = useMutation({
    mutationFn: (input: { projectId: string | null; name: string; text: string }) =>
      graphql.mutate(operations.createTemplateFromText, { input }, data => data.createTemplateFromText),
    onSuccess,
    meta: { success: successes.createTemplate, failure: managing.createTemplate },
  });
  const duplicate = useMutation({
    mutationFn: (input: { id: string }) =>
      graphql.mutate(operations.duplicateTemplate, { input }, data => data.duplicateTemplate),
    onSuccess,
    meta: { success: successes.duplicateTemplate, failure: managing.createTemplate },
  });
  const update = useMutation({
    mutationFn: (input: { id: string } & Values) =>
      graphql.mutate(operations.updateTemplate, { input }, data => data.updateTemplate),
    onSuccess,
    meta: { failure: managing.updateTemplate },
  });
  const remove = useMutation({
    mutationFn: (id: string) => graphql.mutate(operations.deleteTemplate, { id }, data => data.deleteTemplate),
    onSuccess,
    meta: { success: successes.deleteTemplate, failure: managing.deleteTemplate },
  });
  const restore = useMutation({
    mutationFn: (id: string) => graphql.mutate(operations.restoreTemplate, { id }, data => data.restoreTemplate),
    onSuccess: () => {
      onSuccess();
      // A rule says whether its template is deleted.
      void client.invalidateQueries({ queryKey: ['assignments'] });
    },
    meta: { failure: managing.updateTemplate },
  });
  /** Reads the usage of a template, for the question before its deletion. */
  const usageOf = async (variables: { id: string; projectId: string | null }) =>
    (await graphql.query(getTemplateUsage, variables)).templateUsage;
  const setDefault = useMutation({
    mutationFn: (variables: { projectId: string | null; templateId: string | null }) =>
      graphql.mutate(operations.setDefaultTemplate, variables, data => data.setDefaultTemplate),
    onSuccess,
    meta: { failure: managing.updateTemplate },
  });
  const importFile = useMutation({
    mutationFn: async ({ projectId, file }: { projectId: string | null; file: File }) => {
      const input = { projectId, file: await file.text() };
      return graphql.mutate(operations.importTemplates, { input }, data => data.importTemplates);
    },
    onSuccess,
    meta: { failure: managing.createTemplate },
  });
  /** The text of an export file; of all templates of a scope if `ids` is `null`. */
  const exportFile = useMutation({
    mutationFn: async (variables: { projectId: string | null; ids: string[] | null }) =>
      (await graphql.query(operations.exportTemplates, variables)).exportTemplates,
    meta: { failure: managing.getTemplates },
  });
  return { create, duplicate, update, remove, restore, usageOf, setDefault, importFile, exportFile };
}
