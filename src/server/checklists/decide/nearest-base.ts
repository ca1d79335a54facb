import { isDeepStrictEqual } from 'node:util';
import { textTask } from '../../text-workers/task.ts';

/** A text's lines without blanks at their ends and without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trimEnd())
    .filter(Boolean);

/** A line without its mark, status and `!`: the part that ticking does not change. */
const sentenceOf = (line: string): string => line.replace(/^\s*(?:[-+~x]|#+)\s+(?:\[[^\]]*\]\s+)?(?:!\s+)?/, '');

type Counts = ReadonlyMap<string, number>;

function countsOf(parts: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

/** The size of the intersection of two multisets. */
function common(parts: readonly string[], counts: Counts): number {
  const used = new Map<string, number>();
  let count = 0;
  for (const part of parts) {
    const before = used.get(part) ?? 0;
    if (before >= (counts.get(part) ?? 0)) continue;
    used.set(part, before + 1);
    count += 1;
  }
  return count;
}

/** The difference between two texts. */
interface Difference {
  /** Sentences in both. */
  shared: number;
  /** Lines added, deleted or ticked. */
  apart: number;
  deleted: number;
}

/** Compares texts with one text, given by its lines. */
function comparing(to: readonly string[]): (from: readonly string[]) => Difference {
  // The compared texts share most of their lines.
  const sentences = new Map<string, string>();
  const cachedSentence = (line: string): string => {
    const sentence = sentences.get(line) ?? sentenceOf(line);
    sentences.set(line, sentence);
    return sentence;
  };
  const counts = { lines: countsOf(to), sentences: countsOf(to.map(cachedSentence)) };
  return from => {
    const shared = common(from.map(cachedSentence), counts.sentences);
    return {
      shared,
      apart: from.length + to.length - shared - common(from, counts.lines),
      deleted: from.length - shared,
    };
  };
}

/** Compares two differences: below 0 if the first is the smaller one. */
const farther = (one: Difference, other: Difference): number =>
  one.apart - other.apart || other.shared - one.shared || one.deleted - other.deleted;

interface BaseSearch {
  /** The foreign text. */
  text: string;
  /** The base if no earlier text is nearer. */
  last: string;
  earlier: readonly string[];
}

/**
 * The most likely base of a foreign text. Between the foreign read and write the app may have written another revision; an
 * earlier text is then nearer to the foreign one than `last`, and `last` as the base would undo the app's write. An
 * earlier text wins if it is nearer, or as near with more shared or fewer deleted lines, and at least half of it is in
 * the foreign text: a cleared or rewritten checklist has `last` as its base.
 */
export function nearestBase({ text, last, earlier }: BaseSearch): string {
  const compare = comparing(linesOf(text));
  let best = { text: last, ...compare(linesOf(last)) };
  for (const candidate of earlier) {
    const from = linesOf(candidate);
    const difference = { text: candidate, ...compare(from) };
    const { shared } = difference;
    if (farther(difference, best) < 0 && shared > 0 && 2 * shared >= from.length) best = difference;
  }
  return best.text;
}

/** Searches the base of a foreign text. */
export const baseSearch = textTask({
  name: 'search-base',
  run: nearestBase,
  charactersOf: ({ text, last, earlier }: BaseSearch) =>
    earlier.reduce((sum, { length }) => sum + length, text.length + last.length),
});

/**
 * Returns the text with more of a foreign text's lines. Returns `before` if both have as many, or if the foreign text is
 * the other one without any change: an author who writes an old text back wants it.
 */
export function explainingBase<Base extends { text: string }>(
  text: string,
  before: Base,
  other: Base | undefined,
): Base {
  const lines = new Set(linesOf(text));
  const explained = (base: Base) => new Set(linesOf(base.text).filter(line => lines.has(line))).size;
  if (!other || isDeepStrictEqual(linesOf(other.text), linesOf(text))) return before;
  return explained(other) > explained(before) ? other : before;
}
