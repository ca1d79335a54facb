/*
 * A text in pieces. The parser cannot pause, so that each piece is one step. The weight of a piece tells how long the step
 * takes: about a tenth of a millisecond for each unit.
 */

/** Weight from which on a piece ends at the next line that begins a block. */
const PIECE_WEIGHT = 60;

/** Weight that is parsed at once if a text has no earlier place to part it. More is read line by line, unparsed. */
export const MAX_PIECE_WEIGHT = 300;

/** Lists and quotes may open this deep in one line. A parser takes quadratic time for more. */
const MAX_OPENED = 20;

export interface Piece {
  text: string;
  /** The piece's first line in the whole text, from 1. */
  line: number;
  weight: number;
  /** Whether the piece is the next part of the table at the end of the piece above. It repeats that table's head. */
  isTablePart: boolean;
}

const opened = /(?:>|[-*+](?=[ \t\xa0])|\d{1,9}[.)](?=[ \t\xa0]))[ \t\xa0]*/y;

/** How many lists and quotes a line opens. */
function openedBy(line: string): number {
  let count = 0;
  opened.lastIndex = line.search(/[^ \t\xa0]|$/);
  while (count <= MAX_OPENED && opened.test(line)) count++;
  return count;
}

function weightOf(line: string, isCode: boolean): number {
  if (isCode) return 0.05 + line.length / 2000;
  if (openedBy(line) > MAX_OPENED) return Number.POSITIVE_INFINITY;
  return 0.2 + line.length / 200 + 0.5 * (line.match(/[-*+#>|[\]<`&~:@\\_]/g)?.length ?? 0);
}

/** A line that begins a block of its own in whatever stands above, except in code and markup. */
const starts = /^(?:#{1,6}[ \t\xa0]|(?:[-*+]|1[.)])[ \t\xa0]+\S|`{3,}(?=[^`]*$)|~{3,})/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])[ \t\xa0]+\S/;
const nestedItem = /^[ \t]+(?=(?:[-*+]|1[.)])[ \t\xa0]+\S)/;
const fence = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;
const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Without as much white space at the start. */
const dedented = (line: string, indent: string) =>
  line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();

/**
 * The text in pieces that mean together what they mean apart: each begins with a header, an item or a paragraph. A long
 * list in an item is parted as well, at the cost of its depth, and a long table between rows.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let [weight, line, firstLine] = [0, 0, 1];
  let [open, indent, tableHead] = ['', '', ''];
  let [isComment, isTablePart, isInList, blankAbove] = [false, false, false, false];

  const end = (head: string, isNextTable: boolean) => {
    pieces.push({ text: lines.join('\n'), line: firstLine, weight, isTablePart });
    lines = head === '' ? [] : head.split('\n');
    [weight, firstLine, isTablePart] = [0, line - lines.length, isNextTable];
  };

  for (const source of text.split('\n')) {
    line++;
    let words = indent === '' ? source : dedented(source, indent);
    const isOpen = open !== '' || isComment;
    const isFull = weight >= PIECE_WEIGHT;
    const startsBlock = blankAbove ? /^[^\s<>|]/.test(words) : starts.test(words);
    const isRow = words.startsWith('|');
    if (!isOpen && lines.length > 0) {
      const nested = isFull && isInList ? nestedItem.exec(words)?.[0] : undefined;
      if ((isTablePart && !isRow) || (isFull && startsBlock)) end('', false);
      else if (isFull && isRow && tableHead !== '') end(tableHead, true);
      else if (nested !== undefined) {
        end('', false);
        indent += nested;
        words = words.slice(nested.length);
      }
    }
    if (!isOpen && /^[^\s]/.test(source) && startsBlock) indent = '';
    if (!isOpen && /^\S/.test(words)) isInList = listItem.test(words) || (isInList && !startsBlock);
    if (!words.includes('|') || isOpen) tableHead = '';
    else if (tableHead === '' && delimiterRow.test(words)) tableHead = `${lines.at(-1) ?? ''}\n${words}`;
    const [, margin = '', sign] = (words.length < 1000 && fence.exec(words)) || [];
    const mark = isInList || margin.length < 4 ? sign : undefined;
    if (open === '' && mark !== undefined) open = mark;
    else if (mark?.startsWith(open) && words.trim() === mark) open = '';
    if (open === '') {
      const [opener, closer] = [words.lastIndexOf('<!--'), words.lastIndexOf('-->')];
      if (opener > closer) isComment = true;
      else if (closer >= 0) isComment = false;
    }
    weight += weightOf(words, open !== '' && mark === undefined);
    lines.push(words);
    blankAbove = words.trim() === '';
  }
  end('', false);
  return pieces;
}
