import { isGrownWord, wordsOf } from '../../text/merge/rewording.ts';
import { hasLetterOrDigit } from '../../text/merge/word-counts.ts';
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

const linesOf = (text: string, word: string) => new Set([...placesOf(text, word)].map(({ lineStart }) => lineStart));

/** How often a word stands in other lines than the one that begins at a position. */
const countOutside = (text: string, word = '', from: number) =>
  [...placesOf(text, word)].filter(({ lineStart }) => lineStart !== from).length;

/** The places where a word may stand after a change, all equally likely: none where it is gone. */
function likelyPlaces(before: string, touched: Touched, after: string): number[] {
  const word = textOf(touched);
  if (word === undefined) return [];
  const places = [...placesOf(after, word)].map(place => ({ place, count: sameNeighbours(touched, place) }));
  const best = Math.max(...places.map(({ count }) => count));
  // A word without its neighbours may be another one.
  if (best === 0 && places.length !== countOf(before, word)) return [];
  const likely = places.filter(({ count }) => count === best);
  return likely.map(({ place }) => place.lineStart + (place.words[place.index]?.from ?? 0));
}

/** The word that two positions are at, at the same place in it: others have left it. A mark is no word. */
export function sameWordAt(before: string, position: number, after: string, place: number): string | undefined {
  const [was, is] = [
    { text: before, at: position },
    { text: after, at: place },
  ].map(({ text, at }) => {
    const line = lineAt(text, at);
    return touchedIn(line.text, at - line.from);
  });
  const word = was?.words[was.index];
  const isSame = word !== undefined && is !== undefined && word.text === textOf(is) && was?.offset === is.offset;
  return isSame && hasLetterOrDigit(word.text) ? word.text : undefined;
}

/** The position in a line at the touched word, or nearest to one there, between the words before it and those behind it. */
function amongWords({ words, index, offset }: Touched, line: ReturnType<typeof lineAt>, position: number): number {
  const now = wordsOf(line.text);
  const same = ({ text }: Word, all: readonly Word[]) => all.filter(word => word.text === text);
  /** The places of words that stand once in both lines. */
  const placed = (some: readonly Word[]) =>
    some.flatMap(word => {
      const places = same(word, now);
      return hasLetterOrDigit(word.text) && same(word, words).length === 1 && places.length === 1 ? places : [];
    });
  const [itself] = placed(words.slice(index, index + 1));
  if (itself) return line.from + itself.from + offset;
  const last = placed(words.slice(0, index)).at(-1);
  const [next] = placed(words.slice(index + 1));
  const [from, to] = [line.from + (last?.to ?? 0), line.from + (next?.from ?? line.text.length)];
  return Math.max(from, Math.min(position, to));
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
  const mappedLine = lineAt(after, mapped);
  const there = touchedIn(mappedLine.text, mapped - mappedLine.from);
  const isGrown = there !== undefined && isGrownWord(textOf(touched) ?? '', textOf(there) ?? '');
  if (isGrown || sameWordAt(before, position, after, mapped) !== undefined) return mapped;
  /** A word that stood in other lines as often before has not gone there. */
  const placesFor = (each: Touched): number[] => {
    const places = likelyPlaces(before, each, after);
    const [was, is] = [
      countOutside(before, textOf(each), line.from),
      countOutside(after, textOf(each), mappedLine.from),
    ];
    return is > was ? places : places.filter(place => lineAt(after, place).from === mappedLine.from);
  };
  const [start, ...others] = placesFor(touched);
  if (start !== undefined && others.length === 0) return start + touched.offset;
  const { words, index } = touched;
  const indexes = [...words.keys()].filter(other => words[other] && hasLetterOrDigit(words[other].text));
  const nearest = [...indexes.filter(other => other < index).reverse(), ...indexes.filter(other => other > index)];
  for (const other of nearest) {
    const places = placesFor({ words, index: other, offset: 0 });
    const word = words[other]?.text ?? '';
    const isOnlyInMappedLine = () => {
      const [lines, linesNow] = [linesOf(before, word), linesOf(after, word)];
      return lines.size === 1 && linesNow.size === 1 && linesNow.has(mappedLine.from);
    };
    const isInMappedLine = places.some(place => lineAt(after, place).from === mappedLine.from) || isOnlyInMappedLine();
    if (isInMappedLine) return amongWords(touched, mappedLine, mapped);
    const [place] = places;
    if (places.length === 1 && place !== undefined) {
      const nearby = other < index ? place + word.length : place;
      return amongWords(touched, lineAt(after, nearby), nearby);
    }
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

const BLANK_AT_END = /\S[ \t\xa0]+$/;

/** Whether a position is behind a blank at the end of its line, which was typed for the next word. */
function isBehindLastBlank(text: string, position: number): boolean {
  const { to, text: line } = lineAt(text, position);
  return position === to && BLANK_AT_END.test(line);
}

/** A cursor's position after a change of others: at the word that it touches, and behind the mark of its row. */
export function cursorAfter(
  before: Checklist,
  { position, isLineDeleted }: { position: number; isLineDeleted: boolean },
  after: Checklist,
  mapped: number,
): number {
  const place = atSameWord(before.text, position, after.text, mapped);
  // In place of its line, a cursor is in no words of others.
  if (isLineDeleted) return sameWordAt(before.text, position, after.text, place) === undefined ? mapped : place;
  if (isBehindLastBlank(before.text, position)) {
    const { to } = lineAt(after.text, place);
    // The words of a row that was joined with this one come in before the blank.
    if (isBehindLastBlank(after.text, to)) return to;
  }
  const isAtLineStart = lineAt(before.text, position).from === position;
  if (isAtLineStart || markEnd(before, position) !== undefined) return place;
  return markEnd(after, place) ?? place;
}
