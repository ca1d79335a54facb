import { type Alignment, alignUnits } from './merge/align.ts';
import { common, numbering } from './merge/common.ts';
import { arrange, movedRows, type Side } from './merge/order.ts';
import type { RowIds } from './merge/pairing.ts';
import { type Reshaped, reshapedRows } from './merge/reshaped.ts';
import { type Attribute, attributeOf, type Conflict, mergeRow } from './merge/row.ts';
import { type Document, documentOf, isUnchanged, lineOf, type Unit } from './merge/units.ts';
import type { Part, Versions } from './merge/versions.ts';
import { readChecklist } from './read.ts';
import { builtIn, type StatusRegistry } from './status-registry.ts';
import type { Checklist } from './types.ts';

export type { RowIds } from './merge/pairing.ts';
export { type Attribute, type Conflict, isAttribute } from './merge/row.ts';

/** The rows that a row of the merged text was made of, by their indexes. */
export interface Origin {
  base?: number;
  mine?: number;
  theirs?: number;
}

/** A value that a row had before both changes. */
export interface BaseValue {
  /** The row's index in the base, or in `theirs` where it is new there. */
  index: number;
  of: 'base' | 'theirs';
  /** The index in `theirs` of the row that it is there, if any. */
  theirs: number | undefined;
  attribute: Attribute;
  value: string;
}

/** A conflict, and the index of its row in the merged text. */
export interface MergeConflict extends Conflict {
  index: number;
  /** The values that both sides changed: of one row, or of all that were joined. */
  before: readonly BaseValue[];
}

export interface Merged {
  text: string;
  /** Attributes to which both sides gave different values; mine is in the text. */
  conflicts: MergeConflict[];
  /** One entry for each row of the text. */
  readonly origins: readonly Origin[];
}

/** A row that one side added, or both. */
interface Addition {
  readonly unit: Unit;
  readonly origin: Origin;
}

/**
 * Joins two changes of one base, row by row and attribute by attribute. `theirs` is what is stored, `mine` what arrives.
 * A change of one side alone is taken to the character. A row that one side deleted and the other changed stays.
 * Rows are matched by their lasting ids where those are given, else by what they say. `read` may know readings. `lastOf`
 * says what rows of the base, by index, said last before theirs deleted them: one that mine has changed stays with both.
 */
export function merge(
  base: string,
  mine: string,
  theirs: string,
  statuses: StatusRegistry = builtIn,
  ids: Partial<Record<'base' | 'mine' | 'theirs', RowIds | undefined>> = {},
  read: (text: string, like?: string) => Checklist = text => readChecklist(text, statuses),
  lastOf: ReadonlyMap<number, string> = new Map(),
): Merged {
  /** One side's text, the other one being the base. The rows are aligned only if they are asked for. */
  const asIs = (text: string, side: 'mine' | 'theirs', other: 'mine' | 'theirs'): Merged => ({
    text,
    conflicts: [],
    get origins() {
      const units = documentOf(read(text, base)).units;
      const rows = alignUnits(
        documentOf(read(base)).units,
        units,
        eitherIds(ids.base, ids[other], ids[side]),
        ids[side],
      );
      const inBase = new Map([...rows].map(([index, there]) => [there, index]));
      return units.map((_, index): Origin => {
        const row = inBase.get(index);
        return row === undefined ? { [side]: index } : { base: row, [side]: index, [other]: row };
      });
    },
  });
  if (theirs === base) return asIs(mine, 'mine', 'theirs');
  if (mine === base) return asIs(theirs, 'theirs', 'mine');
  if (mine === theirs) {
    return {
      text: mine,
      conflicts: [],
      get origins() {
        return read(mine).rows.map((_, index): Origin => ({ mine: index, theirs: index }));
      },
    };
  }
  const b = documentOf(read(base));
  const m = documentOf(read(mine, base));
  const t = documentOf(read(theirs, base));
  const toMine = alignUnits(b.units, m.units, ids.base, ids.mine);
  const toTheirs = alignUnits(b.units, t.units, ids.base, ids.theirs);

  const reshaped = reshapedRows({ base: b, mine: m, theirs: t, toMine, toTheirs });

  const originOf = (base: number): Origin => {
    const [inMine, inTheirs] = [toMine.get(base), toTheirs.get(base)];
    return {
      base,
      ...(inMine !== undefined && { mine: inMine }),
      ...(inTheirs !== undefined && { theirs: inTheirs }),
      ...reshaped.joinedAs.get(base),
    };
  };

  const conflicts: (Omit<MergeConflict, 'index'> & { unit: Unit })[] = [];
  const mergeVersions = ({ before: rowsBefore, ...versions }: Versions, row?: number): Unit => {
    const isJoined = row !== undefined || rowsBefore.length > 1;
    const found: Conflict[] = [];
    const unit = mergeRow(versions, conflict => found.push(conflict));
    for (const conflict of found) {
      // A row may have become the details of another one.
      const before = rowsBefore.flatMap(({ index, of, unit: was, had = conflict.attribute }) =>
        [...new Set<Attribute>(isJoined ? [had, 'text'] : [had])].map(attribute => ({
          index,
          of,
          theirs: of === 'base' ? toTheirs.get(index) : index,
          attribute,
          value: attributeOf(was, attribute),
        })),
      );
      conflicts.push({ ...conflict, before, unit });
    }
    return unit;
  };
  const merged = new Map<number, Unit>();
  for (const [index, unit] of b.units.entries()) {
    if (reshaped.absorbed.has(index)) continue;
    const [inMine, inTheirs] = [m.units[toMine.get(index) ?? -1], t.units[toTheirs.get(index) ?? -1]];
    const isBoth = inMine && inTheirs;
    const versions =
      reshaped.rows.get(index) ??
      (isBoth && { base: unit, mine: inMine, theirs: inTheirs, before: [{ index, of: 'base', unit } as const] });
    if (versions) merged.set(index, mergeVersions(versions));
    else {
      const left = reshaped.fallen.get(index) ?? inMine ?? inTheirs;
      const was = reshaped.fallen.has(index) ? { ...unit, details: '' } : unit;
      if (!left || isUnchanged(left, was)) continue;
      const last = inMine && documentOf(read(lastOf.get(index) ?? '')).units[0];
      const before = [{ index, of: 'base', unit } as const];
      merged.set(index, last ? mergeVersions({ base: was, mine: left, theirs: last, before }) : left);
    }
  }

  const [byMine, byTheirs] = [movedRows(toMine), movedRows(toTheirs)];
  const placed = arrange(
    b.units.length,
    { rows: sideRows(m, toMine, 'mine', reshaped), moved: movedRows(toMine, byTheirs) },
    { rows: sideRows(t, toTheirs, 'theirs', reshaped), moved: movedRows(toTheirs, byMine) },
    (inTheirs, inMine) => join(inTheirs, inMine, reshaped),
  );
  const written = new Set<Versions>();
  const partOf = (part: Part, origin: Origin = {}): Addition => {
    const joined = part.row === undefined ? part.added : originOf(part.row);
    return { unit: mergeVersions(part, part.row), origin: { ...joined, ...origin } };
  };
  const withNeighbours = (key: number | Part, addition: () => Addition): Addition[] => {
    const { above = [], below = [] } = reshaped.neighbours.get(key) ?? {};
    return [...above.map(part => partOf(part)), addition(), ...below.map(part => partOf(part))];
  };
  const rows = placed.flatMap((row): readonly Addition[] => {
    if ('added' in row)
      return row.added.flatMap(({ unit, origin }): Addition[] => {
        const part = reshaped.parts.get(unit);
        if (!part) return [{ unit, origin }];
        if (written.has(part)) return [];
        written.add(part);
        return withNeighbours(part, () => partOf(part, origin));
      });
    const unit = merged.get(row.base);
    return unit ? withNeighbours(row.base, () => ({ unit, origin: originOf(row.base) })) : [];
  });
  const top = m.top === b.top ? t.top : m.top;
  const units = rows.map(({ unit }) => unit);
  return {
    text: write(top, units, isClosed(rows.at(-1)?.origin, b, m, t)),
    conflicts: conflicts.map(({ unit, ...conflict }) => ({ ...conflict, index: units.indexOf(unit) })),
    origins: rows.map(({ origin }) => origin),
  };
}

/** The ids of rows that two versions of one text know by different ids: those by which the other side has them. */
function eitherIds(base: RowIds | undefined, same: RowIds | undefined, side: RowIds = []): RowIds | undefined {
  if (!base || !same) return same ?? base;
  const there = new Set(side);
  return same.map((id, index) => {
    const known = base[index];
    return known && there.has(known) ? known : id;
  });
}

/** A side's rows, each as the base's row that it is, or as its own. */
function sideRows(
  { units }: Document,
  alignment: Alignment,
  side: 'mine' | 'theirs',
  { dropped, firstParts }: Pick<Reshaped, 'dropped' | 'firstParts'>,
): Side<Addition>['rows'] {
  const inBase = new Map([...alignment].map(([index, there]) => [there, index]));
  return units.flatMap((unit, index): Side<Addition>['rows'] => {
    const base = inBase.get(index);
    if (base !== undefined) return [{ base }];
    if (dropped.has(unit)) return [];
    const before = firstParts.get(unit);
    return [{ added: { unit, origin: { [side]: index } }, ...(before !== undefined && { before }) }];
  });
}

/**
 * Rows that both sides added at one place: theirs first, then mine; what both added only once, in their order. Parts of the
 * row above that only mine has split stay directly below it.
 */
function join(
  theirs: readonly Addition[],
  mine: readonly Addition[],
  reshaped: Pick<Reshaped, 'lastParts' | 'sameParts'>,
): readonly Addition[] {
  const { lastParts, sameParts } = reshaped;
  if (theirs.length === 0 || mine.length === 0) return theirs.length === 0 ? mine : theirs;
  const isPart = (row: Addition | undefined) => row !== undefined && lastParts.has(row.unit);
  if (isPart(mine[0]) && !isPart(theirs[0])) {
    const below = mine.findIndex(row => !isPart(row));
    const parts = mine.slice(0, below < 0 ? mine.length : below);
    return [...parts, ...join(theirs, mine.slice(parts.length), reshaped)];
  }
  const number = numbering();
  // An empty row is one that its author is about to type in.
  const isEmpty = ({ content, details }: Unit) => content === '' && details.trim() === '';
  const linesOf = (rows: readonly Addition[], side: string) =>
    rows.map(({ unit }, index) =>
      number(isEmpty(unit) ? `empty ${side} ${index}` : `row ${lineOf(sameParts.get(unit) ?? unit)}`),
    );
  const [inTheirs, inMine] = [linesOf(theirs, 'theirs'), linesOf(mine, 'mine')];
  const inOrder = common(inTheirs, inMine);
  const pairs = new Map(inOrder);
  // Equal rows that stand in another order on both sides.
  const left = new Map<number, number[]>();
  const paired = new Set(pairs.values());
  for (const [here, line] of inMine.entries()) if (!paired.has(here)) left.set(line, [...(left.get(line) ?? []), here]);
  for (const [there, line] of inTheirs.entries()) {
    const here = pairs.has(there) ? undefined : left.get(line)?.shift();
    if (here === undefined) continue;
    pairs.set(there, here);
    paired.add(here);
  }
  const joined = theirs.map((their, there): Addition => {
    const own = mine[pairs.get(there) ?? -1];
    return own ? { unit: their.unit, origin: { ...own.origin, ...their.origin } } : their;
  });
  let [i, j] = [0, 0];
  return [...inOrder, [theirs.length, mine.length] as const].flatMap(([there, here]) => {
    const own = mine.slice(j, here).filter((_, at) => !paired.has(j + at));
    const part = [...joined.slice(i, there), ...own, ...joined.slice(there, there + 1)];
    [i, j] = [there + 1, here + 1];
    return part;
  });
}

/** Whether the last line has an end: one side alone may have the last row last, and either may have begun a line below. */
function isClosed(last: Origin | undefined, base: Document, mine: Document, theirs: Document): boolean {
  if (!base.closed && (mine.closed || theirs.closed)) return true;
  const [isLastInMine, isLastInTheirs] = [
    last?.mine === mine.units.length - 1,
    last?.theirs === theirs.units.length - 1,
  ];
  if (isLastInMine !== isLastInTheirs) return (isLastInMine ? mine : theirs).closed;
  return (mine.closed === base.closed ? theirs : mine).closed;
}

/** The units as a text. One that starts with `>` gets a mark where it would become a detail of the row above. */
function write(top: string, units: readonly Unit[], closed: boolean): string {
  let text = top;
  let blankAbove = true;
  for (const { head, content, end, details, below } of units) {
    const orphan = head.trim() === '' && content.startsWith('>');
    text += `${head}${orphan && !blankAbove ? '- ' : ''}${content}${end}${details}${below}`;
    blankAbove = below !== '';
  }
  // A blank line below the last row is not the end of an open line.
  return closed || units.at(-1)?.below ? text : text.replace(/\r\n$|\n$|\r$/, '');
}
