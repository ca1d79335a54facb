import { pages, places } from '../domain/pages.ts';
import type { screens } from './screens.ts';
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

/** Another screen than the panel and the editor: the imports of these are listed in a chunk of their own. */
const other =
  (name: keyof typeof screens): Load =>
  async () =>
    (await import('./screens.ts')).screens[name]();

/** The screens, in matching order (spec §2). */
export const routes: readonly Route[] = [
  { ...route('/checklist', () => import('./panel/panel.tsx'), 'prefix'), early: true },
  route(
    '/editor',
    cached(() => import('./editor/editor-screen.tsx')),
    'prefix',
  ),
  route('/save-template', cached(other('saveTemplate')), 'prefix'),
  route('/templates', cached(other('templates'))),
  route('/templates/new', cached(other('templates'))),
  route('/templates/assignments', cached(other('assignments'))),
  route('/post-install', cached(other('gettingStarted'))),
  route('/admin', cached(other('site'))),
  route('/automation', cached(other('automation'))),
  route('/notifications', cached(other('notifications'))),
  route('/assigned-items', cached(other('assigned'))),
  route(pages.project.path, cached(other('project')), 'prefix'),
  route('/history', cached(other('history'))),
  route('/help', cached(other('help'))),
  { ...route(places.validator.path, cached(other('workflow'))), early: true },
  route(pages.hierarchy.path, cached(other('hierarchy'))),
  route(pages.templatesEditor.path, cached(other('smartTemplates'))),
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
