import { inlineOf, inlineOfDetails, type Segment } from '../../text/inline.ts';
import type { Checklist, Row } from '../../text/types.ts';

/** A row's line and its details, cut into what is shown. */
export interface Line {
  text: readonly Segment[];
  details: readonly (readonly Segment[])[];
}

const lines = new WeakMap<Row, Line>();

/** What a row shows. The same row object gives the same line object, so that it need not be rendered again. */
export function lineOf(checklist: Checklist, index: number, row: Row): Line {
  const known = lines.get(row);
  if (known) return known;
  const line = { text: inlineOf(checklist, index), details: inlineOfDetails(checklist, index) };
  lines.set(row, line);
  return line;
}
