import type { Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { marksOf, worthOf } from './evidence.ts';
import { isJson } from './json.ts';
import { type Notation, notations, readers } from './reader.ts';
import { settle, write } from './settle.ts';

/** Characters that a text is judged by. */
const JUDGED_CHARS = 6000;

function judged(text: string): string {
  if (text.length <= JUDGED_CHARS) return text;
  const end = text.lastIndexOf('\n', JUDGED_CHARS);
  return text.slice(0, end < JUDGED_CHARS / 2 ? JUDGED_CHARS : end);
}

/** The notations that a text could be in, by their marks, most first; ordinary text always. */
export function candidates(text: string): Notation[] {
  const found = marksOf(judged(text));
  const weight = (notation: Notation) => found.get(notation) ?? 0;
  return notations
    .filter(notation => notation === 'text' || weight(notation) > 0 || (notation === 'json' && isJson(text)))
    .sort((a, b) => weight(b) - weight(a));
}

/** The notation of a text, and its reading if the whole text was judged. */
export interface Detected {
  notation: Notation;
  draft?: Draft;
}

/**
 * The notation of a text: the one whose reader explains most of it. Equal ones are ordinary text. A reader is tried only
 * if its marks could be worth more than the best reading so far.
 */
export function* detecting(text: string): Sliced<Detected> {
  if (isJson(text)) return { notation: 'json' };
  const source = judged(text);
  const found = marksOf(source);
  const weight = (notation: Notation) => found.get(notation) ?? 0;
  yield;
  const others = notations.filter(notation => notation !== 'text' && weight(notation) > 0);
  let best: Detected = { notation: 'text' };
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (const notation of ['text' as const, ...others.sort((a, b) => weight(b) - weight(a))]) {
    if (notation !== 'text' && weight(notation) <= bestWorth) break;
    const draft = yield* readers[notation].read(source);
    yield;
    const worth = worthOf(notation, weight(notation), source, write(settle(draft.blocks)), draft);
    if (worth <= bestWorth) continue;
    bestWorth = worth;
    best = source === text ? { notation, draft } : { notation };
    yield;
  }
  return best;
}
