import { type HtmlElement, treeOf } from './tree.ts';

const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

/** The tree of a page, by the browser's own parser, which runs and loads nothing of it. */
export const parseHtml = (html: string): HtmlElement =>
  treeOf<Node>(new DOMParser().parseFromString(html, 'text/html'), {
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
