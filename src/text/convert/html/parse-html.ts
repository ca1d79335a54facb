import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { type HtmlElement, treeOf } from './tree.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** The tree of a page. The build for browsers replaces this module by `parse-html-in-browser.ts`. */
export const parseHtml = (html: string): HtmlElement =>
  treeOf<Node>(parse(html), {
    text: node => (node.nodeName === '#text' && 'value' in node ? node.value : undefined),
    element: node =>
      'tagName' in node
        ? {
            name: node.tagName.toLowerCase(),
            attributes: node.attrs.map(
              ({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value] as const,
            ),
          }
        : undefined,
    children: node => ('childNodes' in node ? node.childNodes : []),
  });
