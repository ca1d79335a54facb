import * as v from 'valibot';
import { byName, parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

/** A project with the requested properties. */
export interface FoundProject {
  id: string;
  key: string;
  properties: Readonly<Record<string, unknown>>;
  projectTypeKey?: string | undefined;
}

const projectShape = v.object({
  id: v.string(),
  key: v.string(),
  properties: byName,
  projectTypeKey: v.optional(v.string()),
});
const pageShape = v.object({ values: v.array(projectShape), isLast: v.optional(v.boolean()) });

const PROJECTS_PER_PAGE = 50;

/** Reads a page of the projects that the app can see; `next` is the start of the next page, `null` after the last. */
export async function listProjects(
  tracker: Tracker,
  start: number,
  properties: readonly string[],
): Promise<{ projects: FoundProject[]; next: number | null }> {
  const answer = await tracker({
    name: 'listProjects',
    method: 'GET',
    path: '/rest/api/2/project/search',
    query: {
      startAt: String(start),
      maxResults: String(PROJECTS_PER_PAGE),
      orderBy: 'key',
      properties: properties.join(','),
    },
  });
  if (answer.status !== 200) throw new TrackerRefused('listProjects', answer);
  const { values, isLast } = parseAs(pageShape, answer.body);
  const more = isLast === false && values.length > 0;
  return { projects: values, next: more ? start + values.length : null };
}

/** All projects with these properties, page by page as they are asked for. */
export async function* eachProject(tracker: Tracker, properties: readonly string[]): AsyncGenerator<FoundProject> {
  for (let start: number | null = 0; start !== null; ) {
    const { projects, next } = await listProjects(tracker, start, properties);
    yield* projects;
    start = next;
  }
}

const projectPath = (id: string): string => `/rest/api/2/project/${encodeURIComponent(id)}`;

/** Reads a project; `undefined` if the app cannot see one. */
export async function findProject(
  tracker: Tracker,
  id: string,
  properties: readonly string[],
): Promise<FoundProject | undefined> {
  const query = { properties: properties.join(',') };
  const answer = await tracker({ name: 'findProject', method: 'GET', path: projectPath(id), query });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new TrackerRefused('findProject', answer);
  return parseAs(projectShape, answer.body);
}

/** Resolves with whether a try of the write got no response: it may take effect after later writes. */
export async function writeProjectProperty(
  tracker: Tracker,
  id: string,
  key: string,
  value: unknown,
): Promise<{ isUnsettled: boolean }> {
  const path = `${projectPath(id)}/properties/${encodeURIComponent(key)}`;
  const answer = await tracker({ name: 'writeProjectProperty', method: 'PUT', path, json: value });
  if (answer.status >= 300) throw new TrackerRefused('writeProjectProperty', answer);
  return { isUnsettled: answer.isUnsettled ?? false };
}
