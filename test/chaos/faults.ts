import * as v from 'valibot';
import { faultKinds } from '../../src/tracker/faults/kinds.ts';
import { type Fault, faultsShape } from '../../src/tracker/wire/faults.ts';
import { type ChaosSite, pause } from './site.ts';

const k = faultKinds;
const ADDON = 'addon';
/** Reading is cut as well as writing. */
const EVERY = '.';

/** Field writes are delayed often: meanwhile a foreign write may be overwritten. */
const FIELD_WRITES = k.offScreen.fault.match;

/** The tracker's faults during a run, each with its probability, all from one seed. */
const chaosFaults = (seed: number): Fault[] => {
  const faults: Fault[] = [
    { ...k.burst.fault, name: 'burst limit', by: ADDON, chance: 0.02 },
    { ...k.issueLimit.fault, name: 'issue limit', by: ADDON, retryAfter: 1, chance: 0.02 },
    // It blocks every call of the site, also when no answer says so any more.
    { ...k.quota.fault, name: 'quota', by: ADDON, retryAfter: 2, chance: 0.005 },
    { ...k.error.fault, name: 'error', by: ADDON, chance: 0.03 },
    { ...k.slow.fault, name: 'slow field', by: ADDON, match: FIELD_WRITES, delayMs: 1_500, chance: 0.3 },
    { ...k.slow.fault, name: 'slow', by: ADDON, delayMs: 400, chance: 0.05 },
    { ...k.slow.fault, name: 'too slow', by: ADDON, delayMs: 4_500, chance: 0.003 },
    { ...k.delayed.fault, name: 'late', by: ADDON, lateMs: 700, chance: 0.03 },
    { ...k.delayed.fault, name: 'too late', by: ADDON, lateMs: 5_000, chance: 0.01 },
    { ...k.cutBefore.fault, name: 'cut before', by: ADDON, match: EVERY, chance: 0.02 },
    { ...k.cutAfter.fault, name: 'cut after', by: ADDON, match: EVERY, chance: 0.03 },
    { ...k.cutLate.fault, name: 'cut, done late', by: ADDON, lateMs: 1_500, chance: 0.06 },
    { ...k.webhookLate.fault, name: 'webhook late', delayMs: 1_000, chance: 0.1 },
    { ...k.webhookOvertaken.fault, name: 'webhook overtaken', delayMs: 1_500, chance: 0.1 },
    { ...k.webhookDoubled.fault, name: 'webhook doubled', delayMs: 500, chance: 0.1 },
    { ...k.webhookDropped.fault, name: 'webhook dropped', chance: 0.05 },
    { ...k.taskLate.fault, name: 'compare-and-set late', delayMs: 3_000, chance: 0.2 },
    { ...k.taskFailed.fault, name: 'compare-and-set failed', chance: 0.1 },
    { ...k.propertyRefused.fault, name: 'property refused', by: ADDON, chance: 0.01 },
  ];
  return faults.map((fault, index) => ({ ...fault, seed: seed + index }));
};

/** The faults of one tracker. */
export interface Faults {
  begin(): Promise<void>;
  /** Takes the tracker offline for some milliseconds, from `onGone` on; then restores the faults. */
  goOffline(time: number, onGone: () => void): Promise<void>;
  /** Whether it is offline, or about to be. */
  isOffline(): boolean;
  /** Ends the faults; resolves with the number of strikes of each. */
  end(): Promise<ReadonlyMap<string, number>>;
}

/** Milliseconds before going offline in which no process is killed: it must have cached permissions by then. */
const BEFORE = 10_000;

export function createChaosFaults({ tracker }: Pick<ChaosSite, 'tracker'>, seed: number): Faults {
  const struck = new Map<string, number>();
  let isAway = false;

  async function set(faults: readonly Fault[]): Promise<void> {
    const before = v.parse(faultsShape, (await tracker.app.inject('/host/faults')).json());
    for (const { name = '', struck: times } of before) struck.set(name, (struck.get(name) ?? 0) + times);
    await tracker.app.inject({ method: 'DELETE', url: '/host/faults' });
    for (const payload of faults) {
      const { statusCode } = await tracker.app.inject({ method: 'POST', url: '/host/faults', payload });
      if (statusCode !== 204) throw new Error(`The tracker refuses the fault ${payload.name}.`);
    }
  }

  let round = 0;
  const begin = () => set(chaosFaults(seed + 1_000 * round++));
  return {
    begin,
    async goOffline(time, onGone) {
      isAway = true;
      await pause(Math.min(BEFORE, time));
      await set([{ match: EVERY, by: ADDON, cut: 'before', name: 'away' }]);
      onGone();
      await pause(time);
      isAway = false;
      await begin();
    },
    isOffline: () => isAway,
    async end() {
      await set([]);
      return struck;
    },
  };
}
