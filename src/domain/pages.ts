/** The pages that the tracker opens and their screens. Paths are the app's own. */
export const pages = {
  project: { key: 'project-settings', path: '/project' },
  hierarchy: { key: 'smart-hierarchy', path: '/smart-hierarchy' },
  templatesEditor: { key: 'smart-templates-editor', path: '/smart-templates-editor' },
} as const;

/** Positions of our frames in the tracker; the descriptor adds them to each URL as `surface`. */
export const surfaces = [
  'issue-content',
  'issue-context',
  'portal',
  'project-admin',
  'admin',
  'page',
  'dialog',
  'mobile',
  'workflow',
  'gadget',
] as const;
export type Surface = (typeof surfaces)[number];
export const isSurface = (value: unknown): value is Surface => (surfaces as readonly unknown[]).includes(value);

/** Whether a surface's body scrolls; in all others the frame grows with its content. */
export const scrolls = (surface: Surface): boolean =>
  surface === 'dialog' || surface === 'page' || surface === 'project-admin' || surface === 'admin';

/** The dialogs that open through the host: module keys of the descriptor. */
export const dialogs = {
  editor: { key: 'checklist-editor', closeOnEscape: false },
  templates: { key: 'checklist-templates', closeOnEscape: true },
} as const;
export type DialogName = keyof typeof dialogs;

/** An issue's browse path in the tracker, with a query when one is given. */
export function issuePath(issueKey: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `/browse/${encodeURIComponent(issueKey)}${search && `?${search}`}`;
}

/** The tracker's page of a project's workflows. */
export const workflowsPath = (projectKey: string): string =>
  `/plugins/servlet/project-config/${encodeURIComponent(projectKey)}/workflows`;

/** A frame that the tracker opens: the module's key, our path in it, and its surface. */
export interface Place {
  key: string;
  path: string;
  surface: Surface;
}

/**
 * Every module of descriptor and manifest that opens a frame; Forge's one global page has the three pages as routes.
 */
export const places = {
  panel: { key: 'checklist-content', path: '/checklist', surface: 'issue-content' },
  context: { key: 'checklist-context', path: '/checklist', surface: 'issue-context' },
  hierarchyPanel: { key: 'hierarchy-content', path: pages.hierarchy.path, surface: 'issue-content' },
  portal: { key: 'checklist-portal', path: '/checklist', surface: 'portal' },
  project: { ...pages.project, surface: 'project-admin' },
  assigned: { key: 'assigned-items', path: '/assigned-items', surface: 'page' },
  projectAssigned: { key: 'project-assigned-items', path: '/assigned-items', surface: 'page' },
  hierarchy: { ...pages.hierarchy, surface: 'page' },
  templatesEditor: { ...pages.templatesEditor, surface: 'page' },
  site: { key: 'site-settings', path: '/admin', surface: 'admin' },
  configure: { key: 'configure', path: '/admin', surface: 'admin' },
  start: { key: 'post-install', path: '/post-install', surface: 'admin' },
  validator: { key: 'checklist-validator', path: '/workflow-rule', surface: 'workflow' },
  condition: { key: 'checklist-condition', path: '/workflow-rule', surface: 'workflow' },
  gadget: { key: 'checklist-gadget', path: '/gadget', surface: 'gadget' },
} as const satisfies Record<string, Place>;

/** Our paths of the dialogs that open through the host. */
export const dialogPaths: Readonly<Record<DialogName, string>> = { editor: '/editor', templates: '/templates' };
