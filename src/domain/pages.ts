/** The pages that the tracker opens and the screens inside them (spec §2). Paths are the add-on's own. */
export const pages = {
  project: { key: 'project-settings', path: '/project' },
  hierarchy: { key: 'smart-hierarchy', path: '/smart-hierarchy' },
  templatesEditor: { key: 'smart-templates-editor', path: '/smart-templates-editor' },
} as const;

/** Where a frame of ours stands in the tracker; the descriptor puts it into each URL as `surface`. */
export const surfaces = [
  'issue-content',
  'issue-context',
  'portal',
  'project-admin',
  'admin',
  'page',
  'dialog',
  'mobile',
] as const;
export type Surface = (typeof surfaces)[number];
export const isSurface = (value: unknown): value is Surface => (surfaces as readonly unknown[]).includes(value);

/** Surfaces whose body scrolls; in all others the frame grows with its content. */
export const scrolls = (surface: Surface): boolean =>
  surface === 'dialog' || surface === 'page' || surface === 'project-admin' || surface === 'admin';

/** The dialogs that open through the host: module keys of the descriptor. */
export const dialogs = {
  editor: { key: 'checklist-editor', closeOnEscape: false },
  templates: { key: 'checklist-templates', closeOnEscape: true },
} as const;
export type DialogName = keyof typeof dialogs;

/** Issue links: the tracker's browse path, with a query when one is given. */
export function issuePath(issueKey: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `/browse/${encodeURIComponent(issueKey)}${search && `?${search}`}`;
}
