import type { Code, Definition, Heading, List, ListItem, Paragraph, PhrasingContent, RootContent, Table } from 'mdast';
import { losses } from '../../../domain/messages.ts';
import { type DraftBuilder, detail, header, item, paragraph } from '../blocks.ts';
import { boxedItem, boxOf, bulletOf, framedTitle, keywordOf } from '../head.ts';
import { readHtml } from '../html.ts';
import { isRule } from '../lines.ts';
import { codeOf } from '../spans.ts';
import { type TableRow, tableDraft } from '../table.ts';
import { taskOf } from '../task-signs.ts';
import { cellsOf } from './cells.ts';
import { inlineOf } from './inline.ts';
import { MarkdownSource } from './source.ts';
import { treeOf } from './tree.ts';

const structureTag = /<(?:li|ul|ol|table|tr|p|h[1-6]|dl)\b/i;
const listLine = /^[ \t\xa0]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t\xa0]+\S/m;
/** A line of tags, or of one element. */
const tagsOnly = /^[ \t\xa0]*<\/?[a-z][^\n]*>[ \t\xa0]*$/i;
/** Markup that a blank line does not end. */
const verbatim = /^[ \t\xa0]*<(?:script|pre|style|textarea|!|\?)/i;

/** State that the pieces of a text share. */
export interface WholeText {
  draft: DraftBuilder;
  /** Whether items begin with keywords. */
  hasKeywords: boolean;
  /** Rows of a table that goes on in the next piece. */
  tableRows: TableRow[];
}

/** A line of a paragraph: its words in our markup, its source without the marks of quotes, and its number in the input. */
interface Line {
  words: string;
  source: string;
  number: number;
}

/** A line behind a bullet that Markdown does not know. */
function withoutBullet({ words, source, number }: Line): Line {
  const bullet = bulletOf(source);
  return { words: (bullet && bulletOf(words)?.text) ?? words, source: bullet?.text ?? source, number };
}

/** Whether a paragraph begins with a box. */
function isBoxed(node: Paragraph): boolean {
  const [first] = node.children;
  return first?.type === 'text' && boxOf(first.value) !== undefined;
}

/** Reads one piece of a text into its draft. */
export class PieceReader {
  private readonly whole: WholeText;
  private readonly draft: DraftBuilder;
  private readonly source: MarkdownSource;
  /** Whether the lines are a drawer, as Org and Logseq have it below an item. */
  private isInDrawer: boolean = false;

  constructor(text: string, whole: WholeText, inputLine: (line: number) => number) {
    this.whole = whole;
    this.draft = whole.draft;
    this.source = new MarkdownSource(text, whole.draft, inputLine);
  }

  /** `isTablePart`: the piece begins with a table whose head is repeated; `isContinued`: the table at its end goes on. */
  read({ isTablePart = false, isContinued = false } = {}): void {
    const { children } = treeOf(this.source.text);
    const isDefinition = (node: RootContent) => node.type === 'definition';
    for (const node of children) if (node.type === 'definition') this.source.define(node.identifier, node.url);
    const shown = children.filter(node => !isDefinition(node));
    for (const [i, node] of shown.entries()) {
      const isParted = isTablePart || (isContinued && i === shown.length - 1);
      if (node.type === 'table' && isParted) this.whole.tableRows.push(...this.rowsOf(node, isTablePart));
      else if (node.type === 'paragraph' && this.isUnderlined(node, shown[i + 1]))
        this.draft.add(header(this.inline(node.children).join(' '), 1));
      else this.block(node);
    }
    for (const node of children) if (node.type === 'definition') this.definition(node);
  }

  /** Whether a line stands above a rule of its own length, as titles of reStructuredText do. */
  private isUnderlined(node: Paragraph, next: RootContent | undefined): boolean {
    if (next?.type !== 'thematicBreak' || this.source.lineOf(next) !== this.source.lineOf(node) + 1) return false;
    const title = this.source.of(node);
    return !title.includes('\n') && this.source.of(next).trim().length === title.length;
  }

  private block(node: RootContent): void {
    if (node.type === 'heading' && /\n[ ]{0,3}-- ?$/.test(this.source.of(node))) this.signed(node);
    else if (node.type === 'heading') this.draft.add(header(this.inline(node.children).join(' '), node.depth));
    else if (node.type === 'paragraph') this.paragraph(node);
    else if (node.type === 'list') this.list(node);
    else if (node.type === 'blockquote') for (const child of node.children) this.quoted(child);
    else if (node.type === 'code') this.code(node);
    else if (node.type === 'html') this.html(node.value, this.source.lineOf(node));
    else if (node.type === 'table') this.table(node);
    else if (node.type === 'definition') this.definition(node);
    else if (node.type === 'yaml') this.settings(node.value, this.source.lineOf(node) + 1);
    else if (node.type !== 'thematicBreak') {
      const source = this.source.of(node);
      if (source.startsWith('+++')) this.source.lose(losses.setting, node, source);
      else this.draft.add(paragraph(source));
    }
  }

  /** Lines above the two dashes before the name of a mail's author, which are no underline. */
  private signed(node: Heading): void {
    for (const words of this.inline(node.children)) if (words !== '') this.draft.add(paragraph(words));
  }

  private settings(value: string, firstLine: number): void {
    for (const [i, line] of value.split('\n').entries())
      if (line.trim() !== '') this.draft.lose(losses.setting, firstLine + i, line);
  }

  private inline(nodes: readonly PhrasingContent[]): string[] {
    return inlineOf(nodes, this.source)
      .split('\n')
      .map(line => line.trim());
  }

  private linesOf(node: Paragraph): Line[] {
    const first = this.source.lineOf(node);
    const sources = this.source
      .of(node)
      .split('\n')
      .map(line => line.replace(/^[ \t>]+/, ''));
    return this.inline(node.children).map((words, i) => ({ words, source: sources[i] ?? words, number: first + i }));
  }

  /** A definition that a link took its address from has said all; another is text. */
  private definition(node: Definition): void {
    if (this.source.isUsed(node.identifier)) this.source.lose(losses.title, node, node.title ?? '');
    else this.draft.add(paragraph(this.source.of(node)));
  }

  /** An item of a line's words: its box, label, keyword and signs of dates, unless the source escapes them. */
  private addItem({ words, source, number }: Line): void {
    const box = boxOf(words);
    const boxInSource = boxOf(source);
    const isTextEscaped = boxInSource?.text.startsWith('\\') ?? false;
    // Converters of pages escape the boxes that they do not know.
    const isBoxed = boxInSource ? !isTextEscaped : source.startsWith('\\[');
    const keyword = this.whole.hasKeywords ? keywordOf(source) && keywordOf(words) : undefined;
    let parsedItem = (box && isBoxed && boxedItem(words, number, this.draft)) || item(words);
    if (box && isTextEscaped) parsedItem = item(box.text, box.status, box.mandatory);
    else if (keyword?.status) parsedItem = item(keyword.text, keyword.status);
    else if (keyword) {
      this.draft.lose(losses.status, number, keyword.word);
      parsedItem = item(`[${keyword.word}] ${keyword.text}`);
    }
    this.draft.add(taskOf(parsedItem, source, number, this.draft));
  }

  /** Lines of prose. A line with a bullet or box that Markdown does not know is an item. */
  private paragraph(node: Paragraph): void {
    if (this.structured(node)) return;
    let isBelowItem = false;
    for (const line of this.linesOf(node)) {
      const content = withoutBullet(line);
      const framed = framedTitle(line.words);
      const isItem = content.words !== line.words || boxOf(line.words) !== undefined;
      if (isItem) this.addItem(content);
      else if (framed) this.draft.add(header(framed.text, framed.level));
      else if (line.words !== '' && !isRule(line.words))
        this.draft.add(isBelowItem ? item(line.words) : paragraph(line.words));
      isBelowItem ||= isItem;
    }
  }

  /** Reads a paragraph that holds lists or tables of HTML. Returns whether it does. */
  private structured(node: Paragraph): boolean {
    const isStructured = node.children.some(child => child.type === 'html' && structureTag.test(child.value));
    if (isStructured) this.markup(this.source.of(node), this.source.lineOf(node));
    return isStructured;
  }

  private markup(source: string, line: number): void {
    this.draft.append(readHtml(source), line);
  }

  private list(node: List): void {
    for (const child of node.children) this.item(child);
  }

  private item(node: ListItem): void {
    this.isInDrawer = false;
    const [first] = node.children;
    if (!first) this.draft.add(item(''));
    for (const child of node.children) {
      if (child !== first || child.type !== 'paragraph') this.within(child);
      else if (!this.structured(child)) {
        const [head, ...more] = this.linesOf(child);
        // A line without any word left is no item.
        if (head && (head.words !== '' || more.length > 0)) this.addItem(head);
        for (const line of more) this.continued(line);
      }
    }
  }

  /** A further line of an item: a detail, or an item if it bears a box that Markdown does not know. */
  private continued(line: Line): void {
    const { words, number } = line;
    const content = withoutBullet(line);
    const isDrawer = /^:[\w-]+:$/.test(words);
    if (isDrawer) this.isInDrawer = /^:(?:LOGBOOK|PROPERTIES):$/i.test(words);
    if (!isDrawer && !this.isInDrawer && boxOf(content.words) && boxOf(content.source)) this.addItem(content);
    else if (isDrawer || this.isInDrawer || /^[\w-]+::/.test(words)) this.draft.lose(losses.setting, number, words);
    else if (words !== '') this.draft.add(detail(words));
  }

  /** Content of an item below its first paragraph. */
  private within(node: RootContent): void {
    if (node.type === 'paragraph') {
      if (!this.structured(node)) for (const line of this.linesOf(node)) this.continued(line);
    } else if (node.type === 'list') {
      this.draft.nest(this.source.lineOf(node), this.source.of(node).split('\n')[0] ?? '');
      this.list(node);
    } else if (node.type === 'blockquote') for (const child of node.children) this.detailed(child);
    else this.block(node);
  }

  /** Adds a quote of an item line by line. Blocks in the quote keep their marks as text. */
  private detailed(node: RootContent, mark = ''): void {
    if (node.type === 'paragraph' || node.type === 'heading') {
      const start = node.type === 'heading' ? `${'#'.repeat(node.depth)} ` : mark;
      for (const [i, line] of this.inline(node.children).entries())
        if (line !== '') this.draft.add(detail(i === 0 ? start + line : line));
    } else if (node.type === 'blockquote') for (const child of node.children) this.detailed(child);
    else if (node.type === 'list') {
      for (const child of node.children) {
        const [first] = child.children;
        const length =
          (first?.position?.start.offset ?? Number.POSITIVE_INFINITY) - (child.position?.start.offset ?? 0);
        const bullet = this.source.of(child).slice(0, length).trim();
        for (const part of child.children) this.detailed(part, part === first ? `${bullet} ` : '');
        if (!first) this.draft.add(detail(bullet));
      }
    } else if (node.type === 'thematicBreak') this.draft.add(detail(this.source.of(node)));
    else this.block(node);
  }

  /** A task list that is quoted as a whole is one; another quote says more about the row above. */
  private quoted(node: RootContent): void {
    const isTask = ({ children: [first] }: ListItem) => first?.type === 'paragraph' && isBoxed(first);
    if (node.type === 'list' && node.children.some(isTask)) this.list(node);
    else this.detailed(node);
  }

  private code(node: Code): void {
    const { value } = node;
    const line = this.source.lineOf(node);
    const info = [node.lang, node.meta].filter(Boolean).join(' ');
    const isFenced = /^[`~]/.test(this.source.of(node));
    // A list that stands indented as a whole, and GitHub's blocks of tasks, are lists.
    if (info === '[tasklist]' || (!isFenced && listLine.test(value))) {
      new PieceReader(value, this.whole, at => line + at - (isFenced ? 0 : 1)).read();
      return;
    }
    this.draft.lose(losses.setting, line, info);
    for (const words of value.split('\n')) if (words.trim() !== '') this.draft.add(detail(codeOf(words.trimEnd())));
  }

  private html(value: string, line: number): void {
    const hasList = listLine.test(value) && !/<(?:li|td|pre)\b/i.test(value) && !verbatim.test(value);
    const lines = value.split('\n');
    if (!hasList || !lines.some(text => tagsOnly.test(text))) {
      this.markup(value, line);
      return;
    }
    // A list that no blank line parts from the tags around it.
    const apart = lines.flatMap(
      (text, i) =>
        (tagsOnly.test(text)
          ? [
              ['', i],
              [text, i],
              ['', i],
            ]
          : [[text, i]]) as [string, number][],
    );
    const text = apart.map(([text]) => text).join('\n');
    new PieceReader(text, this.whole, at => line + (apart[at - 1]?.[1] ?? 0)).read();
  }

  /** The rows of a table, without the head that a part of one repeats. */
  private rowsOf({ children }: Table, isTablePart: boolean): TableRow[] {
    const [head] = children;
    const rows: TableRow[] = [];
    let isEnded = false;
    for (const row of isTablePart ? children.slice(1) : children) {
      const line = this.source.lineOf(row);
      const source = this.source.of(row);
      // A task directly below a table is none of its rows.
      const words = row !== head && !source.startsWith('|') ? (bulletOf(source)?.text ?? '') : '';
      isEnded ||= boxOf(words) !== undefined;
      if (isEnded) {
        this.addItem({ words, source: words, number: line });
        continue;
      }
      const parsedCells = cellsOf(row, this.source);
      if ('cells' in parsedCells) rows.push({ line, cells: parsedCells.cells, head: row === head });
      else for (const cell of parsedCells.markup) this.markup(cell, line);
    }
    return rows;
  }

  private table(node: Table): void {
    const rows = this.rowsOf(node, false);
    if (rows.length > 1 || node.children.length === 1) this.draft.append(tableDraft(rows));
    // The head of cells that are lists names nothing.
    else for (const { cells, line } of rows) this.draft.lose(losses.header, line, cells.join(' – '));
  }
}
