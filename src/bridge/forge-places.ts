import { type Place, places } from '../domain/pages.ts';

const all: readonly Place[] = Object.values(places);

/** The one module of all general pages, which are routes below it; the first of them is shown where none is named. */
export const GENERAL = 'pages';

/**
 * The screen of a module: on Forge the frame's own address does not name it. An unknown module gets a screen that says
 * so.
 */
export function placeOf(moduleKey: string, subpage = '/'): Pick<Place, 'path' | 'surface'> {
  if (moduleKey === GENERAL) return { path: subpage === '/' ? places.assigned.path : subpage, surface: 'page' };
  return all.find(({ key }) => key === moduleKey) ?? { path: `/${moduleKey}`, surface: 'page' };
}
