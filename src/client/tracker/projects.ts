import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { call } from './call.ts';

const projectShape = v.object({
  id: v.string(),
  key: v.string(),
  name: v.string(),
  properties: v.optional(v.record(v.string(), v.unknown())),
});
export type Project = v.InferOutput<typeof projectShape>;

const pageShape = v.object({ values: v.array(projectShape), total: v.number() });

export interface ProjectSearch {
  /** Part of a name or key. */
  query?: string;
  /** From 1. */
  page: number;
  pageSize: number;
  expand?: readonly string[];
  /** Keys of the properties to include. */
  properties?: readonly string[];
}

/** A page of the projects visible to the user, by name (spec §7, row 10), and their total. */
export async function searchProjects(
  bridge: HostBridge,
  { query, page, pageSize, expand, properties }: ProjectSearch,
): Promise<{ projects: Project[]; total: number }> {
  const answer = await call(bridge, '/rest/api/2/project/search', {
    query: {
      expand: expand?.join(','),
      properties: properties?.join(','),
      maxResults: String(pageSize),
      orderBy: 'name',
      startAt: String(pageSize * (page - 1)),
      query,
    },
  });
  const { values, total } = v.parse(pageShape, answer);
  return { projects: values, total };
}

/** One project by id or key, with these of its properties (spec §7, row 11). */
export async function getProject(bridge: HostBridge, id: string, properties: readonly string[]): Promise<Project> {
  const query = { properties: properties.join(',') || undefined };
  return v.parse(projectShape, await call(bridge, `/rest/api/2/project/${encodeURIComponent(id)}`, { query }));
}
