import type { Alignment } from './align.ts';
import { joinRows, sameJoin } from './join-rows.ts';
import { passDetails } from './passed-details.ts';
import { type Join, reshapesOf, type Split } from './reshapes.ts';
import type { Reshaping } from './reshaping.ts';
import { splitRow, splitsOf } from './split-rows.ts';
import type { Document, Unit } from './units.ts';
import type { Side } from './versions.ts';

/** All rows that one side split or joined while the other side changed them. */
export interface Reshaped extends Reshaping {
  /** Rows that one side deleted, as the other one has them without the details that are in other rows: by the base's index. */
  fallen: ReadonlyMap<number, Unit>;
  /** The first parts of split rows that the side left directly above the other part, by the base's index of that. */
  firstParts: ReadonlyMap<Unit, number>;
  /** The last parts of split rows that one side alone has, directly below the other part. */
  lastParts: ReadonlySet<Unit>;
}

interface Sides {
  base: Document;
  mine: Document;
  theirs: Document;
  toMine: Alignment;
  toTheirs: Alignment;
}

/** A join, or the splits of one row, by one side. */
interface OfSide {
  side: Side;
  other: Side;
}
interface SideJoin extends OfSide {
  join: Join;
}
interface SideSplit extends OfSide {
  row: number;
  splits: readonly Split[];
}

/** Joins in the order in which they are made. */
function joinsInOrder(joins: readonly SideJoin[]): readonly SideJoin[] {
  /** How many rows a joined one goes through: each side may have joined the other's row on. */
  const depthOf = ({ side, other, join }: SideJoin, passed: readonly Join[] = []): number => {
    const next = passed.includes(join) ? undefined : other.joins.find(({ row }) => row === join.target);
    return next ? 1 + depthOf({ side: other, other: side, join: next }, [...passed, join]) : 0;
  };
  /** The two rows of a join that each side made, whichever of them each has kept, are one row before others are joined. */
  const isOfBoth = ({ other, join }: SideJoin) =>
    other.joins.some(({ row, target }) => row === join.target && target === join.row) || sameJoin(other, join);
  const rankOf = (each: SideJoin) => (isOfBoth(each) ? joins.length + 1 : depthOf(each));
  return [...joins].sort((a, b) => rankOf(b) - rankOf(a));
}

/**
 * Whether a row is split before rows are joined. If it was split and joined with another one, the other side's half is
 * joined; and a part is there before rows that were joined with it.
 */
function isSplitFirst({ side, other, row, splits }: SideSplit): boolean {
  const isJoined = ({ joins }: Side) => joins.some(join => join.row === row || join.target === row);
  const isPartJoined = splits.some(({ added }) => side.joins.some(({ place }) => place === added));
  return isPartJoined || (isJoined(side) ? !isJoined(other) : other.joins.some(({ target }) => target === row));
}

/** The parts that a side left directly above the row, by the base's index of that. */
const firstPartsOf = ({ units, to, splits }: Side) =>
  splits.flatMap(({ row, added, isSecond }) => {
    const unit = units[added];
    return unit && !isSecond && to.get(row) === added + 1 ? [[unit, row] as const] : [];
  });

/** The parts that a side alone has directly below the row. */
function lastPartsOf({ units, to, splits }: Side, sameParts: ReadonlyMap<Unit, Unit>): Unit[] {
  const ofBoth = new Set([...sameParts].flat());
  const rowOfPart = new Map(splits.flatMap(({ row, added, isSecond }) => (isSecond ? [[added, row] as const] : [])));
  return [...new Set(rowOfPart.values())].flatMap(row => {
    const first = (to.get(row) ?? -1) + 1;
    let last = first;
    while (rowOfPart.get(last) === row) last++;
    return units.slice(first, last).filter(unit => !ofBoth.has(unit));
  });
}

/** Finds the rows that one side split or joined, where it matters to what the other side changed. */
export function reshapedRows({ base, mine, theirs, toMine, toTheirs }: Sides): Reshaped {
  const ofMine: Side = { name: 'mine', units: mine.units, to: toMine, ...reshapesOf(base.units, mine.units, toMine) };
  const ofTheirs: Side = {
    ...{ name: 'theirs', units: theirs.units, to: toTheirs },
    ...reshapesOf(base.units, theirs.units, toTheirs),
  };
  const reshaping: Reshaping = {
    base: base.units,
    sides: [ofMine, ofTheirs],
    rows: new Map(),
    absorbed: new Set(),
    joinedAs: new Map(),
    parts: new Map(),
    dropped: new Set(),
    sameParts: new Map(),
    neighbours: new Map(),
  };
  const pairs: readonly OfSide[] = [
    { side: ofMine, other: ofTheirs },
    { side: ofTheirs, other: ofMine },
  ];
  const joins = pairs.flatMap(pair => pair.side.joins.map((join): SideJoin => ({ ...pair, join })));
  const splits = pairs.flatMap(pair => {
    const rows = new Set(pair.side.splits.map(({ row }) => row));
    return [...rows].map((row): SideSplit => ({ ...pair, row, splits: splitsOf(pair.side, row) }));
  });
  const split = (each: SideSplit) => splitRow(reshaping, each.side, each.other, each.row, each.splits);
  for (const each of splits.filter(isSplitFirst)) split(each);
  for (const { side, other, join } of joinsInOrder(joins)) joinRows(reshaping, side, other, join);
  const later = splits.filter(each => !isSplitFirst(each));
  for (const each of later.sort((a, b) => (a.splits[0]?.cut ?? 0) - (b.splits[0]?.cut ?? 0))) split(each);
  const fallen = new Map<number, Unit>();
  for (const pair of pairs) passDetails({ ...reshaping, ...pair, fallen });
  return {
    ...reshaping,
    fallen,
    firstParts: new Map(pairs.flatMap(({ side }) => firstPartsOf(side))),
    lastParts: new Set(pairs.flatMap(({ side }) => lastPartsOf(side, reshaping.sameParts))),
  };
}
