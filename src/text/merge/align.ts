import { numbering } from './common.ts';
import { pairByName, pairEqual } from './equal-rows.ts';
import { once, Pairing, type RowIds, type Side, uniqueIds } from './pairing.ts';
import { gapsOf, pairDivided, pairSimilar, pairUnambiguous, rowSimilarity, similarityInPlace } from './similar-rows.ts';
import { shapeOf } from './similarity.ts';
import { bareOf, keyOf, lineOf, splitContent, type Unit } from './units.ts';

/** Maps row indexes of one version to those of another, each at most once. */
export type Alignment = ReadonlyMap<number, number>;

const bodyOf = (unit: Unit | undefined) => (unit ? splitContent(unit).body : '');

/** A value, computed when first asked for. */
function lazy<T>(compute: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/**
 * Matches the rows of two versions of a text. Where both rows' lasting ids are known, those decide, unless the row's words
 * are in another one (`followWords`). Then equal texts in order; then equal texts that moved, within their section before
 * across; then those that are equal but for what only one names (issues, people, days); then similar texts, between the
 * same neighbours before in the same section, then those that are similar to no other row, then rows that were split. Equal
 * rows that nothing tells apart are matched in order.
 */
export function alignUnits(a: readonly Unit[], b: readonly Unit[], idsOfA?: RowIds, idsOfB?: RowIds): Alignment {
  const number = numbering();
  const sideOf = (units: readonly Unit[], ids?: RowIds): Side => {
    const bare = once(index => bareOf(units[index]));
    const keys = lazy(() => units.map(unit => number(`key ${keyOf(unit)}`)));
    const lines = lazy(() => units.map(unit => number(`line ${lineOf(unit)}`)));
    const sections = lazy(() => units.map(({ section }) => number(`section ${section}`)));
    return {
      units,
      ids: uniqueIds(ids),
      get keys() {
        return keys();
      },
      get lines() {
        return lines();
      },
      get sections() {
        return sections();
      },
      bare,
      shape: once(index => shapeOf(bodyOf(units[index]))),
      bareShape: once(index => shapeOf(bare(index).body)),
    };
  };
  const pairing = new Pairing(sideOf(a, idsOfA), sideOf(b, idsOfB));
  pairing.pairKnown();
  pairing.followWords();
  // The most usual case of a merge: no row is new on both sides, and nothing is left to compare.
  if (pairing.isComplete()) return pairing.there;
  pairEqual(pairing);
  if (pairing.isComplete()) return pairing.there;
  pairByName(pairing, ({ keys, sections }, index) => number(`${sections[index]} ${keys[index]}`));
  pairByName(pairing, ({ keys }, index) => keys[index]);
  // A row that names something has the name of the other side's row that names nothing.
  const bareName = (side: Side, index: number, place = '') => {
    const { body, names } = side.bare(index);
    const isKeyed = names.length > 0 === (side === pairing.a);
    return body === '' ? undefined : number(`bare ${isKeyed} ${side.units[index]?.row.kind} ${place} ${body}`);
  };
  pairByName(pairing, (side, index) => bareName(side, index, `${side.sections[index]}`));
  pairByName(pairing, (side, index) => bareName(side, index));
  pairSimilar(pairing, gapsOf(pairing), similarityInPlace);
  pairSimilar(pairing, [{ a: pairing.a.sections, b: pairing.b.sections }], rowSimilarity);
  pairUnambiguous(pairing);
  pairDivided(pairing);
  return pairing.there;
}
