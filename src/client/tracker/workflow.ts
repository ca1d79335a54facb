import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { isOwnField } from '../../domain/automation/own-fields.ts';
import { readAs } from '../../domain/shape.ts';
import { call } from './call.ts';
import { getIssue } from './issues.ts';

const named = v.object({ id: v.string(), name: v.string() });
/** A named object of the tracker, such as an issue type or a status. */
export type Named = v.InferOutput<typeof named>;

/** An issue type or a status; some belong to one project. */
export interface OfWorkflow extends Named {
  projectId?: string;
}
export interface Workflow {
  types: OfWorkflow[];
  statuses: OfWorkflow[];
}

const typesShape = v.array(v.object({ ...named.entries, statuses: v.array(named) }));
const scope = v.object({ project: v.optional(v.object({ id: v.string() })) });
const scopedShape = v.array(v.object({ ...named.entries, scope: v.optional(scope) }));
const fieldsShape = v.array(v.object({ ...named.entries, key: v.optional(v.string(), '') }));

/** A project's issue types and statuses, each once, in the tracker's order. */
export async function readWorkflow(bridge: HostBridge, project: string): Promise<Workflow> {
  const path = `/rest/api/3/project/${encodeURIComponent(project)}/statuses`;
  const types = v.parse(typesShape, await call(bridge, path));
  const statuses = new Map(types.flatMap(type => type.statuses.map(({ id, name }) => [id, { id, name }] as const)));
  return { types: types.map(({ id, name }) => ({ id, name })), statuses: [...statuses.values()] };
}

const ofProject = v.object({ project: v.object({ id: v.string() }) });

/** Names of the statuses that issues of an issue's project can have, each once. */
export async function readIssueStatuses(bridge: HostBridge, issueId: string): Promise<string[]> {
  const { fields } = await getIssue(bridge, issueId, ['project']);
  const { statuses } = await readWorkflow(bridge, v.parse(ofProject, fields).project.id);
  return [...new Set(statuses.map(({ name }) => name))];
}

const transitionsShape = v.object({ transitions: v.array(v.object({ to: v.object({ name: v.string() }) })) });

const statusShape = v.object({
  status: v.object({ name: v.string(), statusCategory: v.object({ key: v.string() }) }),
});

/** The possible transitions of an issue. */
export interface Targets {
  /** Names of the statuses that the user can move it to now, each once. */
  statuses: readonly string[];
  /** The issue's status if the user can move it nowhere, unless that is one of completed issues. */
  openStatus: string | undefined;
}

/** Reads the possible transitions of an issue. If the user cannot move it, the answer has its status. */
export async function readTargets(bridge: HostBridge, issueId: string): Promise<Targets> {
  const path = `/rest/api/3/issue/${encodeURIComponent(issueId)}/transitions`;
  const { transitions } = v.parse(transitionsShape, await call(bridge, path));
  const statuses = [...new Set(transitions.map(({ to }) => to.name))];
  if (statuses.length > 0) return { statuses, openStatus: undefined };
  const { fields } = await getIssue(bridge, issueId, ['status']);
  const status = readAs(statusShape, fields)?.status;
  return { statuses, openStatus: status?.statusCategory.key === 'done' ? undefined : status?.name };
}

/** The issue types and statuses of all projects visible to the user. */
export async function readWorkflows(bridge: HostBridge): Promise<Workflow> {
  const readList = async (path: string): Promise<OfWorkflow[]> => {
    const scopedEntries = v.parse(scopedShape, await call(bridge, path));
    return scopedEntries.map(({ id, name, scope }) => ({
      id,
      name,
      ...(scope?.project && { projectId: scope.project.id }),
    }));
  };
  const [types, statuses] = await Promise.all([readList('/rest/api/3/issuetype'), readList('/rest/api/3/status')]);
  return { types, statuses };
}

/** A field of issues. */
export interface NamedField extends Named {
  /** Users change it, so that the tracker reports its changes. */
  isChangeable: boolean;
}

/** Fields that the tracker sets automatically, or computes. */
const unchangeable: ReadonlySet<string> = new Set([
  'aggregateprogress',
  'aggregatetimeestimate',
  'aggregatetimeoriginalestimate',
  'aggregatetimespent',
  'created',
  'creator',
  'issuekey',
  'lastViewed',
  'progress',
  'resolutiondate',
  'statusCategory',
  'statuscategorychangedate',
  'subtasks',
  'thumbnail',
  'updated',
  'votes',
  'watches',
  'workratio',
]);

/** The fields of the site's issues, by name. */
export async function readFields(bridge: HostBridge): Promise<NamedField[]> {
  const fields = v.parse(fieldsShape, await call(bridge, '/rest/api/3/field'));
  return fields
    .map(({ id, name, key }) => ({ id, name, isChangeable: !unchangeable.has(id) && !isOwnField(key) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
