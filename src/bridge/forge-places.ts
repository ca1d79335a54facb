import { type Place, places } from '../domain/pages.ts';

const allPlaces: readonly Place[] = Object.values(places);
const generalPages: readonly Place[] = [places.assigned, places.hierarchy, places.templatesEditor];

/**
 * The one module of all general pages, which are routes below it; the first of them is shown if none is named. It has
 * the key of Connect's page: the platform redirects addresses of Connect by the module's key.
 */
export const GENERAL_PAGE_KEY = places.assigned.key;

/**
 * The screen of a module: on Forge the frame's own address does not name it. An unknown module gets a screen that says
 * so.
 */
export function placeOf(moduleKey: string, subpage = '/'): Pick<Place, 'path' | 'surface'> {
  if (moduleKey === GENERAL_PAGE_KEY)
    return { path: subpage === '/' ? places.assigned.path : subpage, surface: 'page' };
  return allPlaces.find(({ key }) => key === moduleKey) ?? { path: `/${moduleKey}`, surface: 'page' };
}

/** The route of a general page of Connect; `undefined` for any other module. */
export const routeOf = (moduleKey: string): string | undefined =>
  generalPages.find(({ key }) => key === moduleKey)?.path;
