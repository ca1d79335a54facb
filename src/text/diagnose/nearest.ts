/** How many characters are to be inserted, deleted or replaced to get from one text to the other (Levenshtein). */
export function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** Of several things the one whose name is most like the given one; none if even that differs in more than a third. */
export function nearest<T extends { name: string }>(name: string, things: readonly T[]): T | undefined {
  const wanted = plain(name);
  let found: T | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const thing of things) {
    const away = distance(wanted, plain(thing.name));
    if (away < least) [found, least] = [thing, away];
  }
  return found;
}
