import { isMostlyOf, linesOf, withoutLines, withoutMarks } from './details.ts';
import type { Reshaping } from './reshaping.ts';
import { isUnchanged, type Unit } from './units.ts';
import { type RowBefore, rowOf, type Side, unitOf, type Versions, versions, withContent } from './versions.ts';

/** Both sides, and the rows whose versions are known. */
interface Passing extends Pick<Reshaping, 'base' | 'rows' | 'absorbed' | 'parts'> {
  side: Side;
  other: Side;
  /** See `Reshaped`. */
  fallen: Map<number, Unit>;
}

const withDetails = (unit: Unit, details: string) => withContent(unit, unit.content, details);

/** Whether lines of details were changed, and none came in or went. */
const isReworded = (before: string, after: string): boolean =>
  before !== after && linesOf(before).length === linesOf(after).length;

/** The versions of a new row that has the details of a row of the base. */
function holderVersions(side: Side, place: number, holder: Unit, row: number, unit: Unit, changed: Unit): Versions {
  const before = withDetails(holder, unit.details);
  const of: RowBefore = side.name === 'mine' ? rowOf(row, unit) : { index: place, of: 'theirs', unit: before };
  return versions(side, before, holder, withDetails(holder, changed.details), [of]);
}

/** Lets a row's details go along with a new row that one side has typed between the row and them. */
function passToNewRows({ base, side, other, rows, parts }: Passing): void {
  const keptPlaces = new Set(side.to.values());
  for (const [row, place] of side.to) {
    const [unit, kept, holder, changed] = [base[row], side.units[place], side.units[place + 1], unitOf(other, row)];
    if (!unit || !kept || !holder || !changed) continue;
    const isHolderNew = !keptPlaces.has(place + 1) && !parts.has(holder);
    const arePassed = kept.details.trim() === '' && isMostlyOf(holder.details, unit.details);
    if (rows.has(row) || !isHolderNew || !arePassed || changed.details === unit.details) continue;
    const keptBase = withDetails(unit, '');
    const of = rowOf(row, side.name === 'mine' ? unit : keptBase);
    rows.set(row, versions(side, keptBase, kept, withDetails(changed, ''), [of]));
    parts.set(holder, holderVersions(side, place + 1, holder, row, unit, changed));
  }
}

/** Lets the details of a row that one side deleted go along with the row that has them now. */
function passFromDeletedRows({ base, side, other, rows, absorbed, parts, fallen }: Passing): void {
  const baseOf = new Map([...side.to].map(([row, place]) => [place, row]));
  for (const [row, unit] of base.entries()) {
    const { details } = unit;
    const changed = unitOf(other, row);
    if (details.trim() === '' || !changed || changed.details === '' || isUnchanged(changed, unit)) continue;
    if (side.to.has(row) || absorbed.has(row) || rows.has(row)) continue;
    const place = side.units.findIndex((each, index) => {
      const before = base[baseOf.get(index) ?? -1];
      return each.details.endsWith(details) && !before?.details.endsWith(details);
    });
    const holder = side.units[place];
    if (!holder) continue;
    if (isReworded(details, changed.details) && isPassedTo(row, unit, changed, place, holder))
      fallen.set(row, withDetails(changed, ''));
    else {
      const left = withoutLines(linesOf(changed.details), linesOf(details));
      fallen.set(row, withDetails(changed, left.join('')));
    }
  }

  function isPassedTo(row: number, unit: Unit, changed: Unit, place: number, holder: Unit): boolean {
    const receiving = baseOf.get(place);
    if (receiving === undefined) {
      if (parts.has(holder)) return false;
      parts.set(holder, holderVersions(side, place, holder, row, unit, changed));
      return true;
    }
    const [before, otherReceiving] = [base[receiving], unitOf(other, receiving)];
    if (!before || !otherReceiving || rows.has(receiving)) return false;
    const whole = withDetails(before, before.details + unit.details);
    const otherWhole = withDetails(otherReceiving, otherReceiving.details + changed.details);
    const of = side.name === 'mine' ? [rowOf(receiving, before), rowOf(row, unit)] : [rowOf(receiving, whole)];
    rows.set(receiving, versions(side, whole, holder, otherWhole, of));
    return true;
  }
}

/** Lets the words of a detail that one side has made a row of its own be changed there. */
function passToOwnRows({ base, side, other, rows, parts }: Passing): void {
  const keptPlaces = new Set(side.to.values());
  /** The new rows by their words; `undefined` for words that several have. */
  const added = new Map<string, { unit: Unit; place: number } | undefined>();
  for (const [place, unit] of side.units.entries())
    if (!keptPlaces.has(place) && !parts.has(unit))
      added.set(unit.content, added.has(unit.content) ? undefined : { unit, place });
  if (added.size === 0) return;
  const rowOfLine = (line: string) => added.get(withoutMarks(line).trim());
  for (const [row, place] of side.to) {
    const [unit, kept, changed] = [base[row], side.units[place], unitOf(other, row)];
    if (!unit || !kept || !changed || rows.has(row) || !isReworded(unit.details, changed.details)) continue;
    const [lines, otherLines, left] = [unit, changed, kept].map(({ details }) => linesOf(details));
    const moved = (lines ?? []).map(line => line !== '' && !left?.includes(line) && rowOfLine(line) !== undefined);
    if (!moved.some((isMoved, index) => isMoved && lines?.[index] !== otherLines?.[index])) continue;
    const withLeft = (each: Unit, all: readonly string[] = []) =>
      withDetails(each, all.filter((_, index) => !moved[index]).join(''));
    const rowBase = withLeft(unit, lines);
    const of = rowOf(row, side.name === 'mine' ? unit : rowBase);
    rows.set(row, versions(side, rowBase, kept, withLeft(changed, otherLines), [of]));
    for (const [index, line] of (lines ?? []).entries()) {
      const holder = moved[index] ? rowOfLine(line) : undefined;
      if (!holder) continue;
      const partBase = holder.unit;
      const partOther = withContent(holder.unit, withoutMarks(otherLines?.[index] ?? '').trim());
      const before: RowBefore =
        side.name === 'mine'
          ? { ...rowOf(row, unit), had: 'details' }
          : { index: holder.place, of: 'theirs', unit: partBase };
      parts.set(holder.unit, versions(side, partBase, holder.unit, partOther, [before]));
    }
  }
}

/**
 * Lets the details of a row go along with another row that one side has put between it and them, or in its place, or that
 * one of them is.
 */
export function passDetails(passing: Passing): void {
  passToNewRows(passing);
  passToOwnRows(passing);
  passFromDeletedRows(passing);
}
