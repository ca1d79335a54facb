import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { call } from './call.ts';
import { getIssue } from './issues.ts';

const projectShape = v.object({
  id: v.string(),
  key: v.string(),
  name: v.string(),
  properties: v.optional(v.record(v.string(), v.unknown())),
});
export type Project = v.InferOutput<typeof projectShape>;

const pageShape = v.object({ values: v.array(projectShape), total: v.number() });

/** A permission in a project by which the tracker's search filters. */
export type ProjectAction = 'create';

/** A project as lists show it. */
export const projectWords = ({ name, key }: Pick<Project, 'name' | 'key'>): string => `${name} (${key})`;

export interface ProjectSearch {
  /** Part of a name or key. */
  query?: string;
  /** Only projects in which the user can do that. */
  action?: ProjectAction;
  /** From 1. */
  page: number;
  pageSize: number;
}

/** A page of the projects visible to the user, by name, and their total. */
export async function searchProjects(
  bridge: HostBridge,
  { query, action, page, pageSize }: ProjectSearch,
): Promise<{ projects: Project[]; total: number }> {
  const answer = await call(bridge, '/rest/api/2/project/search', {
    query: {
      action,
      maxResults: String(pageSize),
      orderBy: 'name',
      startAt: String(pageSize * (page - 1)),
      query,
    },
  });
  const { values, total } = v.parse(pageShape, answer);
  return { projects: values, total };
}

/** Reads a project by id or key, with these of its properties. */
export async function getProject(bridge: HostBridge, id: string, properties: readonly string[]): Promise<Project> {
  const query = { properties: properties.join(',') || undefined };
  return v.parse(projectShape, await call(bridge, `/rest/api/2/project/${encodeURIComponent(id)}`, { query }));
}

const typeShape = v.object({
  id: v.string(),
  name: v.string(),
  subtask: v.boolean(),
  /** 0 for usual issues, more for issues above them, such as epics. */
  hierarchyLevel: v.optional(v.number(), 0),
});
export type IssueType = v.InferOutput<typeof typeShape>;

const typedShape = v.object({ ...projectShape.entries, issueTypes: v.array(typeShape) });
const sourceShape = v.object({ project: projectShape, issuetype: typeShape });

/** The project and the issue that the conversion of an item depends on. */
export interface ConversionPlace {
  /** The project to create the issue in. */
  project: v.InferOutput<typeof typedShape>;
  /** The checklist's issue. */
  source: { project: Project; type: IssueType };
}

/** Reads a project's issue types, and the type of the checklist's issue; by default of that issue's own project. */
export async function readConversion(
  bridge: HostBridge,
  { issueId, projectId }: { issueId: string; projectId?: string },
  signal: AbortSignal,
): Promise<ConversionPlace> {
  const { fields } = await getIssue(bridge, issueId, ['project', 'issuetype'], signal);
  const { project, issuetype } = v.parse(sourceShape, fields);
  const path = `/rest/api/2/project/${encodeURIComponent(projectId ?? project.id)}`;
  return { project: v.parse(typedShape, await call(bridge, path, { signal })), source: { project, type: issuetype } };
}
