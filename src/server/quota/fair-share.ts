import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Milliseconds of a window, and between two measurements. */
const WINDOW = 5_000;
const MEASURE = 500;
/** The part of its time from which on a process counts as busy. */
const BUSY = 0.95;
/** Requests of a window that every site may have, and how much more than an equal share. */
const FREE = 200;
const MORE = 1.5;
/** Milliseconds of long work that count as a request. */
const REQUEST = 5;

export interface FairShareOptions {
  /** The part of its time in which the process was busy lately, 0 to 1. */
  utilization?(): number;
  now?(): number;
}

/** Measures how busy the process was in the last half second or more. */
function measured(now: () => number): () => number {
  let [at, last, busy]: [number, EventLoopUtilization, number] = [now(), performance.eventLoopUtilization(), 0];
  return () => {
    if (now() - at < MEASURE) return busy;
    const next = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(next, last).utilization;
    [at, last] = [now(), next];
    return busy;
  };
}

/** What sites use of a process. */
export interface FairShare {
  /** Whether a site may have another request now, which counts as so many. */
  admits(tenant: string, weight: number): boolean;
  /** Counts milliseconds of a site's long work. */
  spent(tenant: string, time: number): void;
}

/**
 * Admits a site's requests. While the process is busy and several sites use it, none has more than half as much again as
 * an equal share of the requests of the last seconds, so that one that sends many lets the others in.
 */
export function createFairShare({ now = Date.now, utilization = measured(now) }: FairShareOptions = {}): FairShare {
  let [start, before, current] = [now(), new Map<string, number>(), new Map<string, number>()];

  function turn(): void {
    const passed = now() - start;
    if (passed < WINDOW) return;
    before = passed < 2 * WINDOW ? current : new Map();
    [start, current] = [now(), new Map()];
  }

  const add = (tenant: string, weight: number) => current.set(tenant, (current.get(tenant) ?? 0) + weight);

  function admits(tenant: string, weight: number): boolean {
    turn();
    const used = (current.get(tenant) ?? 0) + (before.get(tenant) ?? 0);
    const isBusy = utilization() > BUSY;
    if (isBusy && used >= FREE) {
      const sites = new Set([...before.keys(), ...current.keys(), tenant]);
      const total = [...before.values(), ...current.values()].reduce((sum, count) => sum + count, 0);
      if (sites.size > 1 && used > (MORE * total) / sites.size) return false;
    }
    add(tenant, weight);
    return true;
  }

  return {
    admits,
    spent(tenant, time) {
      turn();
      add(tenant, time / REQUEST);
    },
  };
}
