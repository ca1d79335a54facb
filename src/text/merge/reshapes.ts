import type { Alignment } from './align.ts';
import { once } from './pairing.ts';
import { commonWords, isGrownWord, weighEdited, wordsOf } from './rewording.ts';
import { inOrder } from './sequence.ts';
import { splitTail, type Unit } from './units.ts';

/** A row of the text before of which a part is another, new row after. */
export interface Split {
  row: number;
  added: number;
  /** Whether the new row has the words behind `cut`, or those before it. */
  isSecond: boolean;
  /** A position in the row's words. */
  cut: number;
}

/** A row of the text before whose words are in another row after. */
export interface Join {
  row: number;
  /** The row after that has the words. */
  place: number;
  /** The row before that this one was; `undefined` where it is new. */
  target: number | undefined;
  /** Whether the words are in the details of that row. */
  isInDetails: boolean;
  /** Whether the words stand behind those of the target. */
  isBehind: boolean;
  /** The text between the words of both. */
  gap: string;
  /** The mark of a detail; '' unless the words are in details. */
  mark: string;
}

/** The share of a row's words, by their weight, that must be elsewhere for its split or join. */
const KEPT_SHARE = 0.5;

/** The share for a row that was joined with a new one. */
const NEW_ROW_SHARE = 0.75;

/** Fewer characters may stand in another row by chance. */
const MIN_JOINED_CHARS = 3;

/** Words that more rows have gained do not tell where a row went. */
const MAX_PLACES = 50;

/** So many pairs of deleted and changed rows are compared where no word tells which ones belong together. */
const MAX_COMPARED_PAIRS = 400;

/** Whether a row's words can be divided: a header's marks may stand anywhere in them. */
export const isPlain = (unit: Unit | undefined): unit is Unit =>
  unit !== undefined && (unit.row.kind === 'checkbox' || unit.row.marks.length === 0);

const textsOf = (content: string): string[] => wordsOf(content).map(({ text }) => text);

/** The words by which a row is found: its people and days are attributes, which other rows get as well. */
const ownWordsOf = (content: string) => wordsOf(splitTail(content).body);

/** The weight of a word that one row has: weights are whole numbers, whose sums do not depend on their order. */
const UNIQUE_WORD_WEIGHT = 1_000_000;

/** The weight of some words: less for a word that several rows have. */
type Weigh = (words: readonly string[]) => number;

function weighing(units: readonly Unit[]): Weigh {
  const rowsWith = new Map<string, number>();
  for (const { content } of units)
    for (const word of new Set(textsOf(content))) rowsWith.set(word, (rowsWith.get(word) ?? 0) + 1);
  return words => words.reduce((sum, word) => sum + Math.round(UNIQUE_WORD_WEIGHT / (rowsWith.get(word) ?? 1)), 0);
}

const isApart = (words: readonly string[], others: readonly string[]) => !words.some(word => others.includes(word));

/** For each number of first words, the greatest weight of them that stand in their order among others. */
function keptFromStart(words: readonly string[], among: readonly string[], weigh: Weigh): number[] {
  const best = Array.from<number>({ length: among.length + 1 }).fill(0);
  const kept = [0];
  for (const word of words) {
    const weight = weigh([word]);
    let diagonal = 0;
    for (const [index, other] of among.entries()) {
      const above = best[index + 1] ?? 0;
      // Two words may have grown into one, so that one counts for both.
      const gained = word === other ? diagonal : isGrownWord(word, other) ? above : Number.NEGATIVE_INFINITY;
      best[index + 1] = Math.max(above, best[index] ?? 0, gained + weight);
      diagonal = above;
    }
    kept.push(best.at(-1) ?? 0);
  }
  return kept;
}

/**
 * The position at which a row was split: the first row has the words before it, the second one those behind it, whatever
 * was typed into either since; on both sides of the split where all words are left. `undefined` for rows that only share
 * words with it.
 */
function cutOf(whole: string, first: string, second: string, kept: string, weigh: Weigh): number | undefined {
  const words = ownWordsOf(whole);
  const [all, above, below] = [words.map(({ text }) => text), textsOf(first), textsOf(second)];
  const inKept = keptFromStart(all, textsOf(kept), weigh).at(-1) ?? 0;
  const lacking = weigh(all) - inKept;
  if (lacking <= 0) return undefined;
  let prefix = 0;
  while (prefix < Math.min(whole.length, first.length) && whole[prefix] === first[prefix]) prefix++;
  const exact = whole.slice(0, prefix).trimEnd().length;
  const rest = whole.slice(exact).trim();
  if (exact > 0 && rest !== '' && second.startsWith(rest)) return exact;
  const fromStart = keptFromStart(all, above, weigh);
  const fromEnd = keptFromStart(all.toReversed(), below.toReversed(), weigh);
  const isOfRow = (word: string) => all.some(other => other === word || isGrownWord(other, word));
  const added = kept === second ? above : below;
  const isMostlyOfRow = 2 * added.filter(isOfRow).length >= added.length;
  let best: { count: number; weight: number } | undefined;
  for (let count = 1; count < all.length; count++) {
    const [here, there] = [fromStart[count] ?? 0, fromEnd[all.length - count] ?? 0];
    const isAtCut = above.at(-1) === all[count - 1] || below[0] === all[count];
    const isDivided =
      isMostlyOfRow &&
      here + there >= weigh(all) &&
      isApart(all.slice(0, count), below) &&
      isApart(all.slice(count), above);
    if (!isAtCut && !isDivided) continue;
    if (here > 0 && there > 0 && here + there > (best?.weight ?? 0)) best = { count, weight: here + there };
  }
  if (!best) return undefined;
  const [ofFirst, ofSecond] = [all.slice(0, best.count), all.slice(best.count)];
  const [isCut, isRest] =
    kept === second
      ? [above.at(-1) === ofFirst.at(-1), (fromEnd[ofSecond.length] ?? 0) >= weigh(ofSecond)]
      : [below[0] === ofSecond[0], (fromStart[ofFirst.length] ?? 0) >= weigh(ofFirst)];
  // One of many parts has few of the words, and the row may have few of them left.
  if (` ${all.join(' ')} `.includes(` ${added.join(' ')} `)) return words[best.count - 1]?.to;
  // Words of the row may have been replaced; a new row without other words, or beside the rest of it, is still its part.
  const share = added.every(isOfRow) || (isCut && isRest) ? KEPT_SHARE / 2 : KEPT_SHARE;
  return best.weight - inKept >= share * lacking ? words[best.count - 1]?.to : undefined;
}

/** A part of a row's words, and the row after that has it. */
interface Segment {
  place: number;
  from: number;
  to: number;
}

/** The segments of a row with one more part; `undefined` for a row that has none of them. */
function dividing(
  whole: string,
  segments: readonly Segment[],
  after: readonly Unit[],
  part: number,
  weigh: Weigh,
): readonly Segment[] | undefined {
  const other = after[part]?.content ?? '';
  for (const [index, segment] of segments.entries()) {
    const { place, to } = segment;
    const from = segment.from + (/^\s*/.exec(whole.slice(segment.from))?.[0].length ?? 0);
    const [text, own] = [whole.slice(from, to), after[place]?.content ?? ''];
    const behind = cutOf(text, own, other, own, weigh);
    const cut = behind ?? cutOf(text, other, own, own, weigh);
    if (cut === undefined) continue;
    const [first, second] = behind === undefined ? [part, place] : [place, part];
    const halves = [
      { place: first, from, to: from + cut },
      { place: second, from: from + cut, to },
    ];
    return [...segments.slice(0, index), ...halves, ...segments.slice(index + 1)];
  }
  return undefined;
}

function splitsOf(before: readonly Unit[], after: readonly Unit[], alignment: Alignment, weigh: Weigh): Split[] {
  const kept = new Set(alignment.values());
  const taken = new Set<number>();
  const splits: Split[] = [];
  const added = after.flatMap((unit, index) => (kept.has(index) || !isPlain(unit) ? [] : [index]));
  if (added.length === 0) return [];
  const isAdded = new Set(added);
  /** The new rows that begin or end with a word: a part may have been moved. */
  const withWord = new Map<string | undefined, number[]>();
  for (const index of added) {
    const words = textsOf(after[index]?.content ?? '');
    for (const word of new Set([words[0], words.at(-1)])) {
      const known = withWord.get(word);
      if (known) known.push(index);
      else withWord.set(word, [index]);
    }
  }
  const divided = [...alignment].flatMap(([row, there]) => {
    const [unit, now] = [before[row], after[there]];
    if (!isPlain(unit) || !isPlain(now) || now.content === unit.content) return [];
    const { content } = unit;
    const segments: readonly Segment[] = [{ place: there, from: 0, to: content.length }];
    return { row, there, content, words: [...new Set(textsOf(content))], segments };
  });
  type Divided = (typeof divided)[number];
  const wordsIn = once(index => textsOf(after[index]?.content ?? ''));
  const beside = ({ there }: Divided) => [there + 1, there - 1];
  const anywhere = ({ words }: Divided) => {
    const far = words.flatMap(word => withWord.get(word) ?? []);
    return far.length > MAX_PLACES ? [] : [...new Set(far)];
  };
  const takeParts = (row: Divided, places: readonly number[], isPure: boolean) => {
    for (const part of places) {
      if (!isAdded.has(part) || taken.has(part)) continue;
      if (isPure && !wordsIn(part).every(word => row.words.includes(word))) continue;
      const segments = dividing(row.content, row.segments, after, part, weigh);
      if (!segments) continue;
      row.segments = segments;
      taken.add(part);
    }
  };
  // With each part that is found less of the row is left, of which another one may be a part.
  for (let count = -1; count < taken.size; ) {
    count = taken.size;
    // A new row without other words is a part of the row before one that only has some of the words.
    for (const isPure of [true, false])
      for (const placesOf of [beside, anywhere]) for (const row of divided) takeParts(row, placesOf(row), isPure);
  }
  for (const { row, there, segments } of divided) {
    const kept = segments.findIndex(({ place }) => place === there);
    for (const [index, { place, from, to }] of segments.entries())
      if (index !== kept) splits.push({ row, added: place, isSecond: index > kept, cut: index > kept ? from : to });
  }
  return splits;
}

const DETAIL_MARK = /^[ \t\xa0]*>[ \t\xa0]*/m;

const partsOf = { words: ({ content }: Unit) => textsOf(content), details: ({ details }: Unit) => textsOf(details) };

/** The words that a row, or its details, have and had not before. */
function gainedWords(before: Unit | undefined, after: Unit, part: keyof typeof partsOf): string[] {
  const had = new Map<string, number>();
  for (const word of before ? partsOf[part](before) : []) had.set(word, (had.get(word) ?? 0) + 1);
  return partsOf[part](after).filter(word => {
    const count = had.get(word) ?? 0;
    if (count > 0) had.set(word, count - 1);
    return count === 0;
  });
}

/** Rows with more words, multiplied by those of the joined row, are compared as sets of words only. */
const MAX_ORDERED_PAIRS = 20_000;

/** The words of a row that stand behind those of another one, or before them, in the row that both became. */
function keptBehind(own: readonly string[], words: readonly string[], joined: readonly string[]): string[] {
  if ((own.length + words.length) * joined.length > MAX_ORDERED_PAIRS) return [];
  const keptIn = (all: readonly string[], first: number) =>
    inOrder(all.length, joined.length, (i, j) => weighEdited(all[i] ?? '', joined[j] ?? ''))
      .filter(([i]) => i >= first && i < first + words.length)
      .map(([i]) => all[i] ?? '');
  const [behind, above] = [keptIn([...own, ...words], own.length), keptIn([...words, ...own], 0)];
  return behind.length >= above.length ? behind : above;
}

/** Whether others have the first and the last of some words in this order: those in between may have been replaced. */
function isSameFrame(words: readonly string[], others: readonly string[]): boolean {
  const start = others.indexOf(words[0] ?? '');
  return words.length > 2 && start >= 0 && others.lastIndexOf(words.at(-1) ?? '') > start;
}

function joinsOf(before: readonly Unit[], after: readonly Unit[], alignment: Alignment, weigh: Weigh): Join[] {
  const deleted = before.flatMap((unit, row) => (alignment.has(row) || !isPlain(unit) ? [] : [row]));
  if (deleted.length === 0) return [];
  const rowOf = new Map([...alignment].map(([row, place]) => [place, row]));
  const gained = new Map<number, Record<keyof typeof partsOf, string[]>>();
  const places = new Map<string, Set<number>>();
  for (const [place, unit] of after.entries()) {
    const was = before[rowOf.get(place) ?? -1];
    if (was?.content === unit.content && was.details === unit.details) continue;
    const words = gainedWords(was, unit, 'words');
    const details = gainedWords(was, unit, 'details');
    gained.set(place, { words, details });
    for (const word of [...words, ...details]) places.set(word, (places.get(word) ?? new Set()).add(place));
  }
  const isIn = (there: readonly string[]) => (word: string) =>
    there.some(other => other === word || isGrownWord(word, other));
  const inAdded = [...gained].flatMap(([place, { words }]) => (rowOf.has(place) ? [] : words));
  /** The words that the nearest rows have gained, new ones in between left out. */
  const gainedBeside = (place: number) =>
    [-1, 1].flatMap(step => {
      let beside = place + step;
      while (gained.has(beside) && !rowOf.has(beside)) beside += step;
      return Object.values(gained.get(beside) ?? {}).flat();
    });
  /** Whether all rows between two rows were deleted. */
  const isBeside = (...rows: [number, number]) => {
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    return before.slice(first + 1, last).every((_, index) => !alignment.has(first + 1 + index));
  };
  return deleted.flatMap(row => {
    const content = before[row]?.content ?? '';
    const words = ownWordsOf(content).map(({ text }) => text);
    const total = weigh(words);
    const candidates = new Set<number>();
    for (const neighbour of [row - 1, row + 1]) {
      const place = alignment.get(neighbour);
      if (place !== undefined && gained.has(place)) candidates.add(place);
    }
    for (const word of words) {
      const found = places.get(word);
      if (found && found.size <= MAX_PLACES) for (const place of found) candidates.add(place);
    }
    // Each of its words may have grown.
    if (candidates.size === 0 && deleted.length * gained.size <= MAX_COMPARED_PAIRS)
      for (const place of gained.keys()) candidates.add(place);
    let best: { place: number; there: readonly string[]; weight: number; isInDetails: boolean } | undefined;
    for (const place of candidates) {
      for (const part of ['words', 'details'] as const) {
        const there = gained.get(place)?.[part] ?? [];
        const weight = weigh(words.filter(isIn(there)));
        if (weight > (best?.weight ?? 0)) best = { place, there, weight, isInDetails: part === 'details' };
      }
    }
    if (!best) return [];
    const { place, there, isInDetails } = best;
    const target = rowOf.get(place);
    const part = isInDetails ? 'details' : 'content';
    const [own, joined] = [before[target ?? -1]?.[part] ?? '', after[place]?.[part] ?? ''];
    const ownWords = textsOf(own);
    const isClear = target === undefined || best.weight >= KEPT_SHARE * total;
    const weight = isClear ? best.weight : Math.max(best.weight, weigh(keptBehind(ownWords, words, textsOf(joined))));
    // Details are written at length: a few words of the row may stand there by chance.
    const share = isInDetails ? KEPT_SHARE : KEPT_SHARE / 2;
    if (weight < share * total || words.filter(isIn(there)).join('').length < MIN_JOINED_CHARS) return [];
    // The joined row may have been split again, so that new rows, or those beside it, have some of the words.
    const isLeft = isIn([...there, ...inAdded, ...gainedBeside(place)]);
    // A row of another number is another row, however much alike they are.
    if (words.some(word => /\d/.test(word) && !isLeft(word))) return [];
    const isFramed = target !== undefined && isBeside(row, target) && isSameFrame(words, there);
    const left = isFramed || weight >= total ? total : Math.max(weight, weigh(words.filter(isLeft)));
    // A new row may only resemble the deleted one, but a detail is no row.
    if (left < (target === undefined && !isInDetails ? NEW_ROW_SHARE : KEPT_SHARE) * total) return [];
    const isBehind = commonWords(`${own} ${content}`, joined).length >= commonWords(`${content} ${own}`, joined).length;
    const [one, two] = isBehind ? [ownWords, words] : [words, ownWords];
    const mark = isInDetails ? (DETAIL_MARK.exec(joined)?.[0] ?? '') : '';
    const isOwnLine =
      isInDetails && joined.split(/[\r\n]+/).some(line => textsOf(line.slice(mark.length))[0] === words[0]);
    const [last = '', first = ''] = [one.at(-1), two[0]];
    const isGlued = last !== '' && first !== '' && joined.includes(last + first);
    const between = isGlued ? '' : ' ';
    return [{ row, place, target, isInDetails, isBehind, gap: isOwnLine ? `\n${mark}` : between, mark }];
  });
}

/** Finds the rows that were split or joined between two versions of a text, as far as their words tell. */
export function reshapesOf(
  before: readonly Unit[],
  after: readonly Unit[],
  alignment: Alignment,
): { splits: Split[]; joins: Join[] } {
  const weigh = weighing(before);
  return { splits: splitsOf(before, after, alignment, weigh), joins: joinsOf(before, after, alignment, weigh) };
}
