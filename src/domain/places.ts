import { type DialogName, pages, type Surface } from './pages.ts';

/** A frame that the tracker opens: the module's key, our own path in it, and where it stands. */
export interface Place {
  key: string;
  path: string;
  surface: Surface;
}

/** Every module of descriptor and manifest that opens a frame; Forge's one global page has the three pages as routes. */
export const places = {
  panel: { key: 'checklist-content', path: '/checklist', surface: 'issue-content' },
  context: { key: 'checklist-context', path: '/checklist', surface: 'issue-context' },
  hierarchyPanel: { key: 'hierarchy-content', path: pages.hierarchy.path, surface: 'issue-content' },
  portal: { key: 'checklist-portal', path: '/checklist', surface: 'portal' },
  project: { ...pages.project, surface: 'project-admin' },
  assigned: { key: 'assigned-items', path: '/assigned-items', surface: 'page' },
  hierarchy: { ...pages.hierarchy, surface: 'page' },
  templatesEditor: { ...pages.templatesEditor, surface: 'page' },
  site: { key: 'site-settings', path: '/admin', surface: 'admin' },
  configure: { key: 'configure', path: '/admin', surface: 'admin' },
  start: { key: 'post-install', path: '/post-install', surface: 'admin' },
} as const satisfies Record<string, Place>;

/** Our own paths in the dialogs that open through the host. */
export const dialogPaths: Readonly<Record<DialogName, string>> = { editor: '/editor', templates: '/templates' };
