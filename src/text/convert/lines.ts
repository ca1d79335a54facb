import type { Sliced } from '../sliced.ts';
import { type Draft, DraftBuilder } from './blocks.ts';

/*
 * Functions that every reader uses on lines. Each regular expression here and in the readers is anchored at a line's
 * start, or stops before the place from which the next attempt starts. So no input takes more than linear time.
 */

/** Lines that a reader reads between two pauses. */
export const SLICE_LINES = 200;

/** Characters of a line whose markup is read, as that is done in one step. A longer one is kept as it is, and reported. */
export const MAX_MARKED_CHARS = 5000;

/** Cells of a row. Those behind are part of the last one. */
const MAX_CELLS = 1000;

/** The cells between bars. The last cell holds all cells beyond the limit. */
export function cellsWithin(cells: readonly string[]): string[] {
  if (cells.length <= MAX_CELLS) return [...cells];
  return [...cells.slice(0, MAX_CELLS - 1), cells.slice(MAX_CELLS - 1).join('|')];
}

/** A line of the input, without its indentation and the blanks at its end. */
export interface Line {
  /** Counts from 1. */
  number: number;
  /** Columns before the text; a tab goes to the next multiple of four. */
  indent: number;
  text: string;
}

/** The blank of Japanese and Chinese texts, as wide as two ordinary blanks. Before a line it indents the line. */
const IDEOGRAPHIC_SPACE = 0x3000;
const TAB = 9;

const isBlank = (unit: number) => unit === 32 || unit === 9 || unit === 160;

/** Without blanks, tabs and no-break spaces at both ends. Other white space is part of a text, as it is to the grammar. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('\n', start);
    let to = next < 0 ? text.length : next;
    let from = start;
    let indent = 0;
    for (; from < to; from++) {
      const unit = text.charCodeAt(from);
      if (unit === IDEOGRAPHIC_SPACE) indent += 2;
      else if (isBlank(unit)) indent += unit === TAB ? 4 - (indent % 4) : 1;
      else break;
    }
    start = to + 1;
    while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
    lines.push({ number: lines.length + 1, indent, text: text.slice(from, to) });
  }
  return lines;
}

/** Reads a text line by line, without blank ones. */
export function* readingLines(text: string, read: (line: Line, draft: DraftBuilder) => void): Sliced<Draft> {
  const draft = new DraftBuilder();
  for (const line of linesOf(text)) {
    if (line.number % SLICE_LINES === 0) yield;
    if (line.text !== '') read(line, draft);
  }
  return draft;
}

/** Whether a line is a rule: three or more of one character of those and nothing else, or the two dashes above a mail's signature. */
export const isRule = (text: string): boolean => text === '--' || /^([-=_*~#^"'])\1{2,}$/.test(text);
