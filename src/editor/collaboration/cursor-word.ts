import { wordsOf } from '../../text/merge/rewording.ts';
import type { Checklist } from '../../text/types.ts';
import { rowAt } from '../checklist.ts';

type Word = ReturnType<typeof wordsOf>[number];

/** The words of a line, one of which a position is in or touches: the one before it rather than the one behind it. */
interface Touched {
  words: readonly Word[];
  index: number;
  /** Characters from the start of the word. */
  offset: number;
}

function touchedIn(line: string, position: number): Touched | undefined {
  const words = wordsOf(line);
  const index = words.findIndex(({ from, to }) => from <= position && position <= to);
  const word = words[index];
  return word && { words, index, offset: position - word.from };
}

const textOf = ({ words, index }: Touched) => words[index]?.text;

/** More neighbours tell no more of where a word went. */
const MAX_NEIGHBOURS = 8;

/** How many words before and behind a word are the same in both lines, without a gap. */
function sameNeighbours(one: Touched, other: Touched): number {
  let count = 0;
  for (const direction of [-1, 1])
    for (let step = direction; Math.abs(step) <= MAX_NEIGHBOURS; step += direction) {
      const text = one.words[one.index + step]?.text;
      if (text === undefined || text !== other.words[other.index + step]?.text) break;
      count++;
    }
  return count;
}

/** The line of a position. */
function lineAt(text: string, position: number): { from: number; to: number; text: string } {
  const from = position === 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1;
  const end = text.indexOf('\n', position);
  const to = end < 0 ? text.length : end;
  return { from, to, text: text.slice(from, to) };
}

/** All places of a word in a text: the words of the line, and where that starts. */
function* placesOf(text: string, word: string): Generator<Touched & { lineStart: number }> {
  for (let at = text.indexOf(word); at >= 0; ) {
    const line = lineAt(text, at);
    const words = wordsOf(line.text);
    for (const [index, { text: other }] of words.entries())
      if (other === word) yield { words, index, offset: 0, lineStart: line.from };
    at = text.indexOf(word, line.to);
  }
}

const countOf = (text: string, word: string) => [...placesOf(text, word)].length;

/** The start of a word in the text after a change; `undefined` where it is gone, or stands at equally likely places. */
function startAfter(before: string, touched: Touched, after: string): number | undefined {
  const word = textOf(touched);
  if (word === undefined) return undefined;
  const places = [...placesOf(after, word)];
  const scored = places
    .map(place => ({ place, count: sameNeighbours(touched, place) }))
    .sort((one, other) => other.count - one.count);
  const [best, second] = scored;
  if (!best || best.count === second?.count) return undefined;
  // A word without its neighbours may be another one.
  if (best.count === 0 && places.length !== countOf(before, word)) return undefined;
  return best.place.lineStart + (best.place.words[best.place.index]?.from ?? 0);
}

/** Whether two positions are at one place of the same word, which others have left. */
export function isAtSameWord(before: string, position: number, after: string, place: number): boolean {
  const [was, is] = [
    { text: before, at: position },
    { text: after, at: place },
  ].map(({ text, at }) => {
    const line = lineAt(text, at);
    return touchedIn(line.text, at - line.from);
  });
  return was !== undefined && is !== undefined && textOf(was) === textOf(is) && was.offset === is.offset;
}

/**
 * The position in the text after a change of others, which stays at the word that it touches: a word that was moved is
 * deleted and inserted as far as character positions tell. Where that word is gone, it stays in the line of the nearest
 * word before it, or else behind it, that is left. `mapped` is the position that the characters give.
 */
function atSameWord(before: string, position: number, after: string, mapped: number): number {
  const line = lineAt(before, position);
  const touched = touchedIn(line.text, position - line.from);
  if (!touched) return mapped;
  if (isAtSameWord(before, position, after, mapped)) return mapped;
  const mappedLine = lineAt(after, mapped);
  const start = startAfter(before, touched, after);
  if (start !== undefined) return start + touched.offset;
  const { words, index } = touched;
  const others = [...words.keys()].filter(other => other !== index);
  const nearest = [...others.filter(other => other < index).reverse(), ...others.filter(other => other > index)];
  for (const other of nearest) {
    const place = startAfter(before, { words, index: other, offset: 0 }, after);
    if (place === undefined) continue;
    if (lineAt(after, place).from === mappedLine.from) return mapped;
    return other < index ? place + (words[other]?.text.length ?? 0) : place;
  }
  return mapped;
}

/** The end of the row's mark that a position is in, or in front of. A row without a mark may begin with a blank. */
function markEnd(checklist: Checklist, position: number): number | undefined {
  const { text } = checklist;
  const { from } = lineAt(text, position);
  const placed = rowAt(checklist, from);
  if (placed?.start !== from) return undefined;
  const end = placed.start + placed.row.content.from;
  return position < end && text.slice(placed.start, end).trim() !== '' ? end : undefined;
}

/** A cursor's position after a change of others: at the word that it touches, and behind the mark of its row. */
export function cursorAfter(
  before: Checklist,
  { position, isLineDeleted }: { position: number; isLineDeleted: boolean },
  after: Checklist,
  mapped: number,
): number {
  const place = atSameWord(before.text, position, after.text, mapped);
  const isAtLineStart = lineAt(before.text, position).from === position;
  if (isLineDeleted || isAtLineStart || markEnd(before, position) !== undefined) return place;
  return markEnd(after, place) ?? place;
}
