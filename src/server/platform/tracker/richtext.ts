import * as v from 'valibot';
import { readAs } from '../../../domain/shape.ts';

/** A node of the tracker's document format, with its parts that yield text. */
interface Node {
  type: string;
  text?: string | undefined;
  attrs?: Record<string, unknown> | undefined;
  marks?: { type: string; attrs?: Record<string, unknown> | undefined }[] | undefined;
  content?: Node[] | undefined;
}

const attributes = v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined);
const nodeShape: v.GenericSchema<unknown, Node> = v.lazy(() =>
  v.object({
    type: v.string(),
    text: v.fallback(v.optional(v.string()), undefined),
    attrs: attributes,
    marks: v.fallback(v.optional(v.array(v.object({ type: v.string(), attrs: attributes }))), undefined),
    content: v.optional(v.array(nodeShape)),
  }),
);
const documentShape = v.object({ type: v.literal('doc'), content: v.array(nodeShape) });

/** More than any editor nests. */
const MAX_DEPTH = 100;

const attribute = ({ attrs }: Pick<Node, 'attrs'>, name: string): string => {
  const value = attrs?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const around: Record<string, string> = { strong: '**', em: '*', strike: '~~', code: '`' };

function marked({ text = '', marks = [] }: Node): string {
  return marks.reduce((inner, mark) => {
    if (mark.type !== 'link') return `${around[mark.type] ?? ''}${inner}${around[mark.type] ?? ''}`;
    const address = attribute(mark, 'href');
    return address === '' || address === inner ? inner : `[${inner}](${address})`;
  }, text);
}

/** Converts milliseconds since the epoch to an ISO day. */
function dayOf(node: Node): string {
  const date = new Date(Number(attribute(node, 'timestamp')));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** The URL of a card; for an issue only its key. */
const cardOf = (node: Node): string =>
  /\/browse\/([A-Z][A-Z0-9_]+-\d+)$/.exec(attribute(node, 'url'))?.[1] ?? attribute(node, 'url');

function inline(node: Node): string {
  switch (node.type) {
    case 'text':
      return marked(node);
    case 'hardBreak':
      return '\n';
    case 'mention':
      return `[~accountid:${attribute(node, 'id')}]`;
    case 'emoji':
      return attribute(node, 'text') || attribute(node, 'shortName');
    case 'date':
      return dayOf(node);
    case 'inlineCard':
      return cardOf(node);
    case 'status':
      return attribute(node, 'text');
    default:
      return node.text ?? (node.content ?? []).map(inline).join('');
  }
}

const isBlock = ({ type }: Node): boolean =>
  /^(paragraph|heading|blockquote|codeBlock|panel|expand|nestedExpand|table\w*|\w+List|\w+Item|rule|blockCard|media\w*|layout\w+)$/.test(
    type,
  );

/** Puts the mark before the first line; the other lines follow as details. */
const item = (mark: string, [first = '', ...others]: readonly string[]): string[] => [`${mark} ${first}`, ...others];

/** Converts a block to lines of a checklist. */
function lines(node: Node): string[] {
  const { type, content = [] } = node;
  switch (type) {
    case 'heading':
      return [
        `${'#'.repeat(Math.min(6, Math.max(1, Number(attribute(node, 'level')) || 1)))} ${content.map(inline).join('')}`,
      ];
    case 'listItem':
      return item('-', content.flatMap(lines));
    case 'taskItem':
      return item(attribute(node, 'state') === 'DONE' ? '+' : '-', content.map(inline).join('').split('\n'));
    case 'decisionItem':
      return item('-', content.map(inline).join('').split('\n'));
    case 'blockquote':
      return content.flatMap(lines).map(line => `> ${line}`);
    case 'tableRow':
      return [content.map(cell => cell.content?.flatMap(lines).join(' ') ?? '').join(' | ')];
    case 'blockCard':
      return [cardOf(node)];
    case 'rule':
      return [];
    default:
      return content.some(isBlock) ? content.flatMap(lines) : inline(node).split('\n');
  }
}

function tooDeep(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH * 2) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(inner => tooDeep(inner, depth + 1));
}

/**
 * The text of a field's value: a string, or a rich-text document, whose blocks become lines. Blocks without a
 * counterpart in the language become plain text. `undefined` for other values.
 */
export function flatText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || tooDeep(value)) return undefined;
  return readAs(documentShape, value)?.content.flatMap(lines).join('\n');
}
