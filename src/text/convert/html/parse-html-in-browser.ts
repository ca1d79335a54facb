import type { Sliced } from '../../sliced.ts';
import { copyingTree, type HtmlElement } from './tree.ts';

const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

/** The tree of a page, by the browser's own parser, which runs and loads nothing of it. */
export function* parsingHtml(html: string): Sliced<HtmlElement> {
  const root = new DOMParser().parseFromString(html, 'text/html');
  yield;
  return yield* copyingTree<Node>(root, {
    text: node => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : undefined),
    element: node =>
      isElement(node)
        ? {
            name: node.nodeName.toLowerCase(),
            attributes: Array.from(node.attributes, ({ name, value }) => [name, value] as const),
          }
        : undefined,
    children: node => node.childNodes,
  });
}
