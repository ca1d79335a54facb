import { pages, places } from '../domain/pages.ts';
import { type LazyScreen, lazyScreen } from './shell/lazy-screen.tsx';

export interface Route extends LazyScreen {
  path: string;
  /** `prefix` also matches paths below this one. */
  match: 'exact' | 'prefix';
  /** Paints with what the tracker stores, without waiting for the app's server. */
  early?: true;
}

const notFound = lazyScreen('not-found', async () => ({ default: (await import('./shell/plain-pages.tsx')).NotFound }));

type Load = Parameters<typeof lazyScreen>[1];

/** Loads a screen together with the query cache. */
const cached =
  (load: Load): Load =>
  async () => {
    const [screen, { withQueries }] = await Promise.all([load(), import('./shell/services/query-client.tsx')]);
    return { default: withQueries(screen.default) };
  };

/** A path and its lazy screen, whose chunk is named after the path. */
const route = (path: string, load: Load, match: Route['match'] = 'exact'): Route => ({
  path,
  match,
  ...lazyScreen(path.slice(1), load),
});

/** The same for a screen that paints with what the tracker stores. */
const early: typeof route = (...of) => ({ ...route(...of), early: true });

/** The screens, in matching order (spec §2). */
export const routes: readonly Route[] = [
  early('/checklist', () => import('./panel/panel.tsx'), 'prefix'),
  route(
    '/editor',
    cached(() => import('./editor/editor-screen.tsx')),
    'prefix',
  ),
  route(
    '/save-template',
    cached(() => import('./templates/save-template.tsx')),
    'prefix',
  ),
  route(
    '/templates',
    cached(() => import('./templates/templates-screen.tsx')),
  ),
  route(
    '/templates/new',
    cached(() => import('./templates/templates-screen.tsx')),
  ),
  route(
    '/templates/assignments',
    cached(() => import('./templates/assignments/assignments-screen.tsx')),
  ),
  route(
    '/post-install',
    cached(() => import('./settings/getting-started.tsx')),
  ),
  route(
    '/admin',
    cached(() => import('./settings/site/site-settings.tsx')),
  ),
  route(
    '/assigned-items',
    cached(() => import('./assigned/assigned-screen.tsx')),
  ),
  route(
    pages.project.path,
    cached(() => import('./settings/project/project-settings.tsx')),
    'prefix',
  ),
  route(
    '/history',
    cached(() => import('./history/history-screen.tsx')),
  ),
  route(
    '/help',
    cached(async () => ({ default: (await import('./help/help-screen.tsx')).HelpScreen })),
  ),
  early(
    places.validator.path,
    cached(() => import('./workflow/rule-screen.tsx')),
  ),
  early(
    places.gadget.path,
    cached(() => import('./gadget/gadget-screen.tsx')),
  ),
  route(
    pages.hierarchy.path,
    cached(() => import('./hierarchy/hierarchy-screen.tsx')),
  ),
  route(
    pages.templatesEditor.path,
    cached(() => import('./templates/smart/smart-templates-screen.tsx')),
  ),
];

/** The route of a path, else the not-found route. Ignores a trailing slash. */
export function routeOf(path: string): Route {
  const at = path.replace(/(.)\/+$/, '$1');
  return (
    routes.find(route => at === route.path || (route.match === 'prefix' && at.startsWith(`${route.path}/`))) ?? {
      path: at,
      match: 'exact',
      ...notFound,
    }
  );
}
