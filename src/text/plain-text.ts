import { inlineOf, joinSegments, nodeAt, type Segment, segmentsBetween } from './inline.ts';
import { rangeOf, rowAt } from './rows.ts';
import type { Checklist } from './types.ts';

/** Segments on one line, without markup and people. */
const plain = (segments: readonly Segment[]): string =>
  joinSegments(segments.filter(({ type }) => type !== 'mention'))
    .replace(/\s+/g, ' ')
    .trim();

/** A row's words without markup and people, for places that show plain text. */
export function plainWords(checklist: Checklist, index: number): string {
  const from = rangeOf(checklist, index).from + rowAt(checklist, index).content.from;
  const to = from + rowAt(checklist, index).words.length;
  return plain(segmentsBetween(nodeAt(checklist, index), checklist.text, from, to));
}

/** A row's text on one line, without markup and mentions. */
export const plainText = (checklist: Checklist, index: number): string => plain(inlineOf(checklist, index));
