import type { Sliced } from '../../sliced.ts';

/** A piece of a page: text, or an element. Names are in lower case. */
export type HtmlNode = string | HtmlElement;

export interface HtmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: HtmlNode[];
}

/** How to read the nodes of a parser's tree. */
export interface NodeView<Node> {
  text: (node: Node) => string | undefined;
  /** Undefined if the node is no element. */
  element: (node: Node) => { name: string; attributes: Iterable<readonly [string, string]> } | undefined;
  children: (node: Node) => Iterable<Node>;
}

/** Nodes between two pauses. */
const SLICE_NODES = 1000;

/** Copies a parser's tree. Comments and types go. However deep it is, no call nests. */
export function* copyingTree<Node>(root: Node, view: NodeView<Node>): Sliced<HtmlElement> {
  let nodes = 0;
  const top: HtmlElement = { name: '', attributes: new Map(), children: [] };
  const open: { from: Node; to: HtmlElement }[] = [{ from: root, to: top }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const child of view.children(next.from)) {
      if (++nodes % SLICE_NODES === 0) yield;
      const text = view.text(child);
      if (text !== undefined) {
        next.to.children.push(text);
        continue;
      }
      const element = view.element(child);
      if (!element) continue;
      const copy: HtmlElement = { name: element.name, attributes: new Map(element.attributes), children: [] };
      next.to.children.push(copy);
      open.push({ from: child, to: copy });
    }
  }
  return top;
}
