import { marked, withMandatory, withStatus } from '../head.ts';
import type { Alignment } from './align.ts';
import { splitByBoth } from './both-split.ts';
import { passDetails } from './passed-details.ts';
import { isPlain, type Join, reshapesOf, type Split } from './reshapes.ts';
import { positionsInRewording } from './rewording.ts';
import { type Document, isUnchanged, type Unit } from './units.ts';
import {
  type Part,
  type RowBefore,
  rowOf,
  type Side,
  type SideName,
  unitOf,
  type Versions,
  versions,
  withContent,
} from './versions.ts';

/**
 * Rows that one side split or joined while the other side changed them: the base and the other side are split or joined
 * in the same way, so that both changes meet in one row.
 */
export interface Reshaped {
  /** By the base's index. */
  rows: ReadonlyMap<number, Versions>;
  /** Rows of the base that are part of another one. */
  absorbed: ReadonlySet<number>;
  /** By the base's index, the row of a side that a row is there: the other row of that join was deleted. */
  joinedAs: ReadonlyMap<number, Partial<Record<SideName, number>>>;
  /** Rows that one side added, as parts of split rows or with rows of the base joined. */
  parts: ReadonlyMap<Unit, Part>;
  /** Rows that one side added, for which another part stands. */
  dropped: ReadonlySet<Unit>;
  /** By the part that mine has added the same one that theirs has. */
  sameParts: ReadonlyMap<Unit, Unit>;
  /** Parts that are written around a row of the base or another part, by the base's index or that part. */
  neighbours: ReadonlyMap<number | Part, { above: readonly Part[]; below: readonly Part[] }>;
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

/** A row that another one is joined with: none but the side's own where the side added it. */
interface Whole {
  base?: Unit;
  own: Unit;
  other?: Unit | undefined;
  before: readonly RowBefore[];
}

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

const withDetails = (unit: Unit, details: string): Unit => ({ ...unit, details: `${details}\n` });

/** A side's join of the same two rows, which may have made one of them details. */
const joinOfBoth = ({ joins }: Side, { row, target }: Join) =>
  joins.find(each => each.row === row && target !== undefined && each.target === target);

const sameJoin = (side: Side, join: Join) => {
  const both = joinOfBoth(side, join);
  return both?.isInDetails === join.isInDetails ? both : undefined;
};

/** A row that was joined with another one, whose status was set before: that status and flag are the joined row's. */
function withSetHead(joined: Unit, unit: Unit, changed: Unit): { unit: Unit; isStatusOpen: boolean } {
  const [row, was, is] = [joined.row, unit.row, changed.row];
  if (row.kind !== 'checkbox' || was.kind !== 'checkbox' || is.kind !== 'checkbox')
    return { unit: joined, isStatusOpen: false };
  const isStatusOpen = is.status.slug !== was.status.slug && is.status.slug !== row.status.slug;
  const status = isStatusOpen ? is.status : row.status;
  const mandatory = row.mandatory || (is.mandatory && !was.mandatory);
  if (status === row.status && mandatory === row.mandatory) return { unit: joined, isStatusOpen };
  const head = withMandatory(withStatus(marked(joined.head), row.status, status), row.mandatory, mandatory);
  return { unit: { ...joined, head, row: { ...row, status, mandatory } }, isStatusOpen };
}

/** The parts of a text between these positions, which ascend. */
const partsOf = (text: string, cuts: readonly number[]): string[] =>
  [0, ...cuts].map((from, index) => {
    const part = text.slice(from, cuts[index]);
    const begun = index > 0 ? part.trimStart() : part;
    return index < cuts.length ? begun.trimEnd() : begun;
  });

/** Finds what one side split or joined, where it matters to what the other side changed. */
export function reshapedRows({ base, mine, theirs, toMine, toTheirs }: Sides): Reshaped {
  const sides: readonly [Side, Side] = [
    { name: 'mine', units: mine.units, to: toMine, ...reshapesOf(base.units, mine.units, toMine) },
    { name: 'theirs', units: theirs.units, to: toTheirs, ...reshapesOf(base.units, theirs.units, toTheirs) },
  ];
  const rows = new Map<number, Versions>();
  const absorbed = new Set<number>();
  const joinedAs = new Map<number, Partial<Record<SideName, number>>>();
  const parts = new Map<Unit, Part>();
  const dropped = new Set<Unit>();
  const sameParts = new Map<Unit, Unit>();
  const neighbours = new Map<number | Part, { above: readonly Part[]; below: readonly Part[] }>();
  const isBase = (row: number | undefined) => (each: RowBefore) => each.of === 'base' && each.index === row;

  const joins = sides.flatMap((side, index) => {
    const other = sides[1 - index] ?? side;
    return side.joins.map(join => ({ side, other, join }));
  });
  // A row that the other side joined with this one goes along with it.
  const isJoinedOn = ({ other, join }: Pick<(typeof joins)[number], 'other' | 'join'>) =>
    other.joins.some(({ row }) => row === join.target);
  /** How many rows a joined one goes through: each side may have joined the other's row on. */
  const depthOf = ({ side, other, join }: (typeof joins)[number], passed: readonly Join[] = []): number => {
    const next = passed.includes(join) ? undefined : other.joins.find(({ row }) => row === join.target);
    return next ? 1 + depthOf({ side: other, other: side, join: next }, [...passed, join]) : 0;
  };
  /** The two rows of a join that each side made, whichever of them each has kept, are one row before others are joined. */
  const isOfBoth = ({ other, join }: (typeof joins)[number]) =>
    other.joins.some(({ row, target }) => row === join.target && target === join.row) || sameJoin(other, join);
  const rankOf = (join: (typeof joins)[number]) => (isOfBoth(join) ? joins.length + 1 : depthOf(join));
  const allSplits = sides.flatMap((side, index) =>
    [...new Set(side.splits.map(({ row }) => row))].map(row => ({
      ...{ side, other: sides[1 - index] ?? side, row },
      splits: side.splits.filter(split => split.row === row).sort((a, b) => a.cut - b.cut),
    })),
  );
  // A row that was split and joined with another one: the other side's half is joined. A part is there before rows that were
  // joined with it.
  const isOf = ({ joins }: Side, row: number) => joins.some(join => join.row === row || join.target === row);
  const isJoinedWith = ({ joins }: Side, added: number) => joins.some(({ place }) => place === added);
  const goesFirst = ({ side, other, row, splits }: (typeof allSplits)[number]) =>
    splits.some(({ added }) => isJoinedWith(side, added)) ||
    (isOf(side, row) ? !isOf(other, row) : other.joins.some(({ target }) => target === row));
  for (const { side, other, row, splits: parts } of allSplits.filter(goesFirst)) splitRow(side, other, row, parts);
  for (const { side, other, join } of [...joins].sort((a, b) => rankOf(b) - rankOf(a))) joinRows(side, other, join);
  const later = allSplits.filter(each => !goesFirst(each));
  later.sort((a, b) => (a.splits[0]?.cut ?? 0) - (b.splits[0]?.cut ?? 0));
  for (const { side, other, row, splits: parts } of later) splitRow(side, other, row, parts);
  const fallen = new Map<number, Unit>();
  for (const [index, side] of sides.entries())
    passDetails({ base: base.units, side, other: sides[1 - index] ?? side, rows, absorbed, parts, fallen });
  const firstParts = new Map(
    sides.flatMap(({ units, to, splits }) =>
      splits.flatMap(({ row, added, isSecond }) => {
        const unit = units[added];
        return unit && !isSecond && to.get(row) === added + 1 ? [[unit, row] as const] : [];
      }),
    ),
  );
  return {
    rows,
    absorbed,
    joinedAs,
    parts,
    dropped,
    sameParts,
    neighbours,
    fallen,
    firstParts,
    lastParts: new Set(sides.flatMap(lastPartsOf)),
  };

  function lastPartsOf({ units, to, splits }: Side): Unit[] {
    const ofBoth = new Set([...sameParts].flat());
    const rowOfPart = new Map(splits.flatMap(({ row, added, isSecond }) => (isSecond ? [[added, row] as const] : [])));
    return [...new Set(rowOfPart.values())].flatMap(row => {
      const first = (to.get(row) ?? -1) + 1;
      let last = first;
      while (rowOfPart.get(last) === row) last++;
      return units.slice(first, last).filter(unit => !ofBoth.has(unit));
    });
  }

  function joinRows(side: Side, other: Side, join: Join): void {
    const { row, place, target, isInDetails, isBehind, gap, mark } = join;
    // Each side may have joined the two rows, one with the first as the one that stays, one with the second.
    if (absorbed.has(row) || absorbed.has(target ?? -1)) return;
    const [unit, joined, start] = [base.units[row], side.units[place], base.units[target ?? -1]];
    const same = sameJoin(other, join);
    const ofBoth = joinOfBoth(other, join);
    const known = rows.get(row);
    const before = rows.get(target ?? -1);
    const changed = known?.[other.name] ?? unitOf(other, row) ?? (ofBoth && unit);
    if (!unit || !joined || !changed) return;
    const otherStart = before?.[other.name] ?? unitOf(other, target);
    if (!known && isUnchanged(changed, unit) && (!start || !otherStart || isUnchanged(otherStart, start))) return;
    /** A row with the words of the joined one; without a row, the one that the side has with these words alone. */
    const both = (a: Unit | undefined, b: Unit) => {
      const above = a?.details.trimEnd() ?? '';
      // The words of a row that the other side joined on are in that row.
      if (isInDetails)
        return withDetails(
          a ?? (isJoinedOn({ other, join }) ? withContent(joined, '') : joined),
          `${above}${above === '' ? mark : gap}${b.content}\n${b.details}`.trimEnd(),
        );
      if (!a) return { ...withContent(joined, b.content, b.details), end: b.end };
      const [first, last] = isBehind ? [a, b] : [b, a];
      const contents = [first.content, last.content].filter(content => content !== '');
      // A blank that was typed behind either row is for the next word.
      const end = a.end.length < b.end.length ? b.end : a.end;
      return { ...withContent(a, contents.join(gap), first.details + last.details), end };
    };
    const outer = isInDetails ? undefined : outerPart(other, target, isBehind);
    // Several rows may be joined with one that the side added.
    const part = outer ?? (start ? undefined : parts.get(joined));
    /** The row that it is joined with: a part of a row that the other side split, a row of the base, or one that the side added. */
    const whole: Whole = part
      ? { base: part.base, own: part[side.name], other: part[other.name], before: part.before }
      : start && target !== undefined
        ? {
            base: before?.base ?? start,
            own: before?.[side.name] ?? joined,
            other: otherStart,
            before: before?.before ?? [rowOf(target, start)],
          }
        : { own: joined, before: side.name === 'mine' ? [] : [{ index: place, of: 'theirs', unit: joined }] };
    const ofRow = known?.before ?? [rowOf(row, unit)];
    // Theirs has the two as one row, and those that mine joined with them as rows of their own.
    const [first, ...rest] = whole.before;
    const own = ofRow.find(isBase(row));
    const isOneInTheirs = side.name === 'theirs' || same !== undefined;
    const rowsBefore =
      !isOneInTheirs || !first
        ? [...whole.before, ...ofRow]
        : [
            { ...first, unit: both(whole.base && first.unit, own?.unit ?? unit) },
            ...rest,
            ...ofRow.filter(each => each !== own),
          ];
    const back = other.joins.find(each => each.row === target && each.target === row);
    const otherJoined = part ? undefined : other.units[(ofBoth ?? back)?.place ?? -1];
    const set = withSetHead(otherJoined ?? both(whole.other, changed), unit, changed);
    const joinedVersions = {
      ...versions(
        side,
        both(whole.base, known?.base ?? unit),
        // The other side may have joined a third row with this one.
        known ? both(whole.own, known[side.name]) : whole.own,
        set.unit,
        rowsBefore,
      ),
      isStatusOpen: set.isStatusOpen || (part ?? before)?.isStatusOpen === true,
    };
    // The other side deleted the row that it was joined with, so that nothing but this one is left.
    const isDeleted = !otherStart && !otherJoined && !other.joins.some(each => each.row === target);
    if (start && target !== undefined && isDeleted && !part && !isInDetails) {
      absorbed.add(target);
      // Theirs has nothing but this row, which was all of it before.
      const wholeBefore = isOneInTheirs ? rowsBefore : [rowOf(row, joinedVersions.base)];
      rows.set(row, { ...joinedVersions, before: wholeBefore });
      joinedAs.set(row, { [side.name]: place });
      return;
    }
    absorbed.add(row);
    if (part) Object.assign(part, joinedVersions);
    else if (start && target !== undefined) rows.set(target, joinedVersions);
    else parts.set(joined, { ...joinedVersions, row });
  }

  /** The last part of a row that a side split, or the first one. */
  function outerPart({ units, splits }: Side, row: number | undefined, isLast: boolean): Versions | undefined {
    const ofRow = splits.filter(split => split.row === row);
    if (row === undefined || ofRow.length === 0) return undefined;
    const onSide = ofRow.filter(({ isSecond }) => isSecond === isLast);
    const outer = units[onSide.at(isLast ? -1 : 0)?.added ?? -1];
    return outer ? parts.get(outer) : rows.get(row);
  }

  /** Divides the row that the other side joined this one with, where the parts are at its end or start. */
  function splitJoined(side: Side, other: Side, row: number, all: readonly Split[]): void {
    const join = other.joins.find(each => each.row === row && !each.isInDetails);
    const target = join?.target;
    const [unit, joined] = [base.units[row], rows.get(target ?? -1)];
    if (!join || target === undefined || !unit || !joined) return;
    const { content } = joined.base;
    const start = join.isBehind ? content.length - unit.content.length : 0;
    const isOuter = all.every(({ isSecond }) => isSecond === join.isBehind);
    if (!isOuter || !content.startsWith(unit.content, start)) return;
    const isMine = side.name === 'mine';
    divide(side, all, {
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
  function splitBoth(unit: Unit, row: number): boolean {
    const splitsOf = (side: Side) => ({
      side,
      splits: side.splits.filter(split => split.row === row).sort((a, b) => a.cut - b.cut),
    });
    const split = { mine: splitsOf(sides[0]), theirs: splitsOf(sides[1]) };
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

  function splitRow(side: Side, other: Side, row: number, all: readonly Split[]): void {
    const [unit, changed, kept] = [base.units[row], unitOf(other, row), unitOf(side, row)];
    if (!changed) splitJoined(side, other, row, all);
    if (!unit || !kept || !isPlain(changed) || rows.has(row)) return;
    if (other.splits.some(split => split.row === row) && splitBoth(unit, row)) return;
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
    divide(side, all, {
      ...{ row, base: unit, own: kept, other: changed, start: 0 },
      before: { ofKept: keptBefore, ofPart: partBefore },
    });
  }

  /** The part that has the details which the kept part of a row has no longer; `undefined` where they are not moved. */
  function holderOf({ units }: Side, splits: readonly Split[], base: Unit, own: Unit): Unit | undefined {
    if (base.details.trim() === '' || own.details.trim() !== '') return undefined;
    return splits.map(({ added }) => units[added]).find(part => part && part.details.trim() !== '');
  }

  /** Divides a row of the base, and what the other side made of it, as one side has divided it. */
  function divide(side: Side, all: readonly Split[], { row, base, own, other, start, before }: Divisible): void {
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
}
