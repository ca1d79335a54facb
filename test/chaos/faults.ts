import { faultKinds } from '../../src/tracker/faults/kinds.ts';
import type { Fault } from '../../src/tracker/wire.ts';

const k = faultKinds;
const ADDON = 'addon';
/** Reading is cut as well as writing. */
const EVERY = '.';

/** What the tracker does to the add-on in a run: each with its chance, all from one seed. */
export const chaosFaults = (seed: number): Fault[] => {
  const faults: Fault[] = [
    { ...k.burst.fault, name: 'burst limit', by: ADDON, chance: 0.02 },
    { ...k.issueLimit.fault, name: 'issue limit', by: ADDON, retryAfter: 1, chance: 0.02 },
    // It stops every call of the site, also when no answer says so any more.
    { ...k.quota.fault, name: 'quota', by: ADDON, retryAfter: 2, chance: 0.005 },
    { ...k.error.fault, name: 'error', by: ADDON, chance: 0.03 },
    { ...k.slow.fault, name: 'slow', by: ADDON, delayMs: 400, chance: 0.05 },
    { ...k.slow.fault, name: 'too slow', by: ADDON, delayMs: 4_500, chance: 0.003 },
    { ...k.late.fault, name: 'late', by: ADDON, lateMs: 700, chance: 0.03 },
    { ...k.late.fault, name: 'too late', by: ADDON, lateMs: 5_000, chance: 0.01 },
    { ...k.cutBefore.fault, name: 'cut before', by: ADDON, match: EVERY, chance: 0.02 },
    { ...k.cutAfter.fault, name: 'cut after', by: ADDON, match: EVERY, chance: 0.03 },
    { ...k.cutLate.fault, name: 'cut, done late', by: ADDON, lateMs: 1_500, chance: 0.06 },
    { ...k.webhookLate.fault, name: 'webhook late', delayMs: 1_000, chance: 0.1 },
    { ...k.webhookOvertaken.fault, name: 'webhook overtaken', delayMs: 1_500, chance: 0.1 },
    { ...k.webhookDoubled.fault, name: 'webhook doubled', delayMs: 500, chance: 0.1 },
    { ...k.webhookDropped.fault, name: 'webhook dropped', chance: 0.05 },
    { ...k.propertyRefused.fault, name: 'property refused', by: ADDON, chance: 0.01 },
  ];
  return faults.map((fault, index) => ({ ...fault, seed: seed + index }));
};
