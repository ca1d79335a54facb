/** A random number generator with a seed (mulberry32), so that runs are repeatable. */
export interface Random {
  /** A whole number from 0 to `below`, exclusive. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const int = (below: number) => Math.floor((next() / 2 ** 32) * below);
  return {
    int,
    pick(from) {
      const picked = from[int(from.length)];
      if (picked === undefined) throw new RangeError('Nothing to pick from.');
      return picked;
    },
  };
}
