/*
 * What every reader does with lines. Regular expressions here and in the readers either are anchored at a line's start or
 * cannot run on past what the next attempt starts from, so that no input takes more than linear time.
 */

/** A line of the input, without its indentation and the blanks at its end. */
export interface Line {
  /** Counts from 1. */
  number: number;
  /** Columns before the text; a tab goes to the next multiple of four. */
  indent: number;
  text: string;
}

const isBlank = (unit: number) => unit === 32 || unit === 9;

/** Without blanks and tabs at both ends. Other white space is part of a text, as it is to the grammar. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function indentOf(line: string): number {
  let columns = 0;
  for (let i = 0; isBlank(line.charCodeAt(i)); i++) columns += line[i] === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

export const linesOf = (text: string): Line[] =>
  text.split('\n').map((line, i) => ({ number: i + 1, indent: indentOf(line), text: trimBlanks(line) }));

/** Whether a line is a rule: three or more of one character of those, and nothing else. */
export const isRule = (text: string): boolean => /^([-=_*~#^"'])\1{2,}$/.test(text);

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
