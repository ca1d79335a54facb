import type { Definition, Html, List, ListItem, Nodes, Paragraph, PhrasingContent, RootContent, Table } from 'mdast';
import { losses } from '../../../domain/messages.ts';
import type { Sliced } from '../../sliced.ts';
import {
  addDraft,
  type Block,
  type Draft,
  detail,
  header,
  type ItemBlock,
  item,
  type Loss,
  paragraph,
} from '../blocks.ts';
import { boxedItem, boxOf, bulletOf, hasKeywords, keywordOf } from '../head.ts';
import { readHtml } from '../html.ts';
import { codeOf } from '../spans.ts';
import { readingTable, type TableRow, tableDraft } from '../table.ts';
import { taskOf } from '../task-signs.ts';
import { readingText } from '../text.ts';
import { type InlineContext, inlineOf } from './inline.ts';
import { MAX_PIECE_WEIGHT, type Piece, piecesOf } from './pieces.ts';
import { treeOf } from './tree.ts';

const definitionLine = /^[ ]{0,3}\[([^\]^[\n][^\][\n]*)\]:[ \t\xa0]+(\S.*)$/gm;

const labelKey = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** The definitions of a text that has several pieces, by label: any piece may name any of them. */
function definitionLines(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [line, label = ''] of text.matchAll(definitionLine)) {
    const key = labelKey(label);
    if (!lines.has(key)) lines.set(key, line);
  }
  return lines;
}

const isStructure = /<(?:li|ul|ol|table|tr|p|h[1-6]|dl)\b/i;
const listLine = /^[ \t\xa0]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t\xa0]+\S/m;
/** A line of tags, or of one element. */
const tagsOnly = /^[ \t\xa0]*<\/?[a-z][^\n]*>[ \t\xa0]*$/i;
/** Markup that a blank line does not end. */
const verbatim = /^[ \t\xa0]*<(?:script|pre|style|textarea|!|\?)/i;

/** What the pieces of a text share. */
interface Shared {
  /** Whether items begin with keywords. */
  keywords: boolean;
  /** Whether a list in a list was reported. */
  nested: boolean;
  /** Rows of a table that goes on in the next piece. */
  rows: TableRow[];
}

/** Reads the tree of one piece. */
class PieceReader {
  readonly blocks: Block[] = [];
  readonly lost: Loss[] = [];
  private readonly context: InlineContext;
  private readonly used = new Set<string>();
  private readonly shared: Shared;
  /** The table at the end, if it goes on in the next piece. */
  private readonly continuedTable: Table | undefined;
  private readonly isTablePart: boolean;

  constructor(source: string, lineOffset: number, shared: Shared, { isTablePart = false, isContinued = false } = {}) {
    this.shared = shared;
    this.isTablePart = isTablePart;
    const tree = treeOf(source);
    const last = tree.children.findLast(({ type }) => type !== 'definition');
    this.continuedTable = isContinued && last?.type === 'table' ? last : undefined;
    const definitions = new Map<string, string>();
    for (const node of tree.children) {
      if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
    }
    const addressOf = (identifier: string) => {
      this.used.add(identifier);
      return definitions.get(identifier);
    };
    this.context = { source, addressOf, lineOffset, lost: this.lost };
    const later: Definition[] = [];
    for (const node of tree.children) {
      if (node.type === 'definition') later.push(node);
      else this.block(node);
    }
    for (const node of later) this.definition(node);
  }

  private lineOf(node: Nodes): number {
    return (node.position?.start.line ?? 1) + this.context.lineOffset;
  }

  private sourceOf(node: Nodes): string {
    return this.context.source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  }

  private lose(what: string, node: Nodes, text: string): void {
    if (text !== '') this.lost.push({ what, line: this.lineOf(node), text });
  }

  private inline(nodes: readonly PhrasingContent[]): string[] {
    return inlineOf(nodes, this.context)
      .split('\n')
      .map(line => line.trim());
  }

  private block(node: RootContent): void {
    switch (node.type) {
      case 'heading':
        this.blocks.push(header(this.inline(node.children).join(' '), node.depth));
        return;
      case 'paragraph':
        this.paragraph(node);
        return;
      case 'list':
        this.list(node);
        return;
      case 'blockquote':
        for (const child of node.children) this.quoted(child);
        return;
      case 'code':
        this.code(this.sourceOf(node), node.value, [node.lang, node.meta].filter(Boolean).join(' '), this.lineOf(node));
        return;
      case 'html':
        this.html(node);
        return;
      case 'table':
        this.table(node);
        return;
      case 'yaml':
        for (const [i, line] of node.value.split('\n').entries())
          if (line.trim() !== '') this.lost.push({ what: losses.setting, line: this.lineOf(node) + 1 + i, text: line });
        return;
      case 'definition':
        this.definition(node);
        return;
      case 'thematicBreak':
        return;
      default: {
        const source = this.sourceOf(node);
        if (source.startsWith('+++')) this.lose(losses.setting, node, source);
        else this.blocks.push(paragraph(source));
      }
    }
  }

  /** A definition that a link took its address from has said all; another is text. */
  private definition(node: Definition): void {
    if (this.used.has(node.identifier)) this.lose(losses.title, node, node.title ?? '');
    else this.blocks.push(paragraph(this.sourceOf(node)));
  }

  /** An item of a line's words: its box, label, keyword and signs of dates, where none of them is escaped in the source. */
  private itemOf(words: string, source: string, line: number): ItemBlock {
    const lose = (_: string, text: string) => this.lost.push({ what: losses.status, line, text });
    const box = boxOf(words);
    const boxed = boxOf(source);
    const keyword = this.shared.keywords ? keywordOf(source) && keywordOf(words) : undefined;
    let read = item(words);
    if (box && boxed && !boxed.text.startsWith('\\')) read = boxedItem(words, lose) ?? read;
    else if (box && boxed) read = item(box.text, box.status, box.mandatory);
    // Converters of pages escape the boxes that they do not know.
    else if (box && source.startsWith('\\[')) read = boxedItem(words, lose) ?? read;
    else if (keyword?.status) read = item(keyword.text, keyword.status);
    else if (keyword) {
      lose('status', keyword.word);
      read = item(`[${keyword.word}] ${keyword.text}`);
    }
    return taskOf(read, source, line, this.lost);
  }

  /** The source of a node's lines, without the marks of quotes. */
  private linesOf(node: Nodes): string[] {
    return this.sourceOf(node)
      .split('\n')
      .map(line => line.replace(/^[ \t>]+/, ''));
  }

  /** Lines of prose. A line with a bullet or box that Markdown does not know is an item. */
  private paragraph(node: Paragraph): void {
    const structured = this.structured(node);
    if (structured) return;
    let inItem = false;
    const sources = this.linesOf(node);
    for (const [i, words] of this.inline(node.children).entries()) {
      const source = sources[i] ?? words;
      const bullet = bulletOf(source) && bulletOf(words)?.text;
      const isItem = bullet !== undefined || boxOf(words) !== undefined;
      if (isItem) {
        this.blocks.push(this.itemOf(bullet ?? words, bulletOf(source)?.text ?? source, this.lineOf(node) + i));
        inItem = true;
      } else if (words !== '') this.blocks.push(inItem ? item(words) : paragraph(words));
    }
  }

  /** A paragraph or cell that holds lists or tables of HTML. */
  private structured(node: Nodes & { children: { type: string; value?: string }[] }): boolean {
    if (!node.children.some(child => child.type === 'html' && isStructure.test(child.value ?? ''))) return false;
    this.markup(this.sourceOf(node), this.lineOf(node));
    return true;
  }

  private markup(source: string, line: number): void {
    const seen = source.replace(/<!--([\s\S]*?)-->/g, (_, comment: string) => {
      if (comment.trim() !== '') this.lost.push({ what: losses.comment, line, text: comment.trim() });
      return '';
    });
    const { blocks, lost } = readHtml(seen);
    addDraft(this, { blocks, lost: lost.map(loss => ({ ...loss, line: loss.line + line - 1 })) });
  }

  private list(node: List): void {
    for (const child of node.children) this.item(child);
  }

  /** Reports the first list in a list. */
  private nest(node: List): void {
    if (this.shared.nested) return;
    this.shared.nested = true;
    this.lose(losses.nesting, node, this.sourceOf(node).split('\n')[0] ?? '');
  }

  private item(node: ListItem): void {
    const [first, ...rest] = node.children;
    const words = first?.type === 'paragraph' && !this.structured(first) ? this.inline(first.children) : [];
    if (first?.type === 'paragraph' && words.length > 0) {
      const [text = '', ...more] = words;
      // A line that holds nothing but what is lost is none.
      const [source = '', ...sources] = this.linesOf(first);
      if (text !== '' || more.length > 0) this.blocks.push(this.itemOf(text, source, this.lineOf(node)));
      for (const [i, line] of more.entries()) this.continued(line, sources[i] ?? line, this.lineOf(first) + 1 + i);
    } else if (!first) this.blocks.push(item(''));
    else if (first.type !== 'paragraph') rest.unshift(first);
    for (const child of rest) this.within(child);
  }

  /** A further line of an item: a detail, or an item if it bears a box that Markdown does not know. */
  private continued(line: string, source: string, number: number): void {
    const bullet = (bulletOf(source) && bulletOf(line)?.text) ?? line;
    const content = bulletOf(source)?.text ?? source;
    if (boxOf(bullet) && boxOf(content)) this.blocks.push(this.itemOf(bullet, content, number));
    else if (/^(?:[\w-]+::|:[\w-]+:$)/.test(line)) this.lost.push({ what: losses.setting, line: number, text: line });
    else if (line !== '') this.blocks.push(detail(line));
  }

  /** What stands in an item below its first paragraph. */
  private within(node: RootContent): void {
    if (node.type === 'paragraph' && !this.structured(node)) {
      const sources = this.linesOf(node);
      for (const [i, line] of this.inline(node.children).entries())
        this.continued(line, sources[i] ?? line, this.lineOf(node) + i);
    } else if (node.type === 'list') {
      this.nest(node);
      this.list(node);
    } else if (node.type === 'blockquote') for (const child of node.children) this.detailed(child);
    else if (node.type !== 'paragraph') this.block(node);
  }

  /** A quote of an item: what it shows, line by line. Blocks in it keep their marks as text. */
  private detailed(node: RootContent, mark = ''): void {
    if (node.type === 'paragraph' || node.type === 'heading') {
      const start = node.type === 'heading' ? `${'#'.repeat(node.depth)} ` : mark;
      for (const [i, line] of this.inline(node.children).entries())
        if (line !== '') this.blocks.push(detail(i === 0 ? start + line : line));
    } else if (node.type === 'blockquote') for (const child of node.children) this.detailed(child);
    else if (node.type === 'list') {
      for (const child of node.children) {
        const [first] = child.children;
        const start = child.position?.start.offset ?? 0;
        const bullet = this.context.source.slice(start, first?.position?.start.offset ?? child.position?.end.offset);
        for (const part of child.children) this.detailed(part, part === first ? `${bullet.trim()} ` : '');
        if (!first) this.blocks.push(detail(bullet.trim()));
      }
    } else if (node.type === 'thematicBreak') this.blocks.push(detail(this.sourceOf(node)));
    else this.block(node);
  }

  /** A task list that is quoted as a whole is one; another quote says more about the row above. */
  private quoted(node: RootContent): void {
    const isTask = (child: ListItem) => {
      const [first] = child.children;
      return first?.type === 'paragraph' && boxOf(this.inlineText(first)) !== undefined;
    };
    if (node.type === 'list' && node.children.some(isTask)) this.list(node);
    else this.detailed(node);
  }

  private inlineText(node: Paragraph): string {
    const [first] = node.children;
    return first?.type === 'text' ? first.value : '';
  }

  private code(source: string, value: string, info: string, line: number): void {
    const fenced = /^[`~]/.test(source);
    // A list that stands indented as a whole, and GitHub's blocks of tasks, are lists.
    if (info === '[tasklist]' || (!fenced && listLine.test(value))) {
      const { blocks, lost } = new PieceReader(value, line - (fenced ? 0 : 1), this.shared);
      addDraft(this, { blocks, lost });
      return;
    }
    if (info !== '') this.lost.push({ what: losses.setting, line, text: info });
    for (const words of value.split('\n')) if (words.trim() !== '') this.blocks.push(detail(codeOf(words.trimEnd())));
  }

  private html(node: Html): void {
    const { value } = node;
    if (/^<!--[\s\S]*-->$/.test(value) && value.indexOf('-->') === value.length - 3) {
      this.lose(losses.comment, node, value.slice(4, -3).trim());
    } else if (listLine.test(value) && !/<(?:li|td|pre)\b/i.test(value)) {
      // A list that no blank line parts from the tags around it.
      const apart = value
        .split('\n')
        .map(line => (tagsOnly.test(line) ? `\n${line}\n` : line))
        .join('\n');
      if (apart === value || verbatim.test(value)) this.markup(value, this.lineOf(node));
      else {
        const { blocks, lost } = new PieceReader(apart, 0, this.shared);
        addDraft(this, { blocks, lost: lost.map(loss => ({ ...loss, line: this.lineOf(node) })) });
      }
    } else this.markup(value, this.lineOf(node));
  }

  private table(node: Table): void {
    const [head, ...body] = node.children;
    const rows: TableRow[] = [];
    let after: { words: string; line: number }[] = [];
    for (const row of this.isTablePart ? body : node.children) {
      const source = this.sourceOf(row);
      const line = this.lineOf(row);
      // A task directly below a table is none of its rows.
      const mark = row !== head && !source.startsWith('|') ? bulletOf(source) : undefined;
      if (mark && boxOf(mark.text)) {
        after.push({ words: mark.text, line });
        continue;
      }
      if (after.length > 0) break;
      const isList = (cell: (typeof row.children)[number]) =>
        this.hasList(cell.children) && this.boxIn(cell) === undefined;
      if (row.children.some(isList)) {
        for (const cell of row.children) this.markup(this.cellSource(cell), line);
        continue;
      }
      const cells = row.children.map(
        cell => this.boxIn(cell) ?? inlineOf(cell.children, this.context).replace(/\n/g, ' ').trim(),
      );
      rows.push({ line, cells, head: row === head });
    }
    // The head of cells that are lists names nothing.
    if (this.isTablePart || node === this.continuedTable) this.shared.rows.push(...rows);
    else if (rows.length > 1 || body.length === 0) addDraft(this, tableDraft(rows));
    else for (const { cells, line } of rows) this.lost.push({ what: losses.header, line, text: cells.join(' – ') });
    for (const { words, line } of after) this.blocks.push(this.itemOf(words, words, line));
    after = [];
  }

  /** The box of a cell that holds a list of one box and no words, as tables of GitHub need it. */
  private boxIn(cell: Nodes & { children: readonly PhrasingContent[] }): string | undefined {
    if (!this.hasList(cell.children)) return undefined;
    const words = this.cellSource(cell)
      .replace(/<[^<>]*>/g, '')
      .trim();
    const box = boxOf(bulletOf(words)?.text ?? words);
    return box?.text === '' ? `[${box.status === 'done' ? 'x' : ' '}]` : undefined;
  }

  private hasList(nodes: readonly PhrasingContent[]): boolean {
    return nodes.some(child => child.type === 'html' && /^<(?:li|ul|ol)\b/i.test(child.value));
  }

  private cellSource(cell: Nodes): string {
    return this.sourceOf(cell).replace(/^\|/, '').replace(/\|$/, '').trim();
  }
}

/** GitHub's and GitLab's Markdown: lists with or without boxes in any nesting, headers, tables, quotes, code and HTML. */
export function* readingMarkdown(text: string): Sliced<Draft> {
  const draft: Draft = { blocks: [], lost: [] };
  const shared: Shared = { keywords: hasKeywords(text), nested: false, rows: [] };
  const pieces = piecesOf(text);
  const definitions = pieces.length > 1 ? definitionLines(text) : new Map<string, string>();
  const named = new Set<string>();
  const namedIn = ({ text: source }: Piece): string[] => {
    const lines: string[] = [];
    if (definitions.size === 0) return lines;
    for (const [, label = ''] of source.matchAll(/\[([^\][\n]+)\](?!:)/g)) {
      const key = labelKey(label);
      const line = definitions.get(key);
      if (line !== undefined && !lines.includes(line)) lines.push(line);
      if (line !== undefined) named.add(key);
    }
    return lines;
  };
  const added = pieces.map(namedIn);
  for (const [i, piece] of pieces.entries()) {
    const isHeavy = piece.weight > MAX_PIECE_WEIGHT;
    if (shared.rows.length > 0 && (!piece.isTablePart || isHeavy))
      addDraft(draft, yield* readingTable(shared.rows.splice(0)));
    if (isHeavy) {
      const { blocks, lost } = yield* readingText(piece.text);
      draft.lost.push({ what: losses.unparsed, line: piece.line, text: '' });
      addDraft(draft, { blocks, lost: lost.map(loss => ({ ...loss, line: loss.line + piece.line - 1 })) });
      continue;
    }
    const source =
      definitions.size === 0
        ? piece.text
        : piece.text.replace(definitionLine, (line, label: string) => (named.has(labelKey(label)) ? '' : line));
    const lines = added[i] ?? [];
    const read = new PieceReader(
      lines.length > 0 ? `${source}\n\n${lines.join('\n')}` : source,
      piece.line - 1,
      shared,
      { isTablePart: piece.isTablePart, isContinued: pieces[i + 1]?.isTablePart ?? false },
    );
    addDraft(draft, read);
    yield;
  }
  if (shared.rows.length > 0) addDraft(draft, yield* readingTable(shared.rows));
  return draft;
}
