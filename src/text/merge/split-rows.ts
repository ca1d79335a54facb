import { splitByBoth } from './both-split.ts';
import { isPlain, type Split } from './reshapes.ts';
import type { Reshaping } from './reshaping.ts';
import { positionsInRewording } from './rewording.ts';
import type { Unit } from './units.ts';
import { isBase, type RowBefore, rowOf, type Side, unitOf, versions, withContent } from './versions.ts';

/** A row that one side has divided, and where the divided words start in it. */
interface Divisible {
  /** The base's index. */
  row: number;
  base: Unit;
  /** The part that is still the row. */
  own: Unit;
  /** The whole row as the other side has it. */
  other: Unit;
  start: number;
  before: {
    ofKept(kept: Unit): readonly RowBefore[];
    ofPart(added: number, part: Unit): readonly RowBefore[];
  };
}

/** The parts of a text between these positions, which ascend. */
const partsOf = (text: string, cuts: readonly number[]): string[] =>
  [0, ...cuts].map((from, index) => {
    const part = text.slice(from, cuts[index]);
    const begun = index > 0 ? part.trimStart() : part;
    return index < cuts.length ? begun.trimEnd() : begun;
  });

/** A side's splits of a row, from the row's start on. */
export const splitsOf = ({ splits }: Side, row: number): Split[] =>
  splits.filter(split => split.row === row).sort((a, b) => a.cut - b.cut);

/** The part that has the details which the kept part of a row has no longer; `undefined` where they are not moved. */
function holderOf({ units }: Side, splits: readonly Split[], base: Unit, own: Unit): Unit | undefined {
  if (base.details.trim() === '' || own.details.trim() !== '') return undefined;
  return splits.map(({ added }) => units[added]).find(part => part && part.details.trim() !== '');
}

/** Divides a row of the base, and what the other side made of it, as one side has divided it. */
function divide(
  { rows, parts }: Reshaping,
  side: Side,
  all: readonly Split[],
  { row, base, own, other, start, before }: Divisible,
): void {
  const positionOf = positionsInRewording(base.content, other.content);
  const otherCutOf = ({ cut }: Split) => positionOf(start + cut);
  const splits = all.filter(split => {
    const added = side.units[split.added];
    return added && !parts.has(added) && otherCutOf(split) !== undefined;
  });
  // The row's first parts stand before the one that is still this row.
  const place = splits.filter(({ isSecond }) => !isSecond).length;
  if (splits.length === 0 || splits.some(({ isSecond }, index) => isSecond !== index >= place)) return;
  const was = partsOf(
    base.content,
    splits.map(({ cut }) => start + cut),
  );
  const now = partsOf(
    other.content,
    splits.map(split => otherCutOf(split) ?? 0),
  );
  const holder = holderOf(side, splits, base, own);
  // A blank at the row's end is behind the last part.
  const withEnd = (part: Unit, at: number, whole: Unit, inner: Unit): Unit => ({
    ...part,
    end: (at === splits.length ? whole : inner).end,
  });
  const keptPart = (unit: Unit, content = '') =>
    withEnd(withContent(unit, content, holder ? '' : unit.details), place, unit, base);
  const keptBase = keptPart(base, was[place]);
  rows.set(row, versions(side, keptBase, own, keptPart(other, now[place]), before.ofKept(keptBase)));
  for (const [index, { added }] of splits.entries()) {
    const unit = side.units[added];
    if (!unit) continue;
    const at = index < place ? index : index + 1;
    const partOf = (whole: Unit, content = '') =>
      withEnd(withContent(unit, content, unit === holder ? whole.details : unit.details), at, whole, unit);
    const partBase = partOf(base, was[at]);
    parts.set(unit, versions(side, partBase, unit, partOf(other, now[at]), before.ofPart(added, partBase)));
  }
}

/** Divides the row that the other side joined this one with, where the parts are at its end or start. */
function splitJoined(reshaping: Reshaping, side: Side, other: Side, row: number, all: readonly Split[]): void {
  const { base, rows } = reshaping;
  const join = other.joins.find(each => each.row === row && !each.isInDetails);
  const target = join?.target;
  const [unit, joined] = [base[row], rows.get(target ?? -1)];
  if (!join || target === undefined || !unit || !joined) return;
  const { content } = joined.base;
  const start = join.isBehind ? content.length - unit.content.length : 0;
  const isOuter = all.every(({ isSecond }) => isSecond === join.isBehind);
  if (!isOuter || !content.startsWith(unit.content, start)) return;
  const isMine = side.name === 'mine';
  divide(reshaping, side, all, {
    ...{ row: target, base: joined.base, own: joined[side.name], other: joined[other.name], start },
    before: {
      ofKept: ({ content: left }) => {
        const end = left.length - (join.isBehind ? 0 : content.length - unit.content.length);
        const ofRow = withContent(unit, left.slice(start, end));
        return isMine ? joined.before : joined.before.map(each => (isBase(row)(each) ? rowOf(row, ofRow) : each));
      },
      ofPart: (added, part) => (isMine ? joined.before : [{ index: added, of: 'theirs', unit: part }]),
    },
  });
}

/** Splits a row that both have split; false where its parts are not certain. */
function splitBoth(
  { sides, rows, parts, dropped, sameParts, neighbours }: Reshaping,
  unit: Unit,
  row: number,
): boolean {
  const [mine, theirs] = sides.map(side => ({ side, splits: splitsOf(side, row) }));
  if (!mine || !theirs) return false;
  const split = { mine, theirs };
  const both = splitByBoth(unit, row, split);
  if (!both) return false;
  const { segments, kept } = both;
  // If each side has kept another part, they are written where mine has them.
  const isSameKept = segments.some(({ group, theirs }) => theirs?.isKept && group === kept.group);
  const carriers = new Set<Unit | undefined>();
  for (const group of new Set(segments.map(each => each.group))) {
    const all = segments.filter(each => each.group === group);
    const first = all.includes(kept) ? kept : all[0];
    if (!first) continue;
    const [above, below] = [all.slice(0, all.indexOf(first)), all.slice(all.indexOf(first) + 1)];
    const partsOf = (some: typeof all) => some.map(({ part }) => part);
    neighbours.set(first === kept ? row : first.part, { above: partsOf(above), below: partsOf(below) });
    for (const { part, mine: own, theirs: other } of all)
      for (const piece of [own, other]) if (piece && !piece.isKept) parts.set(piece.unit, part);
    if (first === kept) continue;
    const [own, other] = [first.mine?.unit, first.theirs?.unit];
    carriers.add(own);
    if (!own || !other || !isSameKept) continue;
    carriers.add(other);
    sameParts.set(own, other);
  }
  rows.set(row, kept.part);
  for (const { side, splits } of Object.values(split))
    for (const { added } of splits) {
      const part = side.units[added];
      if (part && !carriers.has(part)) dropped.add(part);
    }
  return true;
}

/** Splits a row of the base, and of the other side, as one side has split it. */
export function splitRow(reshaping: Reshaping, side: Side, other: Side, row: number, all: readonly Split[]): void {
  const { base, rows } = reshaping;
  const [unit, changed, kept] = [base[row], unitOf(other, row), unitOf(side, row)];
  if (!changed) splitJoined(reshaping, side, other, row, all);
  if (!unit || !kept || !isPlain(changed) || rows.has(row)) return;
  if (other.splits.some(split => split.row === row) && splitBoth(reshaping, unit, row)) return;
  const areDetailsMoved = changed.details !== unit.details && holderOf(side, all, unit, kept) !== undefined;
  const isReworded =
    changed.content !== unit.content || changed.end !== unit.end || side.joins.some(({ target }) => target === row);
  if (!isReworded && !areDetailsMoved) return;
  const isMine = side.name === 'mine';
  const keptBefore = (of: Unit) => [isMine ? rowOf(row, unit) : rowOf(row, of)];
  const partBefore = (index: number, of: Unit) => [
    isMine ? rowOf(row, unit) : ({ index, of: 'theirs', unit: of } as const),
  ];
  // Both have made the same of the row, so that nothing is left to divide.
  if (changed.content === kept.content) return;
  divide(reshaping, side, all, {
    ...{ row, base: unit, own: kept, other: changed, start: 0 },
    before: { ofKept: keptBefore, ofPart: partBefore },
  });
}
