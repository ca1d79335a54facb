import { pages, places } from '../domain/pages.ts';
import type { screens } from './screens/screens.ts';
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

/** Loads a screen other than the panel together with the query cache. Their imports are listed in a chunk of their own. */
const screen =
  (name: keyof typeof screens): Load =>
  async () => {
    const [list, { withQueries }] = await Promise.all([
      import('./screens/screens.ts'),
      import('./shell/services/query-client.tsx'),
    ]);
    return { default: withQueries((await list.screens[name]()).default) };
  };

/** A path and its lazy screen, whose chunk is named after the path. */
const route = (path: string, load: Load, match: Route['match'] = 'exact'): Route => ({
  path,
  match,
  ...lazyScreen(path.slice(1), load),
});

/** A route whose screen paints first with the data that the tracker stores. */
const early: typeof route = (...of) => ({ ...route(...of), early: true });

/** The screens, in matching order. */
export const routes: readonly Route[] = [
  early('/checklist', () => import('./screens/panel/panel.tsx'), 'prefix'),
  route('/editor', screen('editor'), 'prefix'),
  route('/save-template', screen('saveTemplate'), 'prefix'),
  route('/templates', screen('templates')),
  route('/templates/new', screen('templates')),
  route('/templates/assignments', screen('rules')),
  route('/post-install', screen('gettingStarted')),
  route('/admin', screen('site')),
  route('/automation', screen('automation')),
  route('/notifications', screen('notifications')),
  route('/assigned-items', screen('assigned')),
  route(pages.project.path, screen('project'), 'prefix'),
  route('/history', screen('history')),
  route('/help', screen('help')),
  early(places.validator.path, screen('workflow')),
  early(places.gadget.path, screen('gadget')),
  route(pages.hierarchy.path, screen('hierarchy')),
  route(pages.templatesEditor.path, screen('smartTemplates')),
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
