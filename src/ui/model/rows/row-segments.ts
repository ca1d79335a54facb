import { inlineOf, inlineOfDetails, type Segment } from '../../../text/inline.ts';
import type { Checklist, Row } from '../../../text/types.ts';

/** A row's text and details as segments to render. */
export interface Line {
  text: readonly Segment[];
  /** The row's name: its text without markup and people; may be empty. */
  name: string;
  /** The text without `tail`. */
  words: readonly Segment[];
  /** Assignee and due date, if each occurs once at the end of the text. */
  tail: Tail;
  details: readonly (readonly Segment[])[];
}

export interface Tail {
  /** Account id. */
  person?: string;
  date?: Extract<Segment, { value: string }>;
}

const isBlank = ({ type, text }: Segment) => type === 'text' && text.trim() === '';

/** Splits assignee and due date from the end of an item's text, if words precede them and neither occurs twice. */
function split(text: readonly Segment[]): Pick<Line, 'words' | 'tail'> {
  const tail: Tail = {};
  let end = text.length;
  for (; end > 0; end--) {
    const last = text[end - 1];
    if (!last || isBlank(last)) continue;
    if (last.type === 'mention' && tail.person === undefined) tail.person = last.value;
    else if (last.type === 'date' && tail.date === undefined) tail.date = last;
    else if (last.type === 'mention' || last.type === 'date') return { words: text, tail: {} };
    else break;
  }
  const last = text[end - 1];
  if (end === text.length || !last) return { words: text, tail: {} };
  const trimmed = last.type === 'text' ? { ...last, text: last.text.trimEnd() } : last;
  return { words: [...text.slice(0, end - 1), trimmed], tail };
}

const lines = new WeakMap<Row, Line>();

/** A row's segments, cached by row object: an unchanged row is not rendered again. */
export function lineOf(checklist: Checklist, index: number, row: Row): Line {
  const cached = lines.get(row);
  if (cached) return cached;
  const text = inlineOf(checklist, index);
  const parts = row.kind === 'checkbox' ? split(text) : { words: text, tail: {} };
  const name = parts.words
    .map(segment => (segment.type === 'mention' ? '' : segment.text))
    .join('')
    .trim();
  const line = { text, name, ...parts, details: inlineOfDetails(checklist, index) };
  lines.set(row, line);
  return line;
}

/** The name of a row that has been rendered, else its text. */
export const nameOf = (row: Row): string => lines.get(row)?.name ?? row.text;
