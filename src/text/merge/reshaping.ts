import type { Unit } from './units.ts';
import type { Part, Side, SideName, Versions } from './versions.ts';

/**
 * Rows that one side split or joined while the other side changed them, as far as they are found: the base and the other
 * side are split or joined in the same way, so that both changes meet in one row.
 */
export interface Reshaping {
  base: readonly Unit[];
  /** Mine and theirs. */
  sides: readonly [Side, Side];
  /** By the base's index. */
  rows: Map<number, Versions>;
  /** Rows of the base that are part of another one. */
  absorbed: Set<number>;
  /** By the base's index, the row of a side that a row is there: the other row of that join was deleted. */
  joinedAs: Map<number, Partial<Record<SideName, number>>>;
  /** Rows that one side added, as parts of split rows or with rows of the base joined. */
  parts: Map<Unit, Part>;
  /** Rows that one side added, for which another part stands. */
  dropped: Set<Unit>;
  /** By the part that mine has added the same one that theirs has. */
  sameParts: Map<Unit, Unit>;
  /** Parts that are written around a row of the base or another part, by the base's index or that part. */
  neighbours: Map<number | Part, { above: readonly Part[]; below: readonly Part[] }>;
}
