import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Block, type Draft, DraftBuilder, detail, header, paragraph } from './blocks.ts';
import { boxedItem, boxOf, framedTitle, itemOf } from './head.ts';
import { cellsWithin, type Line, linesOf, MAX_MARKED_CHARS, SLICE_LINES, trimBlanks } from './lines.ts';
import { codeOf } from './spans.ts';
import { isIcon } from './table/cell-words.ts';
import { readingTable, type TableRow } from './table.ts';
import { inlineOf } from './wiki/inline.ts';
import { alternatives, codeMacros, statusIcons, textMacros } from './wiki/signs.ts';

/** A cell that is an icon of a status, as a box. */
const cellWords = (cell: string): string => {
  const status = statusIcons.get(cell);
  return status === undefined ? cell : status === 'done' ? '[x]' : '[ ]';
};

/** Blocks between a pair of macros. Those of code and quotes may open behind an item's words. */
const macro = new RegExp(`\\{(${alternatives([...codeMacros, ...textMacros])})(?::([^{}\\n]*))?\\}`, 'g');
const listMark = /^(?:(?:[*#]+-*|-{1,3})(?=[ \t\u00A0])|[*#-]$)/;

const mayHoldMacro = (line: string) => line.includes('{') && line.length <= MAX_MARKED_CHARS;

interface Opening {
  name: string;
  parameters: string;
  before: string;
  after: string;
}

/** The tracker's wiki markup: `h2.` headers, `*`, `#` and `-` lists, signs and boxes, tables and macros. */
export function* readingWiki(text: string): Sliced<Draft> {
  const draft = new DraftBuilder();
  const lines = linesOf(text);
  const lastLines = new Map<string, number>();
  for (const { number, text: line } of lines) {
    if (number % SLICE_LINES === 0) yield;
    for (const [, name = '', parameters] of mayHoldMacro(line) ? line.matchAll(macro) : [])
      if (parameters === undefined) lastLines.set(name, number);
  }
  /** The open macros, the innermost last: code and text may stand in a macro of text. */
  const macros: string[] = [];
  let inList = false;

  const inside = () => macros.at(-1) ?? '';
  const holdsCode = () => inside() === 'code' || inside() === 'noformat';
  const closesAt = (text: string) => (macros.length === 0 ? -1 : text.indexOf(`{${inside()}}`));

  /** A line without any word left is not added. */
  const put = (block: Block, source: string) => {
    if (block.text !== '' || source === '') draft.add(block);
  };

  const readItem = (content: string, number: number) => {
    const inline = (part: string) => inlineOf(part, number, draft);
    const status = statusIcons.get(content.slice(0, 3));
    // The tracker's editor escapes a box that is typed in it.
    const boxed = content.replace(/^\\\[([^\]\w]|[xX])\\\]/u, '[$1]');
    const boxRead = status ? undefined : boxedItem(boxed, number, draft, inline);
    const words = boxRead ? '' : inline(status ? trimBlanks(content.slice(3)) : content);
    // An item without any word left is not added.
    if (boxRead) draft.add(boxRead);
    else if (status || words !== '' || content === '') draft.add(itemOf(words, status));
    inList = true;
  };

  const readLine = ({ number, text: line }: Line) => {
    const inline = (part: string) => inlineOf(part, number, draft);
    const title = /^h([1-6])\.[ \t\u00A0]*/.exec(line);
    const framed = title ? undefined : framedTitle(line);
    const mark = listMark.exec(line)?.[0];
    if (title) {
      draft.add(header(inline(line.slice(title[0].length)), Number(title[1])));
      inList = false;
    } else if (framed) {
      draft.add(header(inline(framed.text), framed.level));
      inList = false;
    } else if (/^-{4,}$/.test(line)) {
      inList = false;
    } else if (mark) {
      if (mark.length > 1 && mark !== '--') draft.nest(number, line);
      readItem(line.slice(mark.length).trim(), number);
    } else if (statusIcons.get(line.slice(0, 3)) || boxOf(line)) readItem(line, number);
    else if (/^bq\.(?=[ \t\xa0]|$)/.test(line)) put(detail(inline(line.slice(3).trim())), line.slice(3).trim());
    // An icon of the tracker begins a line of its own.
    else if (inList && !isIcon(line.slice(0, 3))) put(detail(inline(line)), line);
    else put(paragraph(inline(line)), line);
  };

  /** The macro that opens a block in a line: at its start, or code and quotes behind its words. */
  const openingIn = ({ number, text: line }: Line): Opening | undefined => {
    for (const match of mayHoldMacro(line) ? line.matchAll(macro) : []) {
      const [whole, name = '', parameters = ''] = match;
      const before = line.slice(0, match.index);
      const after = line.slice(match.index + whole.length);
      const isClosed = (lastLines.get(name) ?? 0) > number || after.includes(`{${name}}`);
      const opensAnywhere = /^(?:code|noformat|quote)$/.test(name) && !after.includes(`{${name}}`);
      if (isClosed && !macros.includes(name) && (before === '' || opensAnywhere))
        return { name, parameters, before: before.trimEnd(), after };
      if (before === '') return undefined;
    }
    return undefined;
  };

  const open = (line: Line, { name, parameters, before, after }: Opening) => {
    if (before !== '') readLine({ ...line, text: before });
    macros.push(name);
    draft.lose(losses.setting, line.number, parameters);
    if (after.trim() !== '') readInside(after, line);
  };

  function readInside(content: string, line: Line): void {
    const end = closesAt(content);
    const shown = end < 0 ? content : content.slice(0, end);
    const words = holdsCode() ? shown.trimEnd() : shown.trim();
    if (words.trim() !== '' && holdsCode()) draft.add(detail(codeOf(words)));
    else if (words !== '' && inside() === 'quote') put(detail(inlineOf(words, line.number, draft)), words);
    else if (words !== '') readLine({ ...line, text: words });
    if (end < 0) return;
    const after = content.slice(end + inside().length + 2).trim();
    // Text below a box of text does not belong to the last item in the box.
    if (inside() !== 'quote' && !holdsCode()) inList = false;
    macros.pop();
    if (after !== '') readBlock({ ...line, text: after });
  }

  /** A line that is no row of a table, with the macros that it opens and closes. */
  function readBlock(line: Line): void {
    const opening = holdsCode() || closesAt(line.text) === 0 ? undefined : openingIn(line);
    if (opening) open(line, opening);
    else if (inside() === 'quote' || holdsCode() || closesAt(line.text) >= 0) readInside(line.text, line);
    else readLine(line);
  }

  let steps = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (++steps % SLICE_LINES === 0) yield;
    if (!line) continue;
    if (line.text === '') inList = false;
    else if (holdsCode()) readInside(' '.repeat(line.indent) + line.text, line);
    else if (line.text.startsWith('|')) i = yield* readTable(i);
    else readBlock(line);
  }

  function* readTable(from: number): Sliced<number> {
    const rows: TableRow[] = [];
    let end = from;
    for (let line = lines[end]; line?.text.startsWith('|'); line = lines[++end]) {
      if ((end - from) % SLICE_LINES === SLICE_LINES - 1) yield;
      const parts = [line.text];
      // A cell may go on in the lines below, up to the bar that ends it.
      for (
        let next = lines[end + 1];
        next && !parts.at(-1)?.endsWith('|') && !/^(?:\||$)/.test(next.text);
        next = lines[++end + 1]
      )
        parts.push(next.text);
      const { number } = line;
      // A bar inside of brackets belongs to a link, one inside of exclamation marks to an image.
      const source = parts
        .join('\n')
        .replace(/\[[^\][\n]*\]|![^!\s|]+\.\w+\|[^!\n]*!|\\\|/g, part => part.replace(/\|/g, '\0'));
      const split = source.split(source.startsWith('||') ? /\|\|?/ : '|');
      const cells = cellsWithin(split.slice(1, (split.at(-1) ?? '').trim() === '' ? -1 : undefined));
      const cellOf = (cell: string) =>
        cell
          .replace(/\0/g, '|')
          .split('\n')
          .map(part => inlineOf(cellWords(part.trim()), number, draft))
          .join('\n');
      rows.push({
        line: number,
        head: /^\|\|/.test(source) && !/[^|]\|[^|]/.test(source.trim()),
        cells: cells.map(cellOf),
      });
    }
    draft.append(yield* readingTable(rows));
    inList = false;
    return end - 1;
  }
  return draft;
}
