import { finish } from '../sliced.ts';
import { marksOf, worthOf } from './evidence.ts';
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
    .filter(notation => notation === 'text' || weight(notation) > 0)
    .sort((a, b) => weight(b) - weight(a));
}

/**
 * The notation of a text: the one whose reader explains most of it. Equal ones are ordinary text. A reader is tried only
 * if its marks could be worth more than the best reading so far.
 */
export function detect(text: string): Notation {
  const source = judged(text);
  // An export as JSON is only whole one.
  const found = marksOf(source.length < text.length && /^\s*[[{]/.test(text) ? text : source);
  const worth = (notation: Notation): number => {
    const read = readers[notation].read(source);
    const draft = 'next' in read ? finish(read) : read;
    return worthOf(notation, found.get(notation) ?? 0, source, write(settle(draft.blocks)), draft);
  };
  if ((found.get('json') ?? 0) > 0) return 'json';
  let best: Notation = 'text';
  let bestWorth = worth('text');
  const others = notations.filter(notation => notation !== 'text' && (found.get(notation) ?? 0) > 0);
  for (const notation of others.sort((a, b) => (found.get(b) ?? 0) - (found.get(a) ?? 0))) {
    if ((found.get(notation) ?? 0) <= bestWorth) break;
    const value = worth(notation);
    if (value > bestWorth) [best, bestWorth] = [notation, value];
  }
  return best;
}
