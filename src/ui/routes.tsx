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

/** The screens, in the order in which their paths are tried (spec §2). */
export const routes: readonly Route[] = [
  {
    path: '/checklist',
    match: 'prefix',
    ...lazyScreen('checklist', () => import('./screens/checklist.tsx')),
    early: true,
  },
  { path: '/editor', match: 'prefix', ...lazyScreen('editor', () => import('./screens/editor.tsx')) },
  {
    path: '/save-template',
    match: 'prefix',
    ...lazyScreen('save-template', () => import('./screens/save-template.tsx')),
  },
  { path: '/templates', match: 'exact', ...lazyScreen('templates', () => import('./screens/templates.tsx')) },
  {
    path: '/templates/new',
    match: 'exact',
    ...lazyScreen('new-template', () => import('./screens/new-template.tsx')),
  },
  {
    path: '/templates/assignments',
    match: 'exact',
    ...lazyScreen('assignments', () => import('./screens/assignments.tsx')),
  },
  {
    path: '/post-install',
    match: 'exact',
    ...lazyScreen('post-install', () => import('./screens/post-install.tsx')),
  },
  { path: '/admin', match: 'exact', ...lazyScreen('admin', () => import('./screens/admin.tsx')) },
  {
    path: '/assigned-items',
    match: 'exact',
    ...lazyScreen('assigned-items', () => import('./screens/assigned-items.tsx')),
  },
  { path: pages.project.path, match: 'prefix', ...lazyScreen('project', () => import('./screens/project.tsx')) },
  { path: '/history', match: 'exact', ...lazyScreen('history', () => import('./screens/history.tsx')) },
  {
    path: pages.hierarchy.path,
    match: 'exact',
    ...lazyScreen('hierarchy', () => import('./screens/hierarchy.tsx')),
  },
  {
    path: pages.templatesEditor.path,
    match: 'exact',
    ...lazyScreen('templates-editor', () => import('./screens/templates-editor.tsx')),
  },
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
