import type { FiledTemplate, TemplateFolder } from '../../../client/admin/template-views.ts';
import { normalName } from '../../../text/statuses.ts';

/** A visible node of the tree. */
export type TreeNode =
  | { kind: 'folder'; key: string; name: string; count: number; open: boolean }
  | { kind: 'template'; key: string; folder: string; template: FiledTemplate; position: number; size: number };

/** A folder's key: its project, or the whole site. */
export const folderKey = (projectId: string | null): string => `folder ${projectId ?? ''}`;

interface Shown {
  folders: readonly TemplateFolder[];
  /** Project names by id. */
  names: ReadonlyMap<string, string>;
  search: string;
  /** Keys of the collapsed folders. A search expands all. */
  closed: ReadonlySet<string>;
}

export const SITE_NAME = 'Whole site';

export const folderName = (projectId: string | null, names: ReadonlyMap<string, string>): string =>
  projectId === null ? SITE_NAME : (names.get(projectId) ?? `Project ${projectId}`);

/** The visible nodes in order: folders with their matching templates, the whole site first, projects by name. */
export function nodesOf({ folders, names, search, closed }: Shown): TreeNode[] {
  const part = normalName(search);
  const sorted = folders
    .map(folder => ({ ...folder, name: folderName(folder.projectId, names) }))
    .sort((a, b) =>
      a.projectId === null ? -1 : b.projectId === null ? 1 : a.name.localeCompare(b.name, 'en', { numeric: true }),
    );
  return sorted.flatMap(({ projectId, name, templates }): TreeNode[] => {
    const key = folderKey(projectId);
    const found = part === '' ? templates : templates.filter(template => normalName(template.name).includes(part));
    if (part !== '' && found.length === 0) return [];
    const open = part !== '' || !closed.has(key);
    const lines = open ? found : [];
    return [
      { kind: 'folder', key, name, count: found.length, open },
      ...lines.map((template, index): TreeNode => {
        return { kind: 'template', key: template.id, folder: key, template, position: index + 1, size: found.length };
      }),
    ];
  });
}

/** What a key does in a tree (ARIA tree pattern): moves to a node or toggles a folder; `undefined` for other keys. */
export type TreeMove = { to: string } | { toggle: string } | undefined;

export function moveBy(key: string, nodes: readonly TreeNode[], at: number): TreeMove {
  const here = nodes[at];
  const go = (index: number): TreeMove => {
    const node = nodes[Math.min(Math.max(index, 0), nodes.length - 1)];
    return node && { to: node.key };
  };
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(nodes.length - 1);
    case 'ArrowRight':
      if (here?.kind !== 'folder') return undefined;
      return here.open ? (here.count > 0 ? go(at + 1) : undefined) : { toggle: here.key };
    case 'ArrowLeft':
      if (here?.kind === 'template') return { to: here.folder };
      return here?.open ? { toggle: here.key } : undefined;
    default:
      return undefined;
  }
}
