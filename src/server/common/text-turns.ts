import type { Sliced } from '../../text/sliced.ts';
import type { Owner, Run } from './mutex.ts';
import { inSlices } from './slices.ts';

/** Characters from which on work on texts needs a turn. */
export const LARGE = 8_192;
/** Most characters of texts in one turn, unless a single one is longer. */
const TURN = 32_768;

/** Whose turn it is, and how turns are taken. */
export interface OwnTurns {
  inTurn: Run;
  owner: Owner;
}

/** Works on texts of so many characters in slices, in a turn where they are large. The work takes no other turn. */
export function inTurnIfLarge<T>({ inTurn, owner }: OwnTurns, characters: number, work: () => Sliced<T>): Promise<T> {
  const run = () => inSlices(work());
  return characters > LARGE ? inTurn(owner, run) : run();
}

/**
 * Works on each of some texts in slices, in their order. Where all together are large, a long text has a turn of its own
 * and short ones share one, so that others wait for one of them at most. Rejects as the first that fails.
 */
export async function eachInTurn<Item, T>(
  turns: OwnTurns,
  items: readonly Item[],
  textOf: (item: Item) => string,
  work: (item: Item) => Sliced<T>,
): Promise<T[]> {
  const results: T[] = [];
  function* working(part: readonly Item[]): Sliced<void> {
    for (const item of part) {
      results.push(yield* work(item));
      yield;
    }
  }
  const all = items.reduce((sum, item) => sum + textOf(item).length, 0);
  const size = all > LARGE ? TURN : Number.POSITIVE_INFINITY;
  for (let from = 0; from < items.length; ) {
    let [to, characters] = [from, 0];
    for (; to < items.length; to++) {
      const { length } = textOf(items[to] as Item);
      if (to > from && characters + length > size) break;
      characters += length;
    }
    const part = items.slice(from, to);
    await inTurnIfLarge(turns, all, () => working(part));
    from = to;
  }
  return results;
}
