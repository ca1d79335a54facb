import { finish } from '../../sliced.ts';
import { parsingHtml } from './parse-html.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';

const find = (nodes: readonly HtmlNode[], name: string): HtmlElement | undefined => {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const element = node.name === name ? node : find(node.children, name);
    if (element) return element;
  }
  return undefined;
};

/** The attributes of a tag, from what stands in it behind its name. */
export const attributesOf = (source: string): ReadonlyMap<string, string> =>
  find(finish(parsingHtml(`<x ${source.replace(/[<>]/g, '')}>`)).children, 'x')?.attributes ?? new Map();

const decodedEntities = new Map<string, string>();

/** A text with its entities as characters. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#\d{1,8}|#[xX][\da-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,30});/g, entity => {
    let sign = decodedEntities.get(entity);
    if (sign === undefined) {
      const [body] = find(finish(parsingHtml(`<p>${entity}`)).children, 'p')?.children ?? [];
      sign = typeof body === 'string' ? body.replace(/[\0\r]/g, '\uFFFD').replace(/\xa0/g, ' ') : entity;
      if (decodedEntities.size > 1000) decodedEntities.clear();
      decodedEntities.set(entity, sign);
    }
    return sign;
  });
}
