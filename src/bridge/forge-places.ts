import { type DialogName, pages, type Surface } from '../domain/pages.ts';

/** What a frame shows first, and where it stands. */
export interface Place {
  path: string;
  surface: Surface;
}

/** By the manifest's module keys: on Forge the frame's own address says nothing. */
const places = new Map<string, Place>([
  ['checklist-context', { path: '/checklist', surface: 'issue-context' }],
  ['checklist-content', { path: '/checklist', surface: 'issue-content' }],
  ['hierarchy-content', { path: pages.hierarchy.path, surface: 'issue-content' }],
  ['checklist-portal', { path: '/checklist', surface: 'portal' }],
  [pages.project.key, { path: pages.project.path, surface: 'project-admin' }],
  ['site-settings', { path: '/admin', surface: 'admin' }],
  ['configure', { path: '/admin', surface: 'admin' }],
  ['post-install', { path: '/post-install', surface: 'admin' }],
]);

/** The one module of all general pages, which are routes below it; the first of them is shown where none is named. */
export const GENERAL = 'pages';
const FIRST = '/assigned-items';

export const dialogPaths: Record<DialogName, string> = { editor: '/editor', templates: '/templates' };

/** Where a module's frame is. A module that is none of ours leads to a screen that says so. */
export function placeOf(moduleKey: string, subpage = '/'): Place {
  if (moduleKey === GENERAL) return { path: subpage === '/' ? FIRST : subpage, surface: 'page' };
  return places.get(moduleKey) ?? { path: `/${moduleKey}`, surface: 'page' };
}
