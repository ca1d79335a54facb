/** A cache that several owners share. */
export interface FairCache<T> {
  get(owner: string, key: string): T | undefined;
  /** Reads a value without counting the read as a use. */
  peek(owner: string, key: string): T | undefined;
  set(owner: string, key: string, value: T): void;
  delete(owner: string, key: string): void;
}

/**
 * Keeps at most `most` values. If it is full, an owner with more than an equal share loses the least recently used of its
 * own, the one that sets a value before others: who sets many takes nothing from those who keep few. `evicted` is called
 * with what was lost.
 */
export function createFairCache<T>(most: number, evicted: (owner: string, value: T) => void = () => {}): FairCache<T> {
  /** By owner and key, the least recently used first. */
  const owners = new Map<string, Map<string, T>>();
  let size = 0;

  function drop(owner: string, key: string): void {
    const ownEntries = owners.get(owner);
    if (!ownEntries?.delete(key)) return;
    size -= 1;
    if (ownEntries.size === 0) owners.delete(owner);
  }

  /** The given owner if it has more than an equal share, else the one with most. */
  function loserAt(owner: string): string {
    if ((owners.get(owner)?.size ?? 0) > Math.max(1, most / owners.size)) return owner;
    let [loser, count] = [owner, 0];
    for (const [other, { size }] of owners) if (size > count) [loser, count] = [other, size];
    return loser;
  }

  return {
    get(owner, key) {
      const ownEntries = owners.get(owner);
      const value = ownEntries?.get(key);
      if (!ownEntries || value === undefined) return undefined;
      ownEntries.delete(key);
      ownEntries.set(key, value);
      return value;
    },
    peek: (owner, key) => owners.get(owner)?.get(key),
    set(owner, key, value) {
      drop(owner, key);
      const ownEntries = owners.get(owner) ?? new Map<string, T>();
      owners.set(owner, ownEntries.set(key, value));
      size += 1;
      if (size <= most) return;
      const loser = loserAt(owner);
      const [first] = owners.get(loser) ?? [];
      if (!first) return;
      drop(loser, first[0]);
      evicted(loser, first[1]);
    },
    delete: drop,
  };
}
