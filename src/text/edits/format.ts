import type { SyntaxNode, Tree } from '@lezer/common';
import { Bold, Code, Italic, Link, LinkTarget, Strike } from '../../../grammar/parser.terms.ts';
import { applyChanges } from '../document.ts';
import { EditRefused } from '../errors.ts';
import { readChecklist } from '../read.ts';
import type { Checklist, TextChange } from '../types.ts';
import { joinChanges } from './join-changes.ts';

/*
 * Emphasis and links around words. Marks stand inside one line, so a range over several lines is cut into the words of
 * each: what stands before them, marks and statuses, is never touched.
 */

/** A range of text, in UTF-16 code units. */
export interface TextRange {
  from: number;
  to: number;
}

export type Emphasis = 'bold' | 'italic' | 'strike' | 'code';

const nodeOf: Record<Emphasis, number> = { bold: Bold, italic: Italic, strike: Strike, code: Code };
const markOf: Record<Emphasis, string> = { bold: '**', italic: '*', strike: '~~', code: '`' };

const refused = () => new EditRefused('UNFORMATTABLE', 'This text cannot be formatted like that.');

/** The words of lines and details that the ranges hold, without the blanks at their ends. A cursor holds what it touches. */
export function wordsIn({ text, rows, starts }: Checklist, ranges: readonly TextRange[]): TextRange[] {
  const wordRanges: TextRange[] = [];
  rows.forEach((row, index) => {
    const start = starts[index] ?? 0;
    if (!ranges.some(({ from, to }) => from <= start + row.length && to >= start)) return;
    for (const line of [row.content, ...row.details]) {
      for (const range of ranges) {
        let from = Math.max(range.from, start + line.from);
        let to = Math.min(range.to, start + line.to);
        while (from < to && /\s/.test(text[from] ?? '')) from++;
        while (from < to && /\s/.test(text[to - 1] ?? '')) to--;
        if (from < to) wordRanges.push({ from, to });
      }
    }
  });
  return wordRanges.sort((a, b) => a.from - b.from);
}

/** The nodes that a range touches, lines apart. */
function nodesAt(tree: Tree, { from, to }: TextRange): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  tree.iterate({
    from,
    to,
    enter: ({ node, name }) => {
      if (!/^(Checklist|Header|Item|Details|.*Mark|.*Bracket|Mandatory|StatusLabel|LinkTarget)$/.test(name))
        nodes.push(node);
    },
  });
  return nodes;
}

/** The ranges of the two marks of a span or of code. */
function marksOf(node: SyntaxNode, text: string): [TextRange, TextRange] {
  const fence = node.type.id === Code ? (text.startsWith('``', node.from) ? 2 : 1) : undefined;
  const open = fence === undefined ? (node.firstChild?.to ?? node.from) : node.from + fence;
  const close = fence === undefined ? (node.lastChild?.from ?? node.to) : node.to - fence;
  return [
    { from: node.from, to: open },
    { from: close, to: node.to },
  ];
}

const holds = (outer: TextRange, inner: TextRange) => outer.from <= inner.from && outer.to >= inner.to;

/** The range, extended so that it cuts no node. */
function whole(tree: Tree, range: TextRange, type: number): TextRange {
  let { from, to } = range;
  for (;;) {
    const before = { from, to };
    for (const node of nodesAt(tree, before)) {
      const touches = node.type.id === type || (node.from < to && node.to > from);
      const nests = node.firstChild ? { from: node.firstChild.to, to: node.lastChild?.from ?? node.to } : undefined;
      if (!touches || (node.type.id !== type && nests && holds(nests, before))) continue;
      from = Math.min(from, node.from);
      to = Math.max(to, node.to);
    }
    if (from === before.from && to === before.to) return before;
  }
}

/** Joins ranges that overlap or touch. The given ranges are sorted. */
function united(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const { from, to } of ranges) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** Whether two readings are of the same rows, words apart. */
const sameRows = (a: Checklist, b: Checklist) =>
  a.rows.length === b.rows.length &&
  a.rows.every((row, index) => {
    const other = b.rows[index];
    if (other === undefined || other.kind !== row.kind || other.details.length !== row.details.length) return false;
    // The marks before the words are never touched: words that have become part of such a mark are lost.
    if (other.content.from !== row.content.from) return false;
    if (row.kind === 'header' || other.kind === 'header') return true;
    return row.status === other.status && row.mandatory === other.mandatory;
  });

/** The reading of a text after changes. Throws `EditRefused` if the changes would change the rows. */
function changed(checklist: Checklist, changes: readonly TextChange[]): Checklist {
  const after = readChecklist(applyChanges(checklist.text, changes), checklist.statuses, checklist);
  if (!sameRows(checklist, after)) throw refused();
  return after;
}

/** A position after changes, behind any text that they insert there. */
const moved = (changes: readonly TextChange[], position: number) =>
  changes.reduce(
    (at, { from, to = from, insert = '' }) =>
      from <= position ? at + insert.length - (Math.min(to, position) - from) : at,
    position,
  );

/**
 * Gives the words in these ranges an emphasis, or takes it away if all of them have it. Throws `EditRefused` if the
 * language cannot say it, such as in the middle of an address. Nothing in the ranges is nothing to do.
 */
export function toggleEmphasis(checklist: Checklist, ranges: readonly TextRange[], emphasis: Emphasis): TextChange[] {
  const { text, tree } = checklist;
  const type = nodeOf[emphasis];
  const words = wordsIn(checklist, ranges);
  const around = words.map(range => nodesAt(tree, range).find(node => node.type.id === type && holds(node, range)));
  const bare = (nodes: readonly (SyntaxNode | undefined)[]) => {
    const distinctNodes = new Map(nodes.flatMap(node => (node ? [[node.from, node] as const] : [])));
    return [...distinctNodes.values()].flatMap(node => marksOf(node, text));
  };
  if (words.length > 0 && around.every(node => node)) {
    const changes = joinChanges(bare(around));
    changed(checklist, changes);
    return changes;
  }
  const spans = united(words.map(range => whole(tree, range, type)));
  const inner = spans.flatMap(range =>
    nodesAt(tree, range).filter(node => node.type.id === type && holds(range, node)),
  );
  const gone = bare(inner);
  const mark = (range: TextRange) => {
    const within = gone
      .filter(old => holds(range, old))
      .map(({ from, to }) => ({ from: from - range.from, to: to - range.from }));
    const strippedText = applyChanges(text.slice(range.from, range.to), joinChanges(within));
    return emphasis === 'code' && strippedText.includes('`') ? '``' : markOf[emphasis];
  };
  const inserts = spans.flatMap(range => [
    { from: range.from, insert: mark(range) },
    { from: range.to, insert: mark(range) },
  ]);
  const changes = joinChanges(inserts, gone);
  const after = changed(checklist, changes);
  for (const { from, to } of words) {
    const movedRange = { from: moved(changes, from), to: moved(changes, to - 1) };
    if (!nodesAt(after.tree, movedRange).some(node => node.type.id === type && holds(node, movedRange)))
      throw refused();
  }
  return changes;
}

/** The link around a range, if there is one. */
const linkAt = ({ tree }: Checklist, range: TextRange) =>
  nodesAt(tree, range).find(node => node.type.id === Link && holds(node, range));

/** The target of a new link until the user types an address. */
export const LINK_START = 'https://';

/**
 * Makes a link of the words in a range, with an address to be typed, or the label alone of the link that they are in.
 * Throws `EditRefused` if the range contains several lines, brackets or other links.
 */
export function toggleLink(checklist: Checklist, range: TextRange): TextChange[] {
  const { text, tree } = checklist;
  const link = linkAt(checklist, range);
  const target = link?.getChild(LinkTarget);
  const [words, ...more] = wordsIn(checklist, [range]);
  let changes: TextChange[];
  if (link && target) {
    changes = [
      { from: link.from, to: link.from + 1 },
      { from: target.from, to: target.to },
    ];
  } else {
    if (!words) return [];
    const span = whole(tree, words, Link);
    const inside = nodesAt(tree, span).some(({ type }) => type.id === Link || type.id === Code);
    if (more.length > 0 || inside || /[[\]]/.test(text.slice(span.from, span.to))) throw refused();
    changes = [
      { from: span.from, insert: '[' },
      { from: span.to, insert: `](${LINK_START})` },
    ];
  }
  changed(checklist, changes);
  return changes;
}
