import type { LedgerLine } from '../../wire/quota.ts';

/** Sum of several lines of the ledger. */
export interface LedgerRow {
  name: string;
  calls: number;
  points: number;
  refused: number;
}

/** Sums the lines of equal name, most expensive first. */
export function sumBy(lines: readonly LedgerLine[], nameOf: (line: LedgerLine) => string): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  for (const line of lines) {
    const name = nameOf(line);
    const { calls, points, refused } = rows.get(name) ?? { calls: 0, points: 0, refused: 0 };
    rows.set(name, {
      name,
      calls: calls + line.calls,
      points: points + line.points,
      refused: refused + line.refused,
    });
  }
  return [...rows.values()].sort((one, other) => other.points - one.points || other.refused - one.refused);
}
