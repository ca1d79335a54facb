import type { Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { isOwnCsv } from './csv.ts';
import { marksOf, worthOf } from './evidence.ts';
import { isJson } from './json.ts';
import { type Notation, notations, readingAs } from './reader.ts';
import { settle, write } from './settle.ts';

/** Characters that a text is judged by. */
const JUDGED_CHARS = 6000;

function sampleOf(text: string): string {
  if (text.length <= JUDGED_CHARS) return text;
  const end = text.lastIndexOf('\n', JUDGED_CHARS);
  return text.slice(0, end < JUDGED_CHARS / 2 ? JUDGED_CHARS : end);
}

/** The notations whose marks are in a text, and ordinary text, with what the marks say; most first. */
function rankNotations(text: string): (readonly [Notation, number])[] {
  const weights = marksOf(text);
  return notations
    .map(notation => [notation, weights.get(notation) ?? 0] as const)
    .filter(([notation, weight]) => notation === 'text' || weight > 0)
    .sort(([, a], [, b]) => b - a);
}

/** The notations that a text could be in, by their marks, most first; ordinary text always. */
export const candidates = (text: string): Notation[] => [
  ...rankNotations(sampleOf(text)).map(([notation]) => notation),
  ...(isJson(text) ? (['json'] as const) : []),
];

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
  if (isOwnCsv(text)) return { notation: 'csv' };
  const source = sampleOf(text);
  const rankedNotations = rankNotations(source);
  yield;
  let best: Detected = { notation: 'text' };
  let bestWorth = Number.NEGATIVE_INFINITY;
  const isText = ([notation]: readonly [Notation, number]) => notation === 'text';
  for (const [notation, weight] of [
    ...rankedNotations.filter(isText),
    ...rankedNotations.filter(each => !isText(each)),
  ]) {
    if (weight <= bestWorth) break;
    const draft = yield* readingAs(notation, source);
    yield;
    const worth = worthOf(notation, weight, source, write(settle(draft.blocks)), draft);
    if (worth <= bestWorth) continue;
    bestWorth = worth;
    best = source === text ? { notation, draft } : { notation };
    yield;
  }
  return best;
}
