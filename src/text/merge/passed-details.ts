import { isMostlyOf, linesOf, withoutLines } from './details.ts';
import type { Unit } from './units.ts';
import {
  type Part,
  type RowBefore,
  rowOf,
  type Side,
  unitOf,
  type Versions,
  versions,
  withContent,
} from './versions.ts';

/** Both sides, and the rows whose versions are known. */
interface Passing {
  base: readonly Unit[];
  side: Side;
  other: Side;
  rows: Map<number, Versions>;
  absorbed: ReadonlySet<number>;
  parts: Map<Unit, Part>;
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

/** Lets the details of a row that one side deleted go along with the row above, or with a new row in its place. */
function passFromDeletedRows({ base, side, other, rows, absorbed, parts, fallen }: Passing): void {
  const baseOf = new Map([...side.to].map(([row, place]) => [place, row]));
  for (const [row, unit] of base.entries()) {
    const changed = unitOf(other, row);
    if (!changed || side.to.has(row) || absorbed.has(row) || rows.has(row)) continue;
    if (unit.details.trim() === '' || changed.details === '') continue;
    const { details } = unit;
    const places = placesInPlaceOf(row);
    const place = places.find(each => {
      const above = base[baseOf.get(each) ?? -1];
      return side.units[each]?.details.endsWith(details) && !above?.details.endsWith(details);
    });
    const holder = side.units[place ?? -1];
    if (place === undefined || !holder) continue;
    const above = baseOf.get(place);
    if (!isReworded(details, changed.details) || !isPassedTo(row, unit, changed, place, holder, above)) {
      const left = withoutLines(linesOf(changed.details), linesOf(details));
      fallen.set(row, withDetails(changed, left.join('')));
    } else fallen.set(row, withDetails(changed, ''));
  }

  /** The places of the row above a deleted one, and of new rows between that and the next row that is left. */
  function placesInPlaceOf(row: number): number[] {
    let [above, below] = [row - 1, row + 1];
    while (above >= 0 && !side.to.has(above)) above--;
    while (below < base.length && !side.to.has(below)) below++;
    const [first, last] = [Math.max(side.to.get(above) ?? 0, 0), side.to.get(below) ?? side.units.length];
    return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  }

  function isPassedTo(row: number, unit: Unit, changed: Unit, place: number, holder: Unit, above?: number): boolean {
    if (above === undefined) {
      if (parts.has(holder)) return false;
      parts.set(holder, holderVersions(side, place, holder, row, unit, changed));
      return true;
    }
    const [aboveUnit, otherAbove] = [base[above], unitOf(other, above)];
    if (!aboveUnit || !otherAbove || rows.has(above)) return false;
    const receiver = withDetails(aboveUnit, aboveUnit.details + unit.details);
    const of = side.name === 'mine' ? [rowOf(above, aboveUnit), rowOf(row, unit)] : [rowOf(above, receiver)];
    rows.set(
      above,
      versions(side, receiver, holder, withDetails(otherAbove, otherAbove.details + changed.details), of),
    );
    return true;
  }
}

const wordsOf = (line: string) => line.replace(/^[ \t\xa0]*>/, '').trim();

/** Lets the words of a detail that one side has made a row of its own be changed there. */
function passToOwnRows({ base, side, other, rows, parts }: Passing): void {
  const keptPlaces = new Set(side.to.values());
  const added = side.units.flatMap((unit, place) =>
    keptPlaces.has(place) || parts.has(unit) ? [] : [{ unit, place }],
  );
  if (added.length === 0) return;
  for (const [row, place] of side.to) {
    const [unit, kept, changed] = [base[row], side.units[place], unitOf(other, row)];
    if (!unit || !kept || !changed || rows.has(row) || !isReworded(unit.details, changed.details)) continue;
    const [lines, otherLines, left] = [unit, changed, kept].map(({ details }) => linesOf(details));
    const isOwnRow = (line: string) =>
      !left?.includes(line) && added.filter(each => each.unit.content === wordsOf(line)).length === 1;
    const moved = (lines ?? []).map(line => line !== '' && isOwnRow(line));
    if (!moved.some((isMoved, index) => isMoved && lines?.[index] !== otherLines?.[index])) continue;
    const withLeft = (each: Unit, all: readonly string[] = []) =>
      withDetails(each, all.filter((_, index) => !moved[index]).join(''));
    const rowBase = withLeft(unit, lines);
    const of = rowOf(row, side.name === 'mine' ? unit : rowBase);
    rows.set(row, versions(side, rowBase, kept, withLeft(changed, otherLines), [of]));
    for (const [index, line] of (lines ?? []).entries()) {
      const holder = moved[index] ? added.find(each => each.unit.content === wordsOf(line)) : undefined;
      if (!holder) continue;
      const partBase = holder.unit;
      const partOther = withContent(holder.unit, wordsOf(otherLines?.[index] ?? ''));
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
