import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as operations from '../../../../client/admin/assignments.ts';
import type { Named, NamedField, Workflow } from '../../../../client/tracker/workflow.ts';
import { readFields, readWorkflow, readWorkflows } from '../../../../client/tracker/workflow.ts';
import { failures, managing } from '../../../../domain/messages.ts';
import { useOptimisticValues } from '../../../kit/form/form.tsx';
import { useProjectNames } from '../../../model/projects.tsx';
import { useBridge, useGraphql } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';

/** The issue types, statuses and fields that a rule can refer to. */
export interface RuleWorkflow extends Workflow {
  fields: readonly NamedField[];
}

/** The names of the tracker's objects that rules refer to. */
export interface Known {
  /** Undefined while the tracker has not answered. */
  workflow: RuleWorkflow | undefined;
  /** Projects of rules; none in the settings of a project. */
  projects: readonly Named[];
}

export const moments: Record<Assignment['moment'], string> = {
  CREATED: 'is created',
  MOVED: 'moves to a status',
  FIELD_CHANGED: 'has a field changed',
};

/** Unique names: several projects may have a type of the same name. Unknown ids become `other`, unread ones an ellipsis. */
const namesOf = (ids: readonly string[], known: readonly Named[] | undefined, other: string): string =>
  [...new Set(ids.map(id => (known ? (known.find(each => each.id === id)?.name ?? other) : '…')))].join(' or ');

const articled = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** The projects of a rule, as far as known. Empty for a single project, which is the current one. */
function ofProjects(ids: readonly string[], known: readonly Named[]): string {
  if (ids.every(id => known.some(each => each.id === id))) return ` of ${namesOf(ids, known, 'another project')}`;
  return ids.length > 1 ? ' of several projects' : '';
}

/** A rule as a sentence, without its template. */
export function ruleWords({ projectIds, issueTypeIds, moment, statusIds, fieldId }: Assignment, known: Known): string {
  const { workflow, projects } = known;
  const what =
    issueTypeIds.length === 0 ? 'an issue' : articled(namesOf(issueTypeIds, workflow?.types, 'issue of another type'));
  const where = projectIds.length === 0 ? ' of any project' : ofProjects(projectIds, projects);
  const when =
    moment === 'MOVED'
      ? `moves to ${namesOf(statusIds, workflow?.statuses, 'another status')}`
      : moment === 'FIELD_CHANGED'
        ? `has ${fieldId === null ? 'a deleted field' : namesOf([fieldId], workflow?.fields, 'a deleted field')} changed`
        : 'is created';
  return `when ${what}${where} ${when}`;
}

type Assignment = operations.Assignment;
export type RuleInput = Omit<Assignment, 'id' | 'templateName' | 'enabled'>;

/** The rules of a project, or of the whole site, and their mutations. */
export function useRules(projectId: string | undefined) {
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
  const refetch = () => client.invalidateQueries({ queryKey: ['assignments'] });
  const create = useMutation({
    mutationFn: (input: RuleInput) =>
      graphql.mutate(operations.createTemplateAssignment, { input }, data => data.createTemplateAssignment),
    onSuccess: refetch,
    meta: { failure: failures.unknown },
  });
  const { chosen, errors, choose, answered } = useOptimisticValues<Record<string, boolean>>();
  const update = useMutation({
    mutationFn: (input: { id: string } & Partial<RuleInput> & { enabled?: boolean }) =>
      graphql.mutate(operations.updateTemplateAssignment, { input }, data => data.updateTemplateAssignment),
    onSettled: async (_answer, error, { id, enabled }) => {
      await refetch();
      if (enabled !== undefined) answered({ [id]: enabled }, error);
    },
    meta: { failure: failures.unknown },
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      graphql.mutate(operations.deleteTemplateAssignment, { id }, data => data.deleteTemplateAssignment),
    onSettled: refetch,
    meta: { failure: failures.unknown },
  });
  const moveRule = useMutation({
    mutationFn: (input: { id: string; before: string | null }) =>
      graphql.mutate(operations.moveTemplateAssignment, { input }, data => data.moveTemplateAssignment),
    // Sequential: each move is based on the move before.
    scope: { id: 'move assignments' },
    onSettled: refetch,
    meta: { failure: managing.moveAssignment },
  });
  /** Moves a rule in the list; optimistic. */
  const move = (from: number, to: number) => {
    const order = [...(query.data ?? [])];
    const [rule] = order.splice(from, 1);
    if (!rule) return;
    order.splice(to, 0, rule);
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, order);
    moveRule.mutate({ id: rule.id, before: order[to + 1]?.id ?? null });
  };
  /** Enables or disables a rule; optimistic. */
  const setEnabled = (id: string, enabled: boolean) => {
    choose({ [id]: enabled });
    update.mutate({ id, enabled });
  };
  const data = query.data?.map(rule => {
    const { [rule.id]: enabled = rule.enabled } = chosen;
    return enabled === rule.enabled ? rule : { ...rule, enabled };
  });
  return { ...query, data, create, update, remove, move, moveError: moveRule.error, setEnabled, errors };
}

/** The issue types and statuses of a project or of all the site's, and the fields. */
export function useWorkflow(projectId: string | undefined) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['workflow', projectId ?? null],
    queryFn: async (): Promise<RuleWorkflow> => {
      const workflow = projectId === undefined ? readWorkflows(bridge) : readWorkflow(bridge, projectId);
      const [found, fields] = await Promise.all([workflow, readFields(bridge)]);
      return { ...found, fields };
    },
    meta: { silent: true },
  });
}

/** Loads the names of the tracker's objects that these rules refer to. */
export function useRuleNames(projectId: string | undefined, rules: readonly Pick<Assignment, 'projectIds'>[]): Known {
  const { data: workflow } = useWorkflow(projectId);
  const ids = projectId === undefined ? [...new Set(rules.flatMap(({ projectIds }) => projectIds))].sort() : [];
  const { data: names } = useProjectNames(ids);
  const projects = [...(names ?? [])].map(([id, name]) => ({ id, name }));
  return { workflow, projects };
}

/** Whether the status or the field of the rule's trigger is chosen. */
export const hasTrigger = ({ moment, statusIds, fieldId }: RuleInput): boolean =>
  moment === 'CREATED' || (moment === 'MOVED' ? statusIds.length > 0 : fieldId !== null);

/** The issues that a rule would match now. */
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
