import { differenceOf } from '../document.ts';
import { normalName } from '../status-registry.ts';

/**
 * How many characters are to be inserted, deleted or replaced to get from one text to the other (Levenshtein), or
 * `limit` if that is not less.
 */
function distance(whole: string, other: string, limit: number): number {
  if (Math.abs(whole.length - other.length) >= limit) return limit;
  // What both begin and end with costs nothing, and is most of what names of one kind consist of.
  const shared = differenceOf(whole, other);
  if (!shared) return 0;
  const [a, b] = [whole.slice(shared.from, shared.toA), other.slice(shared.from, shared.toB)];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const steps = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      row.push(steps);
      least = Math.min(least, steps);
    }
    if (least >= limit) return limit;
    above = row;
  }
  return Math.min(above[b.length] ?? 0, limit);
}

/**
 * Of several things the one whose name is most like a given one; none if even that differs in more than a third. Each
 * name is looked for once.
 */
export function nearestOf<T extends { name: string }>(things: readonly T[]): (name: string) => T | undefined {
  const named = things.map(thing => ({ thing, name: normalName(thing.name) }));
  const known = new Map<string, T | undefined>();
  return name => {
    const wanted = normalName(name);
    if (known.has(wanted)) return known.get(wanted);
    let found: T | undefined;
    let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
    for (const { thing, name } of named) {
      const away = distance(wanted, name, least);
      if (away < least) [found, least] = [thing, away];
    }
    known.set(wanted, found);
    return found;
  };
}
