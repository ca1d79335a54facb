import { losses } from '../../domain/messages.ts';
import { addDraft, type Block, type Draft, detail, header, item, type Loss, paragraph } from './blocks.ts';
import { definitionsOf, isDefinition } from './github/definitions.ts';
import { inlineOf } from './github/inline.ts';
import { boxOf, itemOf } from './head.ts';
import { isRule, type Line, linesOf, trimBlanks } from './lines.ts';
import { pipeCells, type TableRow, tableDraft } from './table.ts';

const listMark = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const headerMark = /^#{1,6}(?=[ \t]|$)/;
const fenceMark = /^(?:`{3,}(?=[^`]*$)|~{3,})/;

const rowBelow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** Whether a table begins here: with a pipe, or with cells above a rule between pipes. */
const startsTable = ({ text }: Line, below: Line | undefined) =>
  text.startsWith('|') ||
  (below !== undefined && text.includes('|') && below.text.includes('|') && rowBelow.test(below.text));

/** Whether a text may start with a mark that begins with one of the signs: most lines do not, and need no closer look. */
const mayStart = (text: string, signs: string) => text !== '' && signs.includes(text[0] ?? '');

const isUnderline = (text: string) => text.length > 2 && /^(?:={3,}|-{3,})$/.test(text);

/** The words of a header without the hashes that may close it. */
function headerText(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end < text.length && (end === 0 || /[ \t]/.test(text[end - 1] ?? '')) ? text.slice(0, end) : text;
}

/** Where a comment begins a line. */
function commentStart(text: string, position: number): number {
  const start = /^[ \t]*<!--/gm;
  start.lastIndex = position;
  const found = start.exec(text);
  return found ? start.lastIndex - 4 : -1;
}

/** The comments that begin a line, which may be long; templates of issues are full of them. No reader sees them. */
function withoutComments(text: string, lost: Loss[]): string {
  const parts: string[] = [];
  let position = 0;
  let line = 1;
  for (;;) {
    const from = commentStart(text, position);
    const to = from < 0 ? -1 : text.indexOf('-->', from + 4);
    if (to < 0) break;
    const before = text.slice(position, from);
    const comment = text.slice(from, to + 3);
    // Line breaks stay, so that lines keep their numbers.
    parts.push(before, comment.replace(/[^\n]+/g, ''));
    line += before.split('\n').length - 1;
    lost.push({ what: losses.comment, line, text: comment.slice(4, -3).trim() });
    line += comment.split('\n').length - 1;
    position = to + 3;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

/** GitHub's and GitLab's Markdown: lists with or without boxes in any nesting, headers, tables, quotes and code. */
export function readGithub(text: string): Draft {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  const seen = withoutComments(text, lost);
  const definitions = definitionsOf(seen);
  const lines = linesOf(seen);
  let listIndent = -1;
  let blankAbove = true;
  let nested = false;

  const inlineAt = (part: string, line: number) => inlineOf(part, line, definitions, lost);

  /** A line that says nothing but what is lost is no line. */
  const put = (block: Block, source: string) => {
    if (block.text !== '' || source === '') blocks.push(block);
  };

  /** Adds what the lines from `i` on hold together and gives the index of the last one. */
  const readBlock = (i: number, line: Line): number => {
    const fence = mayStart(line.text, '`~') ? fenceMark.exec(line.text)?.[0] : undefined;
    if (fence) return readCode(i, fence);
    return startsTable(line, lines[i + 1]) ? readTable(i) : readLine(i, line);
  };

  const readTable = (i: number): number => {
    const rows: TableRow[] = [];
    let end = i;
    for (let row = lines[end]; row?.text.includes('|'); row = lines[++end]) {
      const { number } = row;
      rows.push({ line: number, cells: pipeCells(row.text).map(cell => inlineAt(cell, number)) });
    }
    addDraft({ blocks, lost }, tableDraft(rows));
    listIndent = -1;
    return end - 1;
  };

  const readCode = (i: number, fence: string): number => {
    const opening = lines[i];
    const info = opening?.text.slice(fence.length).trim() ?? '';
    if (opening && info !== '') lost.push({ what: losses.setting, line: opening.number, text: info });
    for (let end = i + 1; end < lines.length; end++) {
      const line = lines[end];
      if (line?.text.startsWith(fence) && /^(?:`+|~+)$/.test(line.text)) return end;
      if (line && line.text !== '') blocks.push(detail(line.text.includes('`') ? line.text : `\`${line.text}\``));
    }
    return lines.length;
  };

  const readItem = ({ number, indent, text: line }: Line, mark: string): void => {
    if (listIndent >= 0 && indent > listIndent && !nested) {
      nested = true;
      lost.push({ what: losses.nesting, line: number, text: line });
    }
    if (listIndent < 0 || indent < listIndent) listIndent = indent;
    const content = trimBlanks(line.slice(mark.length));
    const box = boxOf(content);
    const read = box ? itemOf(box.text, box.status) : item(content);
    blocks.push({ ...read, text: inlineAt(read.text, number) });
  };

  const readQuote = ({ number, indent, text: line }: Line): void => {
    const quoted = trimBlanks(line.replace(/^> ?/, ''));
    const mark = listMark.exec(quoted)?.[0] ?? '';
    const box = mark === '' ? undefined : boxOf(trimBlanks(quoted.slice(mark.length)));
    // A task list that is quoted as a whole is one; what an item's quote says belongs to the item.
    if (box && (listIndent < 0 || indent <= listIndent)) readItem({ number, indent, text: quoted }, mark);
    else put(detail(inlineAt(quoted, number)), quoted);
  };

  const readLine = (i: number, line: Line): number => {
    const { number, indent, text: words } = line;
    const title = words.startsWith('#') ? headerMark.exec(words)?.[0] : undefined;
    const mark = mayStart(words, '-*+0123456789') ? listMark.exec(words)?.[0] : undefined;
    const below = lines[i + 1]?.text ?? '';
    if (title) {
      blocks.push(header(inlineAt(headerText(words.slice(title.length).trim()), number), title.length));
      listIndent = -1;
    } else if (isRule(words)) listIndent = -1;
    else if (mark) readItem(line, mark);
    else if (words.startsWith('>')) readQuote(line);
    else if (isDefinition(words, definitions)) listIndent = -1;
    else if (listIndent >= 0 && (indent > listIndent || !blankAbove)) put(detail(inlineAt(words, number)), words);
    else if (isUnderline(below) && indent < 4) {
      blocks.push(header(inlineAt(words, number), below.startsWith('=') ? 1 : 2));
      listIndent = -1;
      return i + 1;
    } else {
      put(paragraph(inlineAt(words, number)), words);
      listIndent = -1;
    }
    return i;
  };

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line && line.text !== '') i = readBlock(i, line);
    blankAbove = (lines[i]?.text ?? '') === '';
  }
  return { blocks, lost };
}
