import { differenceOf } from '../document.ts';
import { normalName } from '../status-registry.ts';

/**
 * The Levenshtein distance of two texts, or `limit` if the distance is not less. Computes only those cells of the matrix
 * through which a path of less than `limit` steps can lead, and ends at the first row without such a cell.
 */
function distance(whole: string, other: string, limit: number): number {
  const longer = other.length - whole.length;
  if (Math.abs(longer) >= limit) return limit;
  // The common start and end cost nothing, and are most of what names of one kind consist of.
  const shared = differenceOf(whole, other);
  if (!shared) return 0;
  const [a, b] = [whole.slice(shared.from, shared.toA), other.slice(shared.from, shared.toB)];
  const spare = Math.floor((limit - 1 - Math.abs(longer)) / 2);
  const [before, behind] = [spare + Math.max(-longer, 0), spare + Math.max(longer, 0)];
  let above = Array.from({ length: b.length + 1 }, (_, j) => (j <= behind ? j : limit));
  let row = new Array<number>(b.length + 1).fill(limit);
  for (let i = 1; i <= a.length; i++) {
    const [first, last] = [Math.max(1, i - before), Math.min(b.length, i + behind)];
    row[first - 1] = i <= before ? i : limit;
    let least = i <= before ? i + Math.abs(longer + i) : limit;
    for (let j = first; j <= last; j++) {
      const replaced = (above[j - 1] ?? limit) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const steps = Math.min(replaced, (above[j] ?? limit) + 1, (row[j - 1] ?? limit) + 1);
      row[j] = steps;
      least = Math.min(least, steps + Math.abs(longer + i - j));
    }
    if (last < b.length) row[last + 1] = limit;
    if (least >= limit) return limit;
    [above, row] = [row, above];
  }
  return Math.min(above[b.length] ?? limit, limit);
}

/**
 * Returns a function that finds the thing whose name is most like a given one, or `undefined` if even that name differs
 * in more than a third of its characters. The names are normalised once.
 */
export function nearestOf<T extends { name: string }>(things: readonly T[]): (name: string) => T | undefined {
  const named = things.map(thing => ({ thing, name: normalName(thing.name) }));
  const cached = new Map<string, T | undefined>();
  return name => {
    const wanted = normalName(name);
    if (cached.has(wanted)) return cached.get(wanted);
    let nearest: T | undefined;
    let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
    for (const { thing, name } of named) {
      const steps = distance(wanted, name, least);
      if (steps < least) [nearest, least] = [thing, steps];
    }
    cached.set(wanted, nearest);
    return nearest;
  };
}
