import { wordsOf } from './rewording.ts';
import type { Shape } from './similarity.ts';
import type { Bare, Unit } from './units.ts';

/** Ids of a version's rows by index, as far as known. */
export type RowIds = readonly (string | undefined)[];

/** Begins an id that an editor gives a row whose lasting id it does not know. Such an id matches only itself. */
const PROVISIONAL = '?';
export const provisionalId = (number: number): string => `${PROVISIONAL}${number}`;
export const isLastingId = (id: string | undefined): id is string =>
  id !== undefined && id !== '' && !id.startsWith(PROVISIONAL);

/** One word may be another row's by chance. */
const MIN_FOLLOWED_WORDS = 2;

/** A function of a row's index, computed when first asked for. */
export function once<T>(compute: (index: number) => T): (index: number) => T {
  const known: T[] = [];
  return index => (known[index] ??= compute(index));
}

/** One version's rows as the passes compare them, by index: small numbers, equal for equal texts. */
export interface Side {
  readonly units: readonly Unit[];
  readonly ids: RowIds;
  /** A row's words, whatever became of its status, people, days and details. */
  readonly keys: readonly number[];
  /** All of a row but the blank lines below. */
  readonly lines: readonly number[];
  readonly sections: readonly number[];
  readonly bare: (index: number) => Bare;
  readonly shape: (index: number) => Shape;
  /** Without issue keys, people and days. */
  readonly bareShape: (index: number) => Shape;
}

/** Ids that occur once; duplicates and '' identify nothing. */
export function uniqueIds(ids: RowIds = []): RowIds {
  const count = new Map<string | undefined, number>();
  for (const id of ids) count.set(id, (count.get(id) ?? 0) + 1);
  return ids.map(id => (id !== '' && count.get(id) === 1 ? id : undefined));
}

/** Two versions' rows and the pairs found so far. */
export class Pairing {
  readonly there = new Map<number, number>();
  readonly back = new Map<number, number>();
  readonly a: Side;
  readonly b: Side;

  constructor(a: Side, b: Side) {
    this.a = a;
    this.b = b;
  }

  /** Pairs the rows that bear one lasting id. */
  pairKnown(): void {
    const indexes = new Map(this.b.ids.slice(0, this.b.units.length).map((id, index) => [id, index]));
    this.a.ids.slice(0, this.a.units.length).forEach((id, index) => {
      const found = id === undefined ? undefined : indexes.get(id);
      if (found !== undefined) this.pair(index, found);
    });
  }

  /**
   * Pairs a row that kept its id but none of its words with the new row that has all of these, or only these where it is
   * one word. Its id stayed with a part that was split off, or with what was joined with it. A row whose words are all in
   * the details that come with that id is no row any more.
   */
  followWords(): void {
    const { there: free } = this.open();
    const wordsIn = once(index => wordsOf(this.b.units[index]?.content ?? '').map(({ text }) => text));
    for (const [i, j] of [...this.there]) {
      const [unit, match] = [this.a.units[i], this.b.units[j]];
      if (!unit || !match || unit.content === match.content) continue;
      const words = wordsOf(unit.content).map(({ text }) => text);
      if (words.length === 0 || words.some(word => wordsIn(j).includes(word))) continue;
      const inDetails = wordsOf(match.details).map(({ text }) => text);
      if (words.length >= MIN_FOLLOWED_WORDS && words.every(word => inDetails.includes(word)) && unit.details === '') {
        this.there.delete(i);
        this.back.delete(j);
        continue;
      }
      const [place, ...others] = free.filter(index => words.every(word => wordsIn(index).includes(word)));
      if (place === undefined || others.length > 0 || this.back.has(place)) continue;
      if (words.length < MIN_FOLLOWED_WORDS && this.b.units[place]?.content !== unit.content) continue;
      this.back.delete(j);
      this.there.set(i, place);
      this.back.set(place, i);
    }
  }

  /** Whether two rows are paired, or may be: both still free, and not known to be different ones. */
  canPair(i: number, j: number): boolean {
    if (this.there.has(i) || this.back.has(j)) return this.there.get(i) === j;
    const [here, there] = [this.a.ids[i], this.b.ids[j]];
    return !isLastingId(here) || !isLastingId(there) || here === there;
  }

  pair(i: number, j: number): void {
    if (this.there.has(i) || !this.canPair(i, j)) return;
    this.there.set(i, j);
    this.back.set(j, i);
  }

  /** Whether each row of one side has a partner. */
  isComplete(): boolean {
    return this.there.size === Math.min(this.a.units.length, this.b.units.length);
  }

  /** Indexes of `a` and of `b` that have no partner yet. */
  open(): { here: number[]; there: number[] } {
    const without = ({ units }: Side, pairs: ReadonlyMap<number, number>) =>
      units.flatMap((_, index) => (pairs.has(index) ? [] : [index]));
    return { here: without(this.a, this.there), there: without(this.b, this.back) };
  }
}
