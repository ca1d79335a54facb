import type { PhrasingContent } from 'mdast';
import { losses } from '../../../domain/messages.ts';
import { markOf } from '../html/elements.ts';
import { attributesOf } from '../html/entities.ts';
import { codeOf, isLinked, linkOf } from '../spans.ts';
import type { MarkdownSource } from './source.ts';

/** Elements whose look or place a line does not hold. */
const plain =
  /^(?:a|p|div|span|sub|sup|u|ins|details|summary|picture|font|small|big|mark|center|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6]|abbr|q|dl|dt|dd)$/;

const tagOf = (html: string) => {
  const [, slash = '', name = '', rest = ''] = /^<(\/?)([A-Za-z][\w-]*)([\s\S]*?)\/?>$/.exec(html) ?? [];
  return { closes: slash !== '', name: name.toLowerCase(), rest };
};

const isBreak = (node: PhrasingContent | undefined) => node?.type === 'html' && tagOf(node.value).name === 'br';

/** Index of the node that closes the tag at `from`, or -1. */
function closerOf(nodes: readonly PhrasingContent[], from: number, name: string): number {
  let depth = 0;
  for (let i = from; i < nodes.length; i++) {
    const node = nodes[i];
    if (node?.type !== 'html') continue;
    const tag = tagOf(node.value);
    if (tag.name !== name) continue;
    depth += tag.closes ? -1 : 1;
    if (depth === 0) return i;
  }
  return -1;
}

/** Pairs are looked for in this many nodes of a line; in longer lines tags stay as they are. */
const MAX_TAGGED_NODES = 2000;

/** Inline nodes in our markup; further lines of them stand behind line breaks. */
export function inlineOf(nodes: readonly PhrasingContent[], source: MarkdownSource): string {
  const closers = new Set<number>();
  const parts: string[] = [];

  const linked = (node: PhrasingContent & { children: PhrasingContent[] }, url: string, title: string): string => {
    const raw = source.of(node);
    // An address as it stands in the text; the language links it too.
    if (!/^[<[]/.test(raw)) return raw;
    if (raw.startsWith('<')) return /^mailto:/i.test(url) && !/^<mailto:/i.test(raw) ? raw.slice(1, -1) : url;
    const label = inlineOf(node.children, source);
    if (!isLinked(url)) {
      // The language shows such a link as it is written.
      const from = node.position?.start.offset ?? 0;
      const tail = raw.slice((node.children.at(-1)?.position?.end.offset ?? from + 1) - from);
      return `[${label}${tail.replace(/\\([!-/:-@[-`{-~])/g, '$1')}`.replace(/\n/g, ' ');
    }
    source.lose(losses.title, node, title);
    return linkOf(label.replace(/\n/g, ' '), url);
  };

  const html = (i: number, node: PhrasingContent & { value: string }): number => {
    const { value } = node;
    if (value.startsWith('<!--')) {
      source.lose(losses.comment, node, value.slice(4, -3).trim());
      return i;
    }
    const { closes, name, rest } = tagOf(value);
    if (name === 'br') parts.push(`${(parts.pop() ?? '').trimEnd()} `);
    else if (name === 'img' && /\bsrc\b/i.test(rest)) {
      const stated = attributesOf(rest);
      source.lose(losses.image, node, [stated.get('alt'), stated.get('src')].filter(Boolean).join(' '));
    } else if (name === 'input' && /checkbox/i.test(rest)) parts.push(/\bchecked\b/i.test(rest) ? '[x] ' : '[ ] ');
    else if (closers.has(i)) parts.push(markOf(name) ?? '');
    else {
      const isKnownTag = markOf(name) !== undefined || plain.test(name);
      const closer = closes || !isKnownTag || nodes.length > MAX_TAGGED_NODES ? -1 : closerOf(nodes, i, name);
      if (closer < 0) {
        parts.push(value);
        return i;
      }
      if (name === 'a') {
        const href = attributesOf(rest).get('href') ?? '';
        if (!isLinked(href)) source.lose(losses.address, node, href);
        parts.push(linkOf(inlineOf(nodes.slice(i + 1, closer), source), href));
        return closer;
      }
      closers.add(closer);
      parts.push(markOf(name) ?? '');
    }
    return i;
  };

  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node) continue;
    switch (node.type) {
      case 'text':
        parts.push(isBreak(nodes[i - 1]) ? node.value.trimStart() : node.value);
        break;
      case 'break':
        parts.push('\n');
        break;
      case 'inlineCode': {
        const raw = source.of(node);
        // Code of several lines is none in the language.
        if (raw.includes('\n')) parts.push(raw.replace(/\n[ \t>]*/g, '\n'));
        // Only in the cell of a table a backslash before a bar is no part of the code.
        else parts.push(raw.includes('\\|') && !node.value.includes('\\|') ? codeOf(node.value) : raw);
        break;
      }
      case 'strong':
      case 'emphasis':
      case 'delete': {
        const raw = source.of(node);
        const mark = raw.slice(0, node.type === 'emphasis' ? 1 : 2);
        const ours = mark === '__' ? '**' : mark;
        parts.push(`${ours}${inlineOf(node.children, source)}${ours}`);
        break;
      }
      case 'link':
        parts.push(linked(node, node.url, node.title ?? ''));
        break;
      case 'linkReference': {
        const address = node.identifier.startsWith('^') ? undefined : source.addressOf(node.identifier);
        parts.push(
          address === undefined || !isLinked(address)
            ? source.of(node)
            : linkOf(inlineOf(node.children, source), address),
        );
        break;
      }
      case 'image':
        source.lose(losses.image, node, [node.alt, node.url].filter(Boolean).join(' '));
        break;
      case 'imageReference':
        source.lose(losses.image, node, [node.alt, source.addressOf(node.identifier)].filter(Boolean).join(' '));
        break;
      case 'html':
        i = html(i, node);
        break;
      default:
        parts.push(source.of(node));
    }
  }
  return parts.join('');
}
