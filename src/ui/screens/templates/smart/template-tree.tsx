import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FiledTemplate, TemplateFolder } from '../../../../client/admin/template-views.ts';
import { templates as messages } from '../../../../domain/messages.ts';
import { normalName } from '../../../../text/status-registry.ts';
import { useFocusFallback } from '../../../kit/focus.ts';
import { TextInput } from '../../../kit/form/form.tsx';
import { useIncrementalCount } from '../../../kit/sortable/sortable.tsx';
import { itemWords } from '../../../model/templates/templates.ts';

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

const SITE_NAME = 'Whole site';

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
    const matchingTemplates =
      part === '' ? templates : templates.filter(template => normalName(template.name).includes(part));
    if (part !== '' && matchingTemplates.length === 0) return [];
    const open = part !== '' || !closed.has(key);
    const lines = open ? matchingTemplates : [];
    return [
      { kind: 'folder', key, name, count: matchingTemplates.length, open },
      ...lines.map((template, index): TreeNode => {
        return {
          kind: 'template',
          key: template.id,
          folder: key,
          template,
          position: index + 1,
          size: matchingTemplates.length,
        };
      }),
    ];
  });
}

/**
 * The effect of a key in a tree (ARIA tree pattern): moves to a node or toggles a folder; `undefined` for other keys.
 */
type TreeMove = { to: string } | { toggle: string } | undefined;

export function moveBy(key: string, nodes: readonly TreeNode[], at: number): TreeMove {
  const currentNode = nodes[at];
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
      if (currentNode?.kind !== 'folder') return undefined;
      return currentNode.open ? (currentNode.count > 0 ? go(at + 1) : undefined) : { toggle: currentNode.key };
    case 'ArrowLeft':
      if (currentNode?.kind === 'template') return { to: currentNode.folder };
      return currentNode?.open ? { toggle: currentNode.key } : undefined;
    default:
      return undefined;
  }
}

interface Props {
  ref: RefObject<HTMLDivElement | null>;
  folders: readonly TemplateFolder[];
  names: ReadonlyMap<string, string>;
  /** Id of the open template. */
  open: string | undefined;
  /** Ids of templates with unsaved text. */
  unsaved: ReadonlyMap<string, unknown>;
  onOpen(id: string): void;
}

/** The tree of all templates by folder, with search and keyboard navigation. */
export function TemplateTree({ ref: tree, folders, names, open, unsaved, onOpen }: Props) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const nodes = useMemo(() => nodesOf({ folders, names, search, closed }), [folders, names, search, closed]);
  const count = useIncrementalCount(nodes.length);
  /** The key of the focused node. */
  const [at, setAt] = useState<string | undefined>(undefined);
  const foundIndex = nodes.findIndex(({ key }) => key === (at ?? open));
  const currentIndex = foundIndex < 0 ? 0 : foundIndex;
  /** The key of the node to focus after the next render. */
  const keyToFocus = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (keyToFocus.current === undefined) return;
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(keyToFocus.current)}"]`)?.focus();
    keyToFocus.current = undefined;
  });
  // A deleted template's node disappears.
  const { onFocus, onBlur } = useFocusFallback(() => tree.current?.querySelector<HTMLElement>('[tabindex="0"]'));
  const go = (key: string) => {
    keyToFocus.current = key;
    setAt(key);
  };
  const toggle = useCallback((key: string) => {
    setAt(key);
    setClosed(before => new Set(before.has(key) ? [...before].filter(each => each !== key) : [...before, key]));
  }, []);
  const run = useCallback(
    (node: TreeNode) => {
      setAt(node.key);
      if (node.kind === 'folder') toggle(node.key);
      else onOpen(node.key);
    },
    [toggle, onOpen],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = nodes[currentIndex];
    const move = moveBy(event.key, nodes, currentIndex);
    if (move === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (move === undefined) {
      if (node) run(node);
    } else if ('to' in move) go(move.to);
    else toggle(move.toggle);
  };
  const templateCount = nodes.filter(({ kind }) => kind === 'template').length;
  return (
    <>
      <search
        className="smart-search"
        onKeyDown={event => {
          const first = nodes.find(({ kind }) => kind === 'template');
          if (event.key === 'Enter' && first) run(first);
          else if (event.key === 'ArrowDown' && nodes.length > 0)
            go((typed === '' ? nodes[currentIndex] : first)?.key ?? '');
          else return;
          event.preventDefault();
        }}
      >
        <TextInput label="Search templates" value={typed} onChange={setTyped} />
      </search>
      <p className="check-hidden" role="status">
        {search === ''
          ? ''
          : templateCount === 1
            ? '1 template found'
            : `${templateCount.toLocaleString('en')} templates found`}
      </p>
      {nodes.length === 0 ? <p className="templates-none">{messages.noMatch}</p> : null}
      <div
        ref={tree}
        role="tree"
        aria-label="Templates"
        className="smart-tree"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        {nodes.slice(0, Math.max(count, currentIndex + 1)).map((node, index) => (
          <Line
            key={node.key}
            node={node}
            current={index === currentIndex}
            open={node.key === open}
            unsaved={unsaved.has(node.key)}
            onRun={run}
          />
        ))}
      </div>
      {folders.every(({ templates }) => templates.length === 0) ? (
        <p className="templates-none">{messages.none}</p>
      ) : null}
    </>
  );
}

interface LineProps {
  node: TreeNode;
  /** Whether the node is the tree's tab stop. */
  current: boolean;
  open: boolean;
  unsaved: boolean;
  onRun(node: TreeNode): void;
}

const sameNode = (a: TreeNode, b: TreeNode) =>
  a.kind === 'folder'
    ? b.kind === 'folder' && a.key === b.key && a.name === b.name && a.count === b.count && a.open === b.open
    : b.kind === 'template' && a.template === b.template && a.position === b.position && a.size === b.size;

/** Memoized: only changed nodes rerender. */
const Line = memo(
  ({ node, current, open, unsaved, onRun }: LineProps) => {
    const template = node.kind === 'template';
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its nodes.
      <div
        role="treeitem"
        data-key={node.key}
        aria-level={template ? 2 : 1}
        aria-selected={template ? open : undefined}
        aria-expanded={template ? undefined : node.open}
        {...(template && { 'aria-posinset': node.position, 'aria-setsize': node.size })}
        tabIndex={current ? 0 : -1}
        className={template ? 'smart-line smart-leaf' : 'smart-line smart-folder'}
        onClick={() => onRun(node)}
      >
        <span className="smart-name" dir="auto">
          {template ? node.template.name : node.name}
        </span>
        {template ? (
          <span className="smart-about">
            {unsaved ? <span className="smart-unsaved">Not saved</span> : null}
            {node.template.isDefault ? <span className="templates-mark">Default</span> : null}
            <span>{itemWords(node.template.itemCount)}</span>
          </span>
        ) : (
          <span className="smart-about">{node.count.toLocaleString('en')}</span>
        )}
      </div>
    );
  },
  (before, after) =>
    before.current === after.current &&
    before.open === after.open &&
    before.unsaved === after.unsaved &&
    before.onRun === after.onRun &&
    sameNode(before.node, after.node),
);
