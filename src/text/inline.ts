import type { SyntaxNode } from '@lezer/common';
import {
  Bold,
  Code,
  Customers,
  DateRef,
  Details,
  Emoji,
  Gate,
  IssueKey,
  IssueUrl,
  Italic,
  Link,
  LinkTarget,
  Mention,
  MentionName,
  Strike,
  Url,
} from '../../grammar/parser.terms.ts';
import { gateNameOf } from './header/marks.ts';
import { accountIdOf, isoDayOf } from './references.ts';
import { rangeOf, rowAt } from './rows.ts';
import type { Checklist } from './types.ts';

/** A piece of a line as a view renders it. `text` is what to show, raw markup taken away. */
export type Segment =
  | { type: 'text' | 'code'; text: string }
  /** `isUnderscored`: italic between `_`, which touch no word. */
  | { type: 'bold' | 'italic' | 'strike'; text: string; children: Segment[]; isUnderscored?: true }
  /** `href` is an `http:`, `https:` or `mailto:` address, nothing else. */
  | { type: 'link'; text: string; href: string; children: Segment[] }
  | { type: 'url'; text: string; href: string }
  /**
   * An address with the shape of an issue URL; the view decides whether it belongs to this site. `value`: the issue
   * key.
   */
  | { type: 'issueUrl'; text: string; href: string; value: string }
  /** `value`: issue key, account id, name without `@`, ISO day, shortcode without colons, or the name in a gate. */
  | { type: 'issueKey' | 'mention' | 'mentionName' | 'date' | 'emoji' | 'gate'; text: string; value: string }
  | { type: 'customers'; text: string };

/** The text of segments. */
export const joinSegments = (segments: readonly Segment[]) => segments.map(({ text }) => text).join('');

const spanTypes = new Map<number, 'bold' | 'italic' | 'strike'>([
  [Bold, 'bold'],
  [Italic, 'italic'],
  [Strike, 'strike'],
]);

/** The key in an issue URL's path. */
export const issueOf = (url: string): string => /\/browse\/([A-Z][A-Z0-9_]+-\d+)(?:[?#]|$)/i.exec(url)?.[1] ?? '';

/** The segment of one node, or nothing for a node of plain text. */
function segmentOf(node: SyntaxNode, source: string): Segment | undefined {
  const text = source.slice(node.from, node.to);
  const span = spanTypes.get(node.type.id);
  if (span) {
    const children = segmentsBetween(node, source, node.firstChild?.to ?? node.from, node.lastChild?.from ?? node.to);
    const isUnderscored = source[node.from] === '_';
    return { type: span, text: joinSegments(children), children, ...(isUnderscored && { isUnderscored }) };
  }
  switch (node.type.id) {
    case Link: {
      const target = node.getChild(LinkTarget);
      if (!target) return undefined;
      const children = segmentsBetween(node, source, node.from + 1, target.from).map(withoutAddress);
      return {
        type: 'link',
        text: joinSegments(children),
        href: source.slice(target.from + 2, target.to - 1),
        children,
      };
    }
    case Code: {
      const fence = text.startsWith('``') ? 2 : 1;
      return { type: 'code', text: text.slice(fence, -fence) };
    }
    case Url:
      return { type: 'url', text, href: text };
    case IssueUrl:
      return { type: 'issueUrl', text, href: text, value: issueOf(text) };
    case IssueKey:
      return { type: 'issueKey', text, value: text };
    case Mention:
      return { type: 'mention', text, value: accountIdOf(text) };
    case MentionName:
      return { type: 'mentionName', text, value: text.slice(1) };
    case DateRef:
      return { type: 'date', text, value: isoDayOf(text) };
    case Emoji:
      return { type: 'emoji', text, value: text.slice(1, -1) };
    case Gate:
      return { type: 'gate', text, value: gateNameOf(text) };
    case Customers:
      return { type: 'customers', text };
  }
  return undefined;
}

/** A link cannot stand in a link: inside a label, addresses and issue keys are its text. */
const withoutAddress = (segment: Segment): Segment =>
  segment.type === 'url' || segment.type === 'issueUrl' || segment.type === 'issueKey'
    ? { type: 'text', text: segment.text }
    : 'children' in segment
      ? { ...segment, children: segment.children.map(withoutAddress) }
      : segment;

/** The segments of a range whose nodes are children of `parent`, or of a label that is text there. */
export function segmentsBetween(
  parent: SyntaxNode | null | undefined,
  source: string,
  from: number,
  to: number,
): Segment[] {
  const segments: Segment[] = [];
  let position = from;
  const textUpTo = (end: number) => {
    if (end > position) segments.push({ type: 'text', text: source.slice(position, end) });
    position = Math.max(position, end);
  };
  const walk = (node: SyntaxNode | null) => {
    for (let child = node; child && child.from < to; child = child.nextSibling) {
      if (child.from < position) continue;
      const segment = segmentOf(child, source);
      if (!segment) {
        // For marks, and a label that names no status, the text shows, and the nodes inside are read.
        walk(child.firstChild);
        continue;
      }
      textUpTo(child.from);
      segments.push(segment);
      position = child.to;
    }
  };
  walk(parent?.firstChild ?? null);
  textUpTo(to);
  return segments;
}

/** The syntax node of a row. */
export const nodeAt = (checklist: Checklist, index: number) =>
  checklist.tree.topNode.childAfter(rangeOf(checklist, index).from);

/** A row's text as segments, without mark, status and `!`. */
export function inlineOf(checklist: Checklist, index: number): Segment[] {
  const { from } = rangeOf(checklist, index);
  const { content } = rowAt(checklist, index);
  return segmentsBetween(nodeAt(checklist, index), checklist.text, from + content.from, from + content.to);
}

/** A row's details as segments, line by line. */
export function inlineOfDetails(checklist: Checklist, index: number): Segment[][] {
  const { from } = rangeOf(checklist, index);
  const nodes = nodeAt(checklist, index)?.getChildren(Details) ?? [];
  return rowAt(checklist, index).details.map((detail, i) =>
    segmentsBetween(nodes[i], checklist.text, from + detail.from, from + detail.to),
  );
}
