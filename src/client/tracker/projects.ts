import * as z from 'zod/mini';
import type { HostBridge } from '../../bridge/bridge.ts';
import { call } from './call.ts';

const projectShape = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  properties: z.optional(z.record(z.string(), z.unknown())),
});
export type Project = z.infer<typeof projectShape>;

const pageShape = z.object({ values: z.array(projectShape), total: z.number() });

export interface ProjectSearch {
  /** Part of a name or key. */
  query?: string;
  /** From 1. */
  page: number;
  pageSize: number;
  expand?: readonly string[];
  /** Keys of the properties that come along. */
  properties?: readonly string[];
}

/** A page of the projects that the user sees, by name (spec §7, row 10), and how many there are in all. */
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
  const { values, total } = pageShape.parse(answer);
  return { projects: values, total };
}

/** One project by id or key, with these of its properties (spec §7, row 11). */
export async function getProject(bridge: HostBridge, id: string, properties: readonly string[]): Promise<Project> {
  const query = { properties: properties.join(',') || undefined };
  return projectShape.parse(await call(bridge, `/rest/api/2/project/${encodeURIComponent(id)}`, { query }));
}
