import type { ComponentType } from 'react';
import { pages } from '../domain/pages.ts';
import { type LazyScreen, lazyScreen } from './shell/lazy-screen.tsx';

export interface Route extends LazyScreen {
  path: string;
  /** `prefix` also matches what stands below the path. */
  match: 'exact' | 'prefix';
  /** Paints from what the tracker holds, without waiting for our server. */
  early?: true;
}

const notFound = lazyScreen('not-found', () => import('./shell/not-found.tsx'));

type Load = () => Promise<ComponentType>;

/** A screen together with the cache of what the server says. */
const cached =
  (load: Load): Load =>
  async () => {
    const [screen, { withQueries }] = await Promise.all([load(), import('./shell/services/with-queries.tsx')]);
    return withQueries(screen);
  };

/** A path and its screen, which is in a chunk of its own, called as the path. */
const route = (path: string, load: Load, match: Route['match'] = 'exact'): Route => ({
  path,
  match,
  ...lazyScreen(path.slice(1), async () => ({ default: await load() })),
});

/** The screens, in the order in which their paths are tried (spec §2). */
export const routes: readonly Route[] = [
  { ...route('/checklist', async () => (await import('./panel/panel.tsx')).ChecklistPanel, 'prefix'), early: true },
  route(
    '/editor',
    cached(async () => (await import('./editor/editor-screen.tsx')).EditorScreen),
    'prefix',
  ),
  route(
    '/save-template',
    cached(async () => (await import('./templates/save-template.tsx')).SaveTemplateScreen),
    'prefix',
  ),
  route(
    '/templates',
    cached(async () => (await import('./templates/templates-screen.tsx')).TemplatesScreen),
  ),
  route(
    '/templates/new',
    cached(async () => (await import('./templates/templates-screen.tsx')).NewTemplateScreen),
  ),
  route(
    '/templates/assignments',
    cached(async () => (await import('./templates/assignments/assignments-screen.tsx')).AssignmentsScreen),
  ),
  route(
    '/post-install',
    cached(async () => (await import('./settings/getting-started.tsx')).GettingStartedScreen),
  ),
  route(
    '/admin',
    cached(async () => (await import('./settings/site/site-settings.tsx')).SiteSettingsScreen),
  ),
  route(
    '/assigned-items',
    cached(async () => (await import('./assigned/assigned-screen.tsx')).AssignedScreen),
  ),
  route(
    pages.project.path,
    cached(async () => (await import('./settings/project/project-settings.tsx')).ProjectSettingsScreen),
    'prefix',
  ),
  route(
    '/history',
    cached(async () => (await import('./history/history-screen.tsx')).HistoryScreen),
  ),
  route(
    '/help',
    cached(async () => (await import('./help/help-route.tsx')).HelpRoute),
  ),
  route(
    pages.hierarchy.path,
    cached(async () => (await import('./hierarchy/hierarchy-screen.tsx')).HierarchyScreen),
  ),
  route(
    pages.templatesEditor.path,
    cached(async () => (await import('./templates/smart/smart-templates-screen.tsx')).SmartTemplatesScreen),
  ),
];

/** The route of a path; a path that is none of ours is not found. A slash at its end makes no difference. */
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
