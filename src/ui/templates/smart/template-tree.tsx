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
import type { TemplateFolder } from '../../../client/admin/template-views.ts';
import { useFocusFallback } from '../../kit/focus.ts';
import { TextInput } from '../../kit/form/form.tsx';
import { useIncrementalCount } from '../../kit/use-incremental-count.ts';
import { itemWords } from '../../model/templates/templates.ts';
import { moveBy, nodesOf, type TreeNode } from './tree-nodes.ts';

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
  const found = nodes.findIndex(({ key }) => key === (at ?? open));
  const here = found < 0 ? 0 : found;
  /** The key of the node to focus after the next render. */
  const wanted = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(wanted.current)}"]`)?.focus();
    wanted.current = undefined;
  });
  // A deleted template's node disappears.
  const { onFocus, onBlur } = useFocusFallback(() => tree.current?.querySelector<HTMLElement>('[tabindex="0"]'));
  const go = (key: string) => {
    wanted.current = key;
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
    const node = nodes[here];
    const move = moveBy(event.key, nodes, here);
    if (move === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (move === undefined) {
      if (node) run(node);
    } else if ('to' in move) go(move.to);
    else toggle(move.toggle);
  };
  const all = nodes.filter(({ kind }) => kind === 'template').length;
  return (
    <>
      <search
        className="smart-search"
        onKeyDown={event => {
          const first = nodes.find(({ kind }) => kind === 'template');
          if (event.key === 'Enter' && first) run(first);
          else if (event.key === 'ArrowDown' && nodes.length > 0) go((typed === '' ? nodes[here] : first)?.key ?? '');
          else return;
          event.preventDefault();
        }}
      >
        <TextInput label="Search templates" value={typed} onChange={setTyped} />
      </search>
      <p className="check-hidden" role="status">
        {search === '' ? '' : all === 1 ? '1 template found' : `${all.toLocaleString('en')} templates found`}
      </p>
      {nodes.length === 0 ? <p className="templates-none">No templates match.</p> : null}
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
        {nodes.slice(0, Math.max(count, here + 1)).map((node, index) => (
          <Line
            key={node.key}
            node={node}
            current={index === here}
            open={node.key === open}
            unsaved={unsaved.has(node.key)}
            onRun={run}
          />
        ))}
      </div>
      {folders.every(({ templates }) => templates.length === 0) ? (
        <p className="templates-none">No templates yet.</p>
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
