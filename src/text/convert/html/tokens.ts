import { decoded } from './entities.ts';

/** A piece of HTML. Names are in lower case; lines count from 1. */
export type Token =
  | { kind: 'text'; text: string; line: number }
  | { kind: 'open'; name: string; attributes: ReadonlyMap<string, string>; line: number }
  | { kind: 'close'; name: string; line: number };

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** The attributes of a tag, names in lower case, values with their entities as characters. */
export function attributesOf(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of source.matchAll(attribute)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, decoded(double ?? single ?? bare ?? ''));
  }
  return found;
}

/** Elements whose content is invisible or not markup. */
const unseen = /^(?:script|style|title|template)$/;

const tagStart = /<(\/?)([A-Za-z][^\s/<>"']*)/y;

/**
 * Tokenizes any text as a browser would, in one pass. An unclosed quote, comment or script costs one scan to the end
 * and is then read as text.
 */
export function* tokensOf(html: string): Generator<Token, void> {
  const last = { greater: html.lastIndexOf('>'), comment: html.lastIndexOf('-->'), cdata: html.lastIndexOf(']]>') };
  const unclosed = new Set<string>();
  let quotes = true;
  let line = 1;
  let position = 0;
  let lineBreak = html.indexOf('\n');
  const lineAt = (at: number) => {
    for (; lineBreak >= 0 && lineBreak < at; lineBreak = html.indexOf('\n', lineBreak + 1)) line++;
    return line;
  };

  /** After the `>` of the tag whose name ends at `from`. A quoted value may hold one. */
  const tagEnd = (from: number): number => {
    let at = from;
    while (quotes && at < html.length) {
      const unit = html[at];
      if (unit === '>') return at + 1;
      // No tag holds another's start: this one was a sign.
      if (unit === '<') return 0;
      const closer =
        (unit === '"' || unit === "'") && /=\s*$/.test(html.slice(at - 3, at)) ? html.indexOf(unit, at + 1) : at;
      if (closer < 0) break;
      at = closer + 1;
    }
    quotes = false;
    const end = html.indexOf('>', from) + 1;
    const next = html.indexOf('<', from);
    return next >= 0 && next < end ? 0 : end;
  };

  for (let at = 0; at < html.length; ) {
    const start = html.indexOf('<', at);
    if (start < 0 || start > last.greater) break;
    let end = 0;
    let verbatim = '';
    tagStart.lastIndex = start;
    const tag = tagStart.exec(html);
    if (html.startsWith('<!--', start) && last.comment > start) end = html.indexOf('-->', start + 2) + 3;
    else if (html.startsWith('<![CDATA[', start) && last.cdata > start) {
      end = html.indexOf(']]>', start) + 3;
      verbatim = html.slice(start + 9, end - 3);
    } else if (tag) end = tagEnd(tagStart.lastIndex);
    else if (html[start + 1] === '!' || html[start + 1] === '?') end = html.indexOf('>', start) + 1;
    if (end <= 0) {
      at = start + 1;
      continue;
    }
    if (start > position) yield { kind: 'text', text: decoded(html.slice(position, start)), line: lineAt(position) };
    if (verbatim !== '') yield { kind: 'text', text: verbatim, line: lineAt(start) };
    position = end;
    at = end;
    if (!tag) continue;
    const name = (tag[2] ?? '').toLowerCase();
    if (tag[1] === '/') yield { kind: 'close', name, line: lineAt(start) };
    else if (unseen.test(name) && !unclosed.has(name)) {
      const closer = new RegExp(`</${name}\\s*>`, 'gi');
      closer.lastIndex = end;
      if (closer.exec(html)) {
        position = closer.lastIndex;
        at = position;
      } else unclosed.add(name);
    } else {
      const attributes = attributesOf(html.slice(tagStart.lastIndex, end - 1));
      yield { kind: 'open', name, attributes, line: lineAt(start) };
    }
  }
  if (position < html.length) yield { kind: 'text', text: decoded(html.slice(position)), line: lineAt(position) };
}
