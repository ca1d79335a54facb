import { pages } from '../domain/pages.ts';
import { type LazyScreen, lazyScreen } from './app/lazy.tsx';

export interface Route extends LazyScreen {
  path: string;
  /** `prefix` also matches what stands below the path. */
  match: 'exact' | 'prefix';
  /** Paints from what the tracker holds, without waiting for our server. */
  early?: true;
}

const notFound = lazyScreen('not-found', () => import('./screens/not-found.tsx'));

/** A path and its screen, which is in a chunk of its own, called as the path. */
const route = (path: string, match: Route['match'], load: Parameters<typeof lazyScreen>[1]): Route => ({
  path,
  match,
  ...lazyScreen(path.slice(1), load),
});

/** The screens, in the order in which their paths are tried (spec §2). */
export const routes: readonly Route[] = [
  { ...route('/checklist', 'prefix', () => import('./screens/checklist.tsx')), early: true },
  route('/editor', 'prefix', () => import('./screens/editor.tsx')),
  route('/save-template', 'prefix', () => import('./screens/save-template.tsx')),
  route('/templates', 'exact', () => import('./screens/templates.tsx')),
  route('/templates/new', 'exact', () => import('./screens/new-template.tsx')),
  route('/templates/assignments', 'exact', () => import('./screens/assignments.tsx')),
  route('/post-install', 'exact', () => import('./screens/post-install.tsx')),
  route('/admin', 'exact', () => import('./screens/admin.tsx')),
  route('/assigned-items', 'exact', () => import('./screens/assigned-items.tsx')),
  route(pages.project.path, 'prefix', () => import('./screens/project.tsx')),
  route('/history', 'exact', () => import('./screens/history.tsx')),
  route(pages.hierarchy.path, 'exact', () => import('./screens/hierarchy.tsx')),
  route(pages.templatesEditor.path, 'exact', () => import('./screens/templates-editor.tsx')),
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
