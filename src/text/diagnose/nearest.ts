import { normalName } from '../status-registry.ts';

/** How many rows of the matrix one machine word holds. */
const WORD_BITS = 32;

/**
 * Returns a function that computes the Levenshtein distance of `pattern` to a text, or `limit` if the distance is not
 * less. A column of the matrix is a vector of bits, whose words are computed at once (Myers 1999, Hyyrö 2003); the
 * computation ends at the first column from which the distance cannot become less than `limit`.
 */
function distanceFrom(pattern: string): (text: string, limit: number) => number {
  const words = Math.ceil(pattern.length / WORD_BITS);
  /** For each character the rows in which the pattern has it. */
  const rows = new Map<number, Int32Array>();
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern.charCodeAt(i);
    const bits = rows.get(code) ?? new Int32Array(words);
    const word = Math.floor(i / WORD_BITS);
    bits[word] = (bits[word] ?? 0) | (1 << (i % WORD_BITS));
    rows.set(code, bits);
  }
  const noRows = new Int32Array(words);
  const lastRow = 1 << ((pattern.length - 1) % WORD_BITS);
  /** The rows whose cell is one more, and one less, than the cell above. */
  const more = new Int32Array(words);
  const less = new Int32Array(words);
  return (text, limit) => {
    if (Math.abs(text.length - pattern.length) >= limit) return limit;
    if (pattern === '') return text.length;
    more.fill(-1);
    less.fill(0);
    let steps = pattern.length;
    for (let j = 0; j < text.length; j++) {
      const equal = rows.get(text.charCodeAt(j)) ?? noRows;
      // The first row grows by one with each column.
      let [carriedMore, carriedLess] = [1, 0];
      for (let word = 0; word < words; word++) {
        const [same, up, down] = [equal[word] ?? 0, more[word] ?? 0, less[word] ?? 0];
        const vertical = same | down;
        const entered = same | carriedLess;
        const horizontal = (((entered & up) + up) ^ up) | entered;
        const grows = down | ~(horizontal | up);
        const shrinks = up & horizontal;
        if (word === words - 1) steps += (grows & lastRow ? 1 : 0) - (shrinks & lastRow ? 1 : 0);
        const [moved, movedLess] = [(grows << 1) | carriedMore, (shrinks << 1) | carriedLess];
        more[word] = movedLess | ~(vertical | moved);
        less[word] = moved & vertical;
        [carriedMore, carriedLess] = [grows >>> 31, shrinks >>> 31];
      }
      if (steps - (text.length - 1 - j) >= limit) return limit;
    }
    return steps;
  };
}

/**
 * Returns a function that finds the thing whose name is most like a given one, or `undefined` if even that name differs
 * in more than a third of its characters. The names are normalised once.
 */
export function nearestOf<T extends { name: string }>(things: readonly T[]): (name: string) => T | undefined {
  const named = things.map(thing => ({ thing, name: normalName(thing.name) }));
  const cached = new Map<string, T | undefined>();
  return name => {
    const wantedName = normalName(name);
    if (cached.has(wantedName)) return cached.get(wantedName);
    const distance = distanceFrom(wantedName);
    let nearest: T | undefined;
    let least = Math.max(1, Math.floor(wantedName.length / 3)) + 1;
    for (const { thing, name } of named) {
      const steps = distance(name, least);
      if (steps < least) [nearest, least] = [thing, steps];
    }
    cached.set(wantedName, nearest);
    return nearest;
  };
}
