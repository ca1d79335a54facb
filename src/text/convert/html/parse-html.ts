import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, Parser } from 'parse5';
import type { Sliced } from '../../sliced.ts';
import { copyingTree, type HtmlElement } from './tree.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** Characters that are parsed between two pauses. */
export const CHUNK_CHARS = 20_000;

/** The tree of a page. The build for browsers replaces this module by `parse-html-in-browser.ts`. */
export function* parsingHtml(html: string): Sliced<HtmlElement> {
  const parser = new Parser<DefaultTreeAdapterMap>();
  let at = 0;
  do {
    parser.tokenizer.write(html.slice(at, at + CHUNK_CHARS), at + CHUNK_CHARS >= html.length);
    at += CHUNK_CHARS;
    yield;
  } while (at < html.length);
  return yield* copyingTree<Node>(parser.document, {
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
