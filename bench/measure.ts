/** What repeated runs of one thing took, in milliseconds. */
export interface Times {
  median: number;
  p95: number;
}

const sorted = (times: readonly number[]) => [...times].sort((a, b) => a - b);

export function timesOf(times: readonly number[]): Times {
  const inOrder = sorted(times);
  const at = (share: number) => inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

export function elapsed(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/**
 * Runs the contestants in turn, so that a busy moment of the machine hits all alike, once to warm up and then `rounds`
 * times.
 */
export function alternate<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => unknown>>,
): Record<Name, Times> {
  const names = Object.keys(contestants) as Name[];
  const times = new Map<Name, number[]>(names.map(name => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const time = elapsed(contestants[name]);
      if (round >= 0) times.get(name)?.push(time);
    }
  }
  return Object.fromEntries(names.map(name => [name, timesOf(times.get(name) ?? [])])) as Record<Name, Times>;
}

/** A table for a terminal: the first column to the left, figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(width(i)) : cell.padStart(width(i)))).join('  ');
  const rule = head.map((_, i) => '-'.repeat(width(i))).join('  ');
  return [line(head), rule, ...rows.map(line)].join('\n');
}
