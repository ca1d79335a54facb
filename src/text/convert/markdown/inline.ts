import type { PhrasingContent } from 'mdast';
import { losses } from '../../../domain/messages.ts';
import type { Loss } from '../blocks.ts';
import { attributesOf } from '../html/entities.ts';
import { codeOf, isLinked, linkOf } from '../spans.ts';

/** What the reader of a line needs besides its nodes. */
export interface InlineContext {
  /** The text that the nodes' positions count in. */
  source: string;
  /** Where a definition of the text points to, by its label as the parser compares labels. */
  addressOf: (identifier: string) => string | undefined;
  /** Lines above `source`. */
  lineOffset: number;
  lost: Loss[];
}

const emphasis: Record<string, string> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
  code: '`',
  kbd: '`',
};
const plain =
  /^(?:a|p|div|span|sub|sup|u|ins|details|summary|picture|font|small|big|mark|center|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6]|abbr|cite|q|dl|dt|dd)$/;

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
export function inlineOf(nodes: readonly PhrasingContent[], context: InlineContext): string {
  const { source, lineOffset, lost } = context;
  const closers = new Set<number>();
  const parts: string[] = [];

  const lose = (what: string, node: PhrasingContent, text: string) => {
    if (text !== '') lost.push({ what, line: (node.position?.start.line ?? 1) + lineOffset, text });
  };
  const start = (node: PhrasingContent) => node.position?.start.offset ?? 0;
  const sourceOf = (node: PhrasingContent) =>
    source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);

  const linked = (node: PhrasingContent & { children: PhrasingContent[] }, url: string, title: string): string => {
    const raw = sourceOf(node);
    // An address as it stands in the text; the language links it too.
    if (!/^[<[]/.test(raw)) return raw;
    if (raw.startsWith('<')) return /^mailto:/i.test(url) && !/^<mailto:/i.test(raw) ? raw.slice(1, -1) : url;
    const label = inlineOf(node.children, context);
    if (!isLinked(url)) {
      // The language shows such a link as it is written.
      const tail = raw.slice((node.children.at(-1)?.position?.end.offset ?? start(node) + 1) - start(node));
      return `[${label}${tail.replace(/\\(?=[!-/:-@[-`{-~])/g, '')}`.replace(/\n/g, ' ');
    }
    lose(losses.title, node, title);
    return linkOf(label.replace(/\n/g, ' '), url);
  };

  const html = (i: number, node: PhrasingContent & { value: string }): number => {
    const { value } = node;
    if (value.startsWith('<!--')) {
      lose(losses.comment, node, value.slice(4, -3).trim());
      return i;
    }
    const { closes, name, rest } = tagOf(value);
    if (name === 'br') parts.push(`${(parts.pop() ?? '').trimEnd()} `);
    else if (name === 'img' && /\bsrc\b/i.test(rest)) {
      const stated = attributesOf(rest);
      lose(losses.image, node, [stated.get('alt'), stated.get('src')].filter(Boolean).join(' '));
    } else if (name === 'input' && /checkbox/i.test(rest)) parts.push(/\bchecked\b/i.test(rest) ? '[x] ' : '[ ] ');
    else if (closers.has(i)) parts.push(emphasis[name] ?? '');
    else {
      const known = emphasis[name] !== undefined || plain.test(name);
      const closer = closes || !known || nodes.length > MAX_TAGGED_NODES ? -1 : closerOf(nodes, i, name);
      if (closer < 0) {
        parts.push(value);
        return i;
      }
      if (name === 'a') {
        const href = attributesOf(rest).get('href') ?? '';
        if (!isLinked(href)) lose(losses.address, node, href);
        parts.push(linkOf(inlineOf(nodes.slice(i + 1, closer), context), href));
        return closer;
      }
      closers.add(closer);
      parts.push(emphasis[name] ?? '');
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
        const raw = sourceOf(node);
        // Code of several lines is none in the language.
        if (raw.includes('\n')) parts.push(raw.replace(/\n[ \t>]*/g, '\n'));
        else parts.push(raw.includes('|') ? codeOf(node.value) : raw);
        break;
      }
      case 'strong':
      case 'emphasis':
      case 'delete': {
        const raw = sourceOf(node);
        const mark = raw.slice(0, node.type === 'emphasis' ? 1 : 2);
        const ours = mark === '__' ? '**' : mark;
        parts.push(`${ours}${inlineOf(node.children, context)}${ours}`);
        break;
      }
      case 'link':
        parts.push(linked(node, node.url, node.title ?? ''));
        break;
      case 'linkReference': {
        const address = node.identifier.startsWith('^') ? undefined : context.addressOf(node.identifier);
        parts.push(
          address === undefined || !isLinked(address)
            ? sourceOf(node)
            : linkOf(inlineOf(node.children, context), address),
        );
        break;
      }
      case 'image':
        lose(losses.image, node, [node.alt, node.url].filter(Boolean).join(' '));
        break;
      case 'imageReference':
        lose(losses.image, node, [node.alt, context.addressOf(node.identifier)].filter(Boolean).join(' '));
        break;
      case 'html':
        i = html(i, node);
        break;
      default:
        parts.push(sourceOf(node));
    }
  }
  return parts.join('');
}
