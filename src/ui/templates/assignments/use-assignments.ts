import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as operations from '../../../client/admin/assignments.ts';
import { searchProjects } from '../../../client/tracker/projects.ts';
import { readFields, readWorkflow, readWorkflows } from '../../../client/tracker/workflow.ts';
import { failures, managing } from '../../../domain/messages.ts';
import { useOptimisticValues } from '../../kit/form/form.tsx';
import { useBridge, useGraphql } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

type Assignment = operations.Assignment;
export type RuleInput = Omit<Assignment, 'id' | 'templateName' | 'enabled'>;

/** The rules that concern a project, or without one all of the site, and what can be done to them. */
export function useAssignments(projectId: string | undefined) {
  const graphql = useGraphql();
  const client = useQueryClient();
  const queryKey = ['assignments', projectId ?? null];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await graphql.query(operations.getAssignments, { projectId: projectId ?? null }, signal)).templateAssignments,
    meta: { silent: true },
  });
  useLiveQuery('templates', ['assignments']);
  const again = () => client.invalidateQueries({ queryKey: ['assignments'] });
  const create = useMutation({
    mutationFn: (input: RuleInput) =>
      graphql.mutate(operations.createTemplateAssignment, { input }, data => data.createTemplateAssignment),
    onSuccess: again,
    meta: { failure: failures.unknown },
  });
  const { chosen, choose, answered } = useOptimisticValues<Record<string, boolean>>();
  const update = useMutation({
    mutationFn: (input: { id: string } & Partial<RuleInput> & { enabled?: boolean }) =>
      graphql.mutate(operations.updateTemplateAssignment, { input }, data => data.updateTemplateAssignment),
    onSettled: async (_answer, _error, { id, enabled }) => {
      await again();
      if (enabled !== undefined) answered({ [id]: enabled });
    },
    meta: { failure: failures.unknown },
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      graphql.mutate(operations.deleteTemplateAssignment, { id }, data => data.deleteTemplateAssignment),
    onSettled: again,
    meta: { failure: failures.unknown },
  });
  const place = useMutation({
    mutationFn: (input: { id: string; before: string | null }) =>
      graphql.mutate(operations.moveTemplateAssignment, { input }, data => data.moveTemplateAssignment),
    // One after the other, each on what the one before has made.
    scope: { id: 'move assignments' },
    onSettled: again,
    meta: { failure: managing.moveAssignment },
  });
  /** Puts a rule elsewhere; it shows at once. */
  const move = (from: number, to: number) => {
    const order = [...(query.data ?? [])];
    const [rule] = order.splice(from, 1);
    if (!rule) return;
    order.splice(to, 0, rule);
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, order);
    place.mutate({ id: rule.id, before: order[to + 1]?.id ?? null });
  };
  /** Switches a rule on or off; that shows at once, too. */
  const turn = (id: string, enabled: boolean) => {
    choose({ [id]: enabled });
    update.mutate({ id, enabled });
  };
  const data = query.data?.map(rule => {
    const { [rule.id]: enabled = rule.enabled } = chosen;
    return enabled === rule.enabled ? rule : { ...rule, enabled };
  });
  return { ...query, data, create, update, remove, move, turn };
}

/** Most projects that are offered. */
const PROJECTS = 100;

/** What a rule can be about: issue types and statuses, of a project or of the site's projects, and fields. */
export function useWorkflow(projectId: string | undefined) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['workflow', projectId ?? null],
    queryFn: async () => {
      const [workflow, { projects }, fields] = await Promise.all([
        projectId === undefined ? readWorkflows(bridge) : readWorkflow(bridge, projectId),
        projectId === undefined ? searchProjects(bridge, { page: 1, pageSize: PROJECTS }) : { projects: [] },
        readFields(bridge),
      ]);
      return { ...workflow, projects, fields };
    },
    meta: { silent: true },
  });
}

/** Which issues a rule would touch if each came to its moment now. */
export function useRulePreview({ projectIds, issueTypeIds, moment, statusIds }: RuleInput) {
  const graphql = useGraphql();
  const input = { projectIds, issueTypeIds, moment, statusIds };
  return useQuery({
    queryKey: ['assignment preview', input],
    queryFn: async ({ signal }) =>
      (await graphql.query(operations.previewAssignment, { input }, signal)).templateAssignmentPreview,
    meta: { silent: true },
  });
}
