import { marked, withMandatory, withStatus } from '../head.ts';
import type { Join } from './reshapes.ts';
import type { Reshaping } from './reshaping.ts';
import { isUnchanged, type Unit } from './units.ts';
import { isBase, type RowBefore, rowOf, type Side, unitOf, type Versions, versions, withContent } from './versions.ts';

/** A row that another one is joined with: none but the side's own where the side added it. */
interface Whole {
  base?: Unit;
  own: Unit;
  other?: Unit | undefined;
  before: readonly RowBefore[];
}

const withDetails = (unit: Unit, details: string): Unit => ({ ...unit, details: `${details}\n` });

/** A side's join of the same two rows, which may have made one of them details. */
const joinOfBoth = ({ joins }: Side, { row, target }: Join) =>
  joins.find(each => each.row === row && target !== undefined && each.target === target);

/** That join, if it is made in the same way. */
export const sameJoin = (side: Side, join: Join) => {
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

/** The last part of a row that a side split, or the first one. */
function outerPart(
  { rows, parts }: Reshaping,
  { units, splits }: Side,
  row: number | undefined,
  isLast: boolean,
): Versions | undefined {
  const ofRow = splits.filter(split => split.row === row);
  if (row === undefined || ofRow.length === 0) return undefined;
  const onSide = ofRow.filter(({ isSecond }) => isSecond === isLast);
  const outer = units[onSide.at(isLast ? -1 : 0)?.added ?? -1];
  return outer ? parts.get(outer) : rows.get(row);
}

/** Joins two rows of the base, and of the other side, as one side has joined them. */
export function joinRows(reshaping: Reshaping, side: Side, other: Side, join: Join): void {
  const { base, rows, absorbed, joinedAs, parts } = reshaping;
  const { row, place, target, isInDetails, isBehind, gap, mark } = join;
  // Each side may have joined the two rows, one with the first as the one that stays, one with the second.
  if (absorbed.has(row) || absorbed.has(target ?? -1)) return;
  const [unit, joined, start] = [base[row], side.units[place], base[target ?? -1]];
  const same = sameJoin(other, join);
  const ofBoth = joinOfBoth(other, join);
  const known = rows.get(row);
  const before = rows.get(target ?? -1);
  const changed = known?.[other.name] ?? unitOf(other, row) ?? (ofBoth && unit);
  if (!unit || !joined || !changed) return;
  const otherStart = before?.[other.name] ?? unitOf(other, target);
  if (!known && isUnchanged(changed, unit) && (!start || !otherStart || isUnchanged(otherStart, start))) return;
  /** The other side joined the target on, which takes this row along. */
  const isJoinedOn = other.joins.some(each => each.row === target);
  /** A row with the words of the joined one; without a row, the one that the side has with these words alone. */
  const both = (a: Unit | undefined, b: Unit) => {
    const above = a?.details.trimEnd() ?? '';
    if (isInDetails)
      return withDetails(
        a ?? (isJoinedOn ? withContent(joined, '') : joined),
        `${above}${above === '' ? mark : gap}${b.content}\n${b.details}`.trimEnd(),
      );
    if (!a) return { ...withContent(joined, b.content, b.details), end: b.end };
    const [first, last] = isBehind ? [a, b] : [b, a];
    const contents = [first.content, last.content].filter(content => content !== '');
    // A blank that was typed behind either row is for the next word.
    const end = a.end.length < b.end.length ? b.end : a.end;
    return { ...withContent(a, contents.join(gap), first.details + last.details), end };
  };
  const outer = isInDetails ? undefined : outerPart(reshaping, other, target, isBehind);
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
