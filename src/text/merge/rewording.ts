import { replaceText } from '../document.ts';
import type { TextChange } from '../types.ts';
import { inOrder } from './sequence.ts';

/** Scripts that put no blanks between words: each of their characters counts as a word. */
const single =
  /(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u;

/** The text between blanks: signs one by one around a core that starts and ends with a letter or digit. */
const parts = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a line, with their places. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(/[^ \t\xa0]+/g)) {
    const isPlain = /^[\da-z]+$/i.test(run);
    const [, before = '', core = '', after = ''] = isPlain ? [] : (parts.exec(run) ?? []);
    let from = index;
    for (const word of isPlain ? [run] : [...before, ...(core === '' ? [] : core.split(single)), ...after]) {
      words.push({ text: word, from, to: from + word.length });
      from += word.length;
    }
  }
  return words;
}

const numbersIn = (word: string): string => (word.match(/\d+/g) ?? []).join(' ');

/**
 * Whether a word is another one with something typed into it, before or behind it without a blank. A number with more digits
 * is another number.
 */
export function isGrownWord(word: string, grown: string): boolean {
  if (grown.length <= word.length || (/\d/.test(word) && numbersIn(word) !== numbersIn(grown))) return false;
  let from = 0;
  while (from < word.length && word[from] === grown[from]) from++;
  return grown.endsWith(word.slice(from));
}

/** How much it tells that a word of a rewording is one of the base: 0 if it is not. */
type WeighWords = (word: string, other: string) => number;

/** A word tells more than a sign. */
const weighEqual: WeighWords = (word, other) => (word !== other ? 0 : word.length === 1 ? 3 : 9);

/** Equal words, and ones that something was typed into or deleted from, which tell less than any equal one. */
export const weighEdited: WeighWords = (word, other) => {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  const isAtEnd = long.startsWith(short) || long.endsWith(short);
  return weighEqual(word, other) || (isGrownWord(short, long) ? (isAtEnd ? 2 : 1) : 0);
};

/**
 * For each word of the base the one of a rewording that it is; as many as possible, in order. Of a repeated word, it is the
 * last one in words that both end with, or else, without `fromEnd`, the first one.
 */
function keptIn(
  base: readonly Word[],
  side: readonly Word[],
  fromEnd = true,
  weigh = weighEqual,
): (Word | undefined)[] {
  const kept: (Word | undefined)[] = base.map(() => undefined);
  const least = Math.min(base.length, side.length);
  const same = (i: number, j: number) => base[i]?.text === side[j]?.text;
  let from = 0;
  for (; from < least && same(from, from); from++) kept[from] = side[from];
  let [toBase, toSide] = [base.length, side.length];
  while (fromEnd && toBase > from && toSide > from && same(toBase - 1, toSide - 1)) kept[--toBase] = side[--toSide];
  const weight = (i: number, j: number) => weigh(base[from + i]?.text ?? '', side[from + j]?.text ?? '');
  for (const [i, j] of inOrder(toBase - from, toSide - from, weight)) kept[from + i] = side[from + j];
  return kept;
}

/**
 * Joins two rewordings of one text where, apart from what both changed alike, at least one of them only adds words, and
 * adds them between words that the other left. `undefined` where they differ at one place, or each replaces or removes
 * words of its own: which of them is meant is then a choice.
 */
export function mergeRewordings(base: string, mine: string, theirs: string): string | undefined {
  const words = wordsOf(base);
  const [own, other] = [wordsOf(mine), wordsOf(theirs)];
  const join = (...fromEnd: readonly [boolean, boolean]) =>
    joined({ base, mine, theirs }, words, keptIn(words, own, fromEnd[0]), keptIn(words, other, fromEnd[1]));
  const first = join(true, true);
  if (first === undefined) return undefined;
  // If words are repeated, words that both added may be taken for two additions: the shorter result has it once.
  const others = [join(false, true), join(true, false), join(false, false)];
  return others.reduce<string>((best, each) => (each !== undefined && each.length < best.length ? each : best), first);
}

function joined(
  { base, mine, theirs }: Record<'base' | 'mine' | 'theirs', string>,
  words: readonly Word[],
  inMine: readonly (Word | undefined)[],
  inTheirs: readonly (Word | undefined)[],
): string | undefined {
  let merged = '';
  let [b, m, t] = [0, 0, 0];
  let first = 0;
  const replaced: Record<'mine' | 'theirs', boolean> = { mine: false, theirs: false };
  /** Appends what follows up to the next word that both sides left. */
  const gap = (next: number, toBase: number, toMine: number, toTheirs: number): boolean => {
    const [was, own, other] = [base.slice(b, toBase), mine.slice(m, toMine), theirs.slice(t, toTheirs)];
    const lacks = (kept: readonly unknown[]) => kept.slice(first, next).includes(undefined);
    if (own !== other) {
      replaced.mine ||= lacks(inMine);
      replaced.theirs ||= lacks(inTheirs);
    }
    first = next + 1;
    [b, m, t] = [toBase, toMine, toTheirs];
    merged += own === was ? other : own;
    return own === was || other === was || own === other;
  };
  for (const [index, word] of words.entries()) {
    const [own, other] = [inMine[index], inTheirs[index]];
    if (!own || !other) continue;
    if (!gap(index, word.from, own.from, other.from)) return undefined;
    merged += word.text;
    [b, m, t] = [word.to, own.to, other.to];
  }
  const fits = gap(words.length, base.length, mine.length, theirs.length);
  return fits && !(replaced.mine && replaced.theirs) ? merged : undefined;
}

/** The words that two texts have in common, in order. */
export function commonWords(one: string, other: string): string {
  const words = wordsOf(one);
  return keptIn(words, wordsOf(other))
    .flatMap((kept, index) => (kept ? (words[index]?.text ?? '') : []))
    .join(' ');
}

const keptOrEdited = (base: readonly Word[], side: readonly Word[]) => keptIn(base, side, true, weighEdited);

/** The change of a word: at its start where its end stays. */
function wordChanges(word: string, other: string, offset: number): TextChange[] {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (long.startsWith(short) || !long.endsWith(short)) return replaceText(word, other, offset);
  const [to, inserted] = [word.length - short.length, other.length - short.length];
  return [{ from: offset, to: offset + to, insert: other.slice(0, inserted) }];
}

/** Fewer characters may begin or end another word by chance. */
const MIN_PART_CHARS = 3;

/**
 * The places of the parts of a divided word in the rewording: one of them is `left`, the other begins or ends a word between
 * `from` and `to`. `undefined` where the word is not divided.
 */
function dividedWord(word: string, left: Word, after: string, from: number, to: number) {
  const others = wordsOf(after.slice(from, to)).map(({ text, ...at }) => ({
    text,
    ...{ from: from + at.from, to: from + at.to },
  }));
  if (word.startsWith(left.text)) {
    const end = word.slice(left.text.length);
    const other = others.find(each => each.from >= left.to && each.text.endsWith(end));
    return other && { cut: left.text.length, from: left.from, to: other.to };
  }
  const cut = word.length - left.text.length;
  const other = others.findLast(each => each.to <= left.from && each.text.startsWith(word.slice(0, cut)));
  return other && { cut, from: other.from, to: left.to };
}

/**
 * The change between two words: the blank of a mark that comes in is not the one that was there, and words come in before a
 * blank that was typed for the next one. Of several words none stays in part: letters that the new ones begin or end with as
 * well would keep a cursor inside another word.
 */
function gapChanges(before: string, after: string, offset: number): TextChange[] {
  const isBlank = before !== '' && before.trim() === '' && !after.includes('\n');
  if (isBlank && after.length > before.length && after.endsWith(before))
    return [{ from: offset, insert: after.slice(0, after.length - before.length) }];
  if (!after.includes('\n') || before.includes('\n')) {
    if (wordsOf(before).length < 2) return replaceText(before, after, offset);
    const [start = '', end = ''] = [/^\s*/.exec(before)?.[0], /\s*$/.exec(before)?.[0]];
    const isFramed = after.startsWith(start) && after.endsWith(end) && start.length + end.length <= after.length;
    if (!isFramed || before === after) return replaceText(before, after, offset);
    const [from, to] = [offset + start.length, offset + before.length - end.length];
    return [{ from, to, insert: after.slice(start.length, after.length - end.length) }];
  }
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return [{ from: offset + same, to: offset + before.length, insert: after.slice(same) }];
}

/**
 * Returns a function from positions in a text to those in a rewording, behind the word that they are behind. `undefined`
 * between two words that the rewording lacks, and inside a word that it has changed.
 */
export function positionsInRewording(before: string, after: string): (position: number) => number | undefined {
  const words = wordsOf(before);
  const kept = keptOrEdited(words, wordsOf(after));
  return position => {
    const index = words.findIndex(({ to }) => to > position);
    const word = words[index];
    if (word && word.from < position) {
      const same = kept[index];
      return same?.text === word.text ? same.from + position - word.from : undefined;
    }
    return (index < 0 ? kept.at(-1) : kept[index - 1])?.to ?? kept[index]?.from;
  };
}

/**
 * The changes that turn one line into another, word by word: words that both have stay where they are, and so does what is
 * left of a word.
 */
export function rewordingChanges(before: string, after: string, offset = 0): TextChange[] {
  const words = wordsOf(before);
  const kept = keptOrEdited(words, wordsOf(after));
  const changes: TextChange[] = [];
  let [from, start] = [0, 0];
  const gap = (to: number, end: number) => {
    changes.push(...gapChanges(before.slice(from, to), after.slice(start, end), offset + from));
  };
  for (const [index, word] of words.entries()) {
    const same = kept[index];
    if (!same) continue;
    const isShorter = word.text.length - same.text.length >= MIN_PART_CHARS;
    const next = isShorter ? kept.find((other, at) => at > index && other) : undefined;
    const divided = isShorter ? dividedWord(word.text, same, after, start, next?.from ?? after.length) : undefined;
    const { from: begin, to: end } = divided ?? same;
    gap(word.from, begin);
    if (divided) {
      const { cut } = divided;
      const insert = after.slice(begin + cut, end - word.text.length + cut);
      changes.push({ from: offset + word.from + cut, insert });
    } else changes.push(...wordChanges(word.text, same.text, offset + word.from));
    [from, start] = [word.to, end];
  }
  gap(before.length, after.length);
  return changes;
}
