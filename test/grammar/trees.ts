import { Tree, TreeFragment } from '@lezer/common';
import { parser } from '../../grammar/parser.ts';
import { reusingLines } from '../../grammar/reuse.ts';

/** The parser that throws on an error instead of recovering from it. */
export const strict = parser.configure({ strict: true });

/** Every node of a tree, as `Name from-to`. */
export function nodesOf(tree: Tree): string[] {
  const nodes: string[] = [];
  tree.iterate({ enter: ({ name, from, to }) => void nodes.push(`${name} ${from}-${to}`) });
  return nodes;
}

/**
 * A source with its nodes marked: `{Name:text}`, nested as in the tree. Rows and the whole are not marked. `⏎` is no
 * mark, line ends are real. Gives the text and the nodes expected in it.
 */
export function marked(source: string): { text: string; nodes: string[] } {
  let text = '';
  const nodes: { name: string; from: number; to: number }[] = [];
  const open: (typeof nodes)[number][] = [];
  for (const [part, name] of source.matchAll(/\{([A-Z]\w*):|\}|[^{}]+|\{/g)) {
    if (name) {
      const node = { name, from: text.length, to: -1 };
      nodes.push(node);
      open.push(node);
    } else if (part === '}') {
      const node = open.pop();
      if (node) node.to = text.length;
    } else text += part;
  }
  return { text, nodes: nodes.map(({ name, from, to }) => `${name} ${from}-${to}`) };
}

/** A parser that uses parts of earlier trees again, and builds them of small parts, so that short texts have some too. */
export const reusing = reusingLines(parser.configure({ strict: true, bufferLength: 4 }));

/** The tree of `text` after one change of `before`, with what was parsed before used again. */
export function parseAgain(before: string, tree: Tree, change: { from: number; to: number; insert: string }) {
  const text = before.slice(0, change.from) + change.insert + before.slice(change.to);
  const toB = change.from + change.insert.length;
  const range = { fromA: change.from, toA: change.to, fromB: change.from, toB };
  const fragments = TreeFragment.applyChanges(TreeFragment.addTree(tree), [range], 0);
  return { text, tree: reusing.parse(text, fragments) };
}

/** The share of a tree's text that stands in parts of another tree. */
export function sharedWith(before: Tree, tree: Tree): number {
  const parts = new Set<unknown>();
  const collect = (part: Tree) => {
    parts.add(part);
    for (const child of part.children) if (child instanceof Tree) collect(child);
  };
  collect(before);
  const shared = (part: Tree): number =>
    parts.has(part)
      ? part.length
      : part.children.reduce((sum, child) => sum + (child instanceof Tree ? shared(child) : 0), 0);
  return shared(tree) / tree.length;
}
