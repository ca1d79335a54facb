/*
 * What every reader does with lines. Regular expressions here and in the readers either are anchored at a line's start or
 * cannot run on past what the next attempt starts from, so that no input takes more than linear time.
 */

/** Lines that a reader reads between two pauses. */
export const SLICE_LINES = 200;

/** A line of the input, without its indentation and the blanks at its end. */
export interface Line {
  /** Counts from 1. */
  number: number;
  /** Columns before the text; a tab goes to the next multiple of four. */
  indent: number;
  text: string;
}

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
    for (; from < to && isBlank(text.charCodeAt(from)); from++) indent += text[from] === '\t' ? 4 - (indent % 4) : 1;
    start = to + 1;
    while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
    lines.push({ number: lines.length + 1, indent, text: text.slice(from, to) });
  }
  return lines;
}

const ruleSigns = '-=_*~#^"\'';

/** Whether a line is a rule: three or more of one character of those, and nothing else. */
export function isRule(text: string): boolean {
  const sign = text[0];
  if (text.length < 3 || sign === undefined || !ruleSigns.includes(sign)) return false;
  for (let i = 1; i < text.length; i++) if (text[i] !== sign) return false;
  return true;
}

/** `text` with each part that is no code in backticks replaced. */
export function outsideCode(text: string, replace: (prose: string) => string): string {
  if (!text.includes('`')) return replace(text);
  const runs = [...text.matchAll(/`+/g)];
  const closers: number[] = [];
  const nextOfLength = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.[0].length ?? 0;
    closers[i] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, i);
  }
  const parts: string[] = [];
  let position = 0;
  for (let i = 0; i < runs.length; i++) {
    const [opener, closer] = [runs[i], runs[closers[i] ?? -1]];
    if (!opener || !closer) continue;
    const end = closer.index + closer[0].length;
    parts.push(replace(text.slice(position, opener.index)), text.slice(opener.index, end));
    position = end;
    i = closers[i] ?? i;
  }
  parts.push(replace(text.slice(position)));
  return parts.join('');
}
