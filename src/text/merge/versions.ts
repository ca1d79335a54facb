import type { Alignment } from './align.ts';
import type { Join, Split } from './reshapes.ts';
import type { RowVersions } from './row.ts';
import type { Unit } from './units.ts';

/** The three versions of a row that are merged. */
export interface Versions extends RowVersions {
  /** The rows with what they were before both changes, as `theirs` divides the words into rows. */
  before: readonly RowBefore[];
}

/** A row as it was before both changes. */
export interface RowBefore {
  /** The row's index in the base, or in `theirs` where it is new there. */
  index: number;
  of: 'base' | 'theirs';
  unit: Unit;
  /** The attribute that had the words, if it is not the one that has them now. */
  had?: 'details';
}

/** A row that one side added, or both as the same part of a split row. */
export interface Part extends Versions {
  /** The base's row that is joined with it. */
  row?: number;
  /** The rows that the sides added. */
  added?: Partial<Record<SideName, number>>;
}

export type SideName = 'mine' | 'theirs';

/** One side: its rows, and what it split and joined. */
export interface Side {
  name: SideName;
  units: readonly Unit[];
  to: Alignment;
  splits: readonly Split[];
  joins: readonly Join[];
}

/** The versions of a row, by what one side and the other one have made of it. */
export const versions = ({ name }: Side, base: Unit, own: Unit, other: Unit, before: readonly RowBefore[]): Versions =>
  name === 'mine' ? { base, mine: own, theirs: other, before } : { base, mine: other, theirs: own, before };

/** A row of the base before both changes. */
export const rowOf = (index: number, unit: Unit): RowBefore => ({ index, of: 'base', unit });

/** A row of the base as a side has it. */
export const unitOf = ({ units, to }: Side, row: number | undefined): Unit | undefined =>
  units[to.get(row ?? -1) ?? -1];

export const withContent = (unit: Unit, content: string, details = unit.details): Unit => ({
  ...unit,
  content,
  details,
});

/** Tells the base's row of this index among rows before both changes. */
export const isBase = (row: number | undefined) => (each: RowBefore) => each.of === 'base' && each.index === row;
