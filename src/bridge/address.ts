import * as v from 'valibot';
import { isSurface } from '../domain/pages.ts';
import type { HostContext } from './bridge.ts';

const keys = ['issueKey', 'issueId', 'projectKey', 'projectId'] as const;

/** A variable of the descriptor without a value arrives empty or unreplaced. */
const isGiven = (value: string | null): value is string => Boolean(value) && !/^\{.*\}$/.test(value ?? '');

/** Reads the context from the page's own address, which the descriptor defines and the tracker signs. */
export function contextOf(search: string): HostContext {
  const parameters = new URLSearchParams(search);
  const surface = parameters.get('surface');
  const context: HostContext = { surface: isSurface(surface) ? surface : 'page' };
  for (const key of keys) {
    const value = parameters.get(key);
    if (isGiven(value)) context[key] = value;
  }
  return context;
}

/** An issue or project id of the host: text or number, absent or null if there is none. */
const id = v.nullish(v.union([v.string(), v.number()]));
export const entityShape = v.nullish(v.object({ id, key: id }));
type Entity = v.InferOutput<typeof entityShape>;

/** Completes the context with the host's data. Native apps lay out issue panels like phones. */
export function complete(context: HostContext, issue: Entity, project: Entity): HostContext {
  const hostContext = { issueKey: issue?.key, issueId: issue?.id, projectKey: project?.key, projectId: project?.id };
  for (const key of keys) {
    const value = context[key] ?? hostContext[key] ?? '';
    if (value !== '') context[key] = `${value}`;
  }
  // Native apps identify themselves in the user agent of their web views.
  const native = context.surface.startsWith('issue-') && navigator.userAgent.includes('AtlassianMobileApp');
  if (native) context.surface = 'mobile';
  return context;
}

/** The query of a request, with its question mark, or nothing. Arrays become repeated parameters. */
export function queryString(query: Record<string, string | readonly string[] | undefined> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const entry of value === undefined ? [] : [value].flat()) parameters.append(name, entry);
  }
  const search = parameters.toString();
  return search && `?${search}`;
}
