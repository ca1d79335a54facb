/** Durations of repeated runs, in milliseconds. */
export interface Times {
  median: number;
  p95: number;
}

/** Durations and processor times; the latter vary far less with other programs on the machine. */
export interface Costs extends Times {
  cpu: number;
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

/** Processor time of a run, all threads together. */
function busy(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Clears the heap and waits for the collector's threads, so that no run pays for another's garbage. Needs
 * `--expose-gc`; only useful before runs of many megabytes.
 */
export function settle(): void {
  if (!globalThis.gc) return;
  globalThis.gc();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

/**
 * Runs the contestants in turn, so that a busy moment of the machine affects all of them, twice to warm up and then
 * `rounds` times.
 */
export function alternate<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => unknown>>,
  before: () => void = () => {},
): Record<Name, Costs> {
  const names = Object.keys(contestants) as Name[];
  const wall = new Map<Name, number[]>(names.map(name => [name, []]));
  const cpu = new Map<Name, number[]>(names.map(name => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const name of names) {
      before();
      let time = 0;
      const used = busy(() => (time = elapsed(contestants[name])));
      if (round < 0) continue;
      wall.get(name)?.push(time);
      cpu.get(name)?.push(used);
    }
  }
  const costs = (name: Name): Costs => ({ ...timesOf(wall.get(name) ?? []), cpu: timesOf(cpu.get(name) ?? []).median });
  return Object.fromEntries(names.map(name => [name, costs(name)])) as Record<Name, Costs>;
}

/** A table for a terminal: the first column to the left, figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(width(i)) : cell.padStart(width(i)))).join('  ');
  const rule = head.map((_, i) => '-'.repeat(width(i))).join('  ');
  return [line(head), rule, ...rows.map(line)].join('\n');
}
