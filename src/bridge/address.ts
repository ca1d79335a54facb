import { isSurface } from '../domain/pages.ts';
import type { HostContext } from './bridge.ts';

const keys = ['issueKey', 'issueId', 'projectKey', 'projectId'] as const;

/** A variable of the descriptor that the tracker had no value for arrives empty or as it was written. */
const given = (value: string | null): value is string => Boolean(value) && !/^\{.*\}$/.test(value ?? '');

/** What a page's own address says: the descriptor puts it there, and the tracker signs it. */
export function contextOf(search: string): HostContext {
  const parameters = new URLSearchParams(search);
  const surface = parameters.get('surface');
  const context: HostContext = { surface: isSurface(surface) ? surface : 'page' };
  for (const key of keys) {
    const value = parameters.get(key);
    if (given(value)) context[key] = value;
  }
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
