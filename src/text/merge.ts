import { type Alignment, aligning, type RowIds } from './merge/align.ts';
import { common, numbering } from './merge/common.ts';
import { arrange, movedRows, type Side } from './merge/order.ts';
import { type Conflict, mergeRow } from './merge/row.ts';
import { type Document, documentOf, isUnchanged, lineOf, type Unit } from './merge/units.ts';
import { readChecklist } from './read.ts';
import { finish, type Sliced } from './sliced.ts';
import { builtIn, type StatusRegistry } from './status-registry.ts';
import type { Checklist } from './types.ts';

export type { RowIds } from './merge/align.ts';
export { type Attribute, type Conflict, isAttribute } from './merge/row.ts';

export interface Merged {
  text: string;
  /** Attributes to which both sides gave different values; mine is in the text. */
  conflicts: Conflict[];
}

/**
 * Joins two changes of one base, row by row and attribute by attribute. `theirs` is what is stored, `mine` what arrives.
 * A change of one side alone is taken to the character. A row that one side deleted and the other changed stays.
 * Rows are matched by their lasting ids where those are given, else by what they say. `read` may know readings.
 */
export function* merging(
  base: string,
  mine: string,
  theirs: string,
  statuses: StatusRegistry = builtIn,
  ids: { base?: RowIds; mine?: RowIds; theirs?: RowIds } = {},
  read: (text: string, like?: string) => Checklist = text => readChecklist(text, statuses),
): Sliced<Merged> {
  if (mine === theirs || theirs === base) return { text: mine, conflicts: [] };
  if (mine === base) return { text: theirs, conflicts: [] };
  const conflicts: Conflict[] = [];
  const b = documentOf(read(base));
  yield;
  const m = documentOf(read(mine, base));
  yield;
  const t = documentOf(read(theirs, base));
  yield;
  const toMine = yield* aligning(b.units, m.units, ids.base, ids.mine);
  yield;
  const toTheirs = yield* aligning(b.units, t.units, ids.base, ids.theirs);

  const merged = new Map<number, Unit>();
  for (const [index, unit] of b.units.entries()) {
    yield;
    const [inMine, inTheirs] = [m.units[toMine.get(index) ?? -1], t.units[toTheirs.get(index) ?? -1]];
    if (inMine && inTheirs)
      merged.set(
        index,
        mergeRow(unit, inMine, inTheirs, conflict => conflicts.push(conflict)),
      );
    else {
      const left = inMine ?? inTheirs;
      if (left && !isUnchanged(left, unit)) merged.set(index, left);
    }
  }
  yield;

  const [byMine, byTheirs] = [movedRows(toMine), movedRows(toTheirs)];
  const units = arrange(
    b.units.length,
    { rows: sideRows(m, toMine), moved: movedRows(toMine, byTheirs) },
    { rows: sideRows(t, toTheirs), moved: movedRows(toTheirs, byMine) },
    join,
  ).flatMap(placed => ('added' in placed ? placed.added : (merged.get(placed.base) ?? [])));
  yield;
  const top = m.top === b.top ? t.top : m.top;
  return { text: write(top, units, (m.closed === b.closed ? t : m).closed), conflicts };
}

/** The same without a break. */
export const merge = (...given: Parameters<typeof merging>): Merged => finish(merging(...given));

/** A side's rows, each as the base's row that it is, or as its own. */
function sideRows({ units }: Document, alignment: Alignment): Side<Unit>['rows'] {
  const inBase = new Map([...alignment].map(([index, there]) => [there, index]));
  return units.map((unit, index) => {
    const base = inBase.get(index);
    return base === undefined ? { added: unit } : { base };
  });
}

/** Rows that both sides added at one place: theirs first, then mine; what both added only once. */
function join(theirs: readonly Unit[], mine: readonly Unit[]): readonly Unit[] {
  if (theirs.length === 0 || mine.length === 0) return theirs.length === 0 ? mine : theirs;
  const number = numbering();
  const linesOf = (units: readonly Unit[]) => units.map(unit => number(lineOf(unit)));
  const both = [...common(linesOf(theirs), linesOf(mine)), [theirs.length, mine.length] as const];
  let [i, j] = [0, 0];
  return both.flatMap(([there, here]) => {
    const part = [...theirs.slice(i, there), ...mine.slice(j, here), ...theirs.slice(there, there + 1)];
    [i, j] = [there + 1, here + 1];
    return part;
  });
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
  return closed ? text : text.replace(/\r\n$|\n$|\r$/, '');
}
