import { isDeepStrictEqual } from 'node:util';

/**
 * What several projects say, where all that say anything say it alike and they are most of a site's; else `undefined`.
 * What stands in a project's properties its administrators can write: the whole site's is only what hardly one of them
 * can have made up.
 */
export function agreed<Value>(said: readonly Value[], projects: number): Value | undefined {
  const [first, ...others] = said;
  const areMost = others.length > 0 && 2 * said.length > projects;
  return areMost && others.every(each => isDeepStrictEqual(each, first)) ? first : undefined;
}

/** Something of another edition that comes here: for the whole site, or for a project alone. */
export interface Coming {
  /** What it is known by there, and here. */
  was: string;
  id: string;
  project: string | null;
}

/** What something is known by in a project where several have something of that id. */
export const idIn = (was: string, project: string): string => `${was}-${project}`;

/** Whether it has come already, be it as the site's or as a project's own: which of both may change until the next time. */
export function hasCome(
  { was, id, project }: Coming,
  known: ReadonlySet<string>,
  projects: readonly string[],
): boolean {
  const places = project === null ? projects : [project];
  return known.has(id) || known.has(was) || places.some(place => known.has(idIn(was, place)));
}
