import { isDeepStrictEqual } from 'node:util';

/**
 * The common value of several projects, which are more than half of a site's; else `undefined`. A project's administrators
 * can write its properties, so a single project must not decide for the site.
 */
export function commonValue<Value>(values: readonly Value[], projects: number): Value | undefined {
  const [first, ...otherValues] = values;
  const areMost = otherValues.length > 0 && 2 * values.length > projects;
  return areMost && otherValues.every(each => isDeepStrictEqual(each, first)) ? first : undefined;
}

/** A status or template of another edition to add: to the whole site, or to one project. */
export interface Inherited {
  /** Its id in the other edition, and in this one. */
  was: string;
  id: string;
  project: string | null;
}

/** The id for a project where several projects have the same one. */
export const idIn = (was: string, project: string): string => `${was}-${project}`;

/** Whether it was added before, to the site or to a project: the scope may have changed between two runs. */
export function isInherited(
  { was, id, project }: Inherited,
  known: ReadonlySet<string>,
  projects: readonly string[],
): boolean {
  const places = project === null ? projects : [project];
  return known.has(id) || known.has(was) || places.some(place => known.has(idIn(was, place)));
}
