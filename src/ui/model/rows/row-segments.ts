import { inlineOf, inlineOfDetails, type Segment } from '../../../text/inline.ts';
import type { Checklist, Row } from '../../../text/types.ts';

/** A row's text and details as segments to render. */
export interface Line {
  text: readonly Segment[];
  /** The row's name: its text without markup and people; may be empty. */
  name: string;
  /** `Row.words` as segments. */
  words: readonly Segment[];
  /** The references at the end of the text, which are shown beside it. */
  tail: Tail;
  details: readonly (readonly Segment[])[];
}

export interface Tail {
  /** Account id. */
  person?: string;
  date?: Extract<Segment, { value: string }>;
  /** A header's marks, in order. */
  marks: readonly Segment[];
}

/** Splits the segments of a row's words from the segments that are shown beside them. */
function splitTail(text: readonly Segment[], row: Row): Pick<Line, 'words' | 'tail'> {
  let remainingLength = row.text.length - row.words.length;
  const marks: Segment[] = [];
  const tail: Tail = { marks };
  let end = text.length;
  for (; remainingLength > 0; end--) {
    const last = text[end - 1];
    // The blanks before the tail may be part of the words' last segment.
    if (!last || last.text.length > remainingLength) break;
    remainingLength -= last.text.length;
    if (last.type === 'mention') tail.person = last.value;
    else if (last.type === 'date') tail.date = last;
    else if (last.type !== 'text') marks.unshift(last);
  }
  const words = text.slice(0, end);
  const last = words.at(-1);
  if (remainingLength > 0 && last?.type === 'text')
    words[end - 1] = { ...last, text: last.text.slice(0, -remainingLength) };
  return { words, tail };
}

/** Segments as plain text, with the people whose names are given. */
const wordsOf = (segments: readonly Segment[], names: Readonly<Record<string, string>> = {}): string =>
  segments
    .map(({ type, text, ...segment }) => {
      if (type !== 'mention') return text;
      const name = 'value' in segment && names[segment.value];
      return name ? `@${name}` : '';
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/** By values, not by services: a row's object stands for its text, in any checklist. */
const lines = new WeakMap<Row, Line>();

/** A row's segments, cached by row object: an unchanged row is not rendered again. */
export function lineOf(checklist: Checklist, index: number, row: Row): Line {
  const cached = lines.get(row);
  if (cached) return cached;
  const text = inlineOf(checklist, index);
  const parts = splitTail(text, row);
  const line = { text, name: wordsOf(parts.words), ...parts, details: inlineOfDetails(checklist, index) };
  lines.set(row, line);
  return line;
}

/** The name of a row that has been rendered, with the people whose names are given; else its words. */
export function nameOf(row: Row, names?: Readonly<Record<string, string>>): string {
  const line = lines.get(row);
  return line ? wordsOf(line.words, names) : row.words;
}
