import { inlineOf, inlineOfDetails, type Segment } from '../../../text/inline.ts';
import type { Checklist, Row } from '../../../text/types.ts';

/** A row's line and its details, cut into what is shown. */
export interface Line {
  text: readonly Segment[];
  /** What the row is called, without markup and people; empty if nothing is left. */
  name: string;
  /** The text without what stands in `tail`. */
  words: readonly Segment[];
  /** Whom and what day the item is for, where that is said once each at the line's very end. */
  tail: Tail;
  details: readonly (readonly Segment[])[];
}

export interface Tail {
  /** Account id. */
  person?: string;
  date?: Extract<Segment, { value: string }>;
}

const isBlank = ({ type, text }: Segment) => type === 'text' && text.trim() === '';

/** Takes the person and the day at the end of an item's text away, if there are words before and no more of either. */
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

/** What a row shows. The same row object gives the same line object, so that it need not be rendered again. */
export function lineOf(checklist: Checklist, index: number, row: Row): Line {
  const known = lines.get(row);
  if (known) return known;
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

/** What a row is called that has been shown. */
export const nameOf = (row: Row): string => lines.get(row)?.name ?? row.text;
