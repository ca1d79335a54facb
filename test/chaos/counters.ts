import type { Acknowledged, Violation } from './model.ts';

/** Counters of a run. */
export interface Counters {
  acknowledged(change: Acknowledged): void;
  refused(code: string): void;
  repeated(): void;
  /** An answer without a result of the change. */
  open(why: string): void;
  violation(violation: Violation): void;
  changes: readonly Acknowledged[];
  violations: readonly Violation[];
  refusals: ReadonlyMap<string, number>;
  opens: ReadonlyMap<string, number>;
  repeats(): number;
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

export function createCounters(): Counters {
  const changes: Acknowledged[] = [];
  const violations: Violation[] = [];
  const refusals = new Map<string, number>();
  const opens = new Map<string, number>();
  let repeats = 0;
  return {
    acknowledged: change => void changes.push(change),
    refused: code => void count(refusals, code),
    repeated: () => void repeats++,
    open: why => void count(opens, why),
    violation: violation => void violations.push(violation),
    changes,
    violations,
    refusals,
    opens,
    repeats: () => repeats,
  };
}
