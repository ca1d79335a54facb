import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Sliced } from '../../sliced.ts';
import { copyingTree, type HtmlElement } from './tree.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** The tree of a page. The build for browsers replaces this module by `parse-html-in-browser.ts`. */
export function* parsingHtml(html: string): Sliced<HtmlElement> {
  const root = parse(html);
  yield;
  return yield* copyingTree<Node>(root, {
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
}
