import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { sleep } from '../../domain/timing.ts';
import { safeStorage } from '../browser-storage.ts';
import type { Page } from '../page.ts';

/** Runs work in mutual exclusion with all frames of the browser, by name. */
export type Mutex = (name: string, work: () => Promise<void>) => Promise<void>;

/** Milliseconds: a lease's duration, its renewal interval, and the wait that settles concurrent acquisitions. */
const LEASE = 10_000;
const RENEWAL = 3_000;
const RACE = 50;

const leaseShape = v.object({ frame: v.string(), until: v.number() });

function readLease(kept: string | undefined): v.InferOutput<typeof leaseShape> | undefined {
  try {
    return readAs(leaseShape, JSON.parse(kept ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Mutual exclusion without the browser's locks: a lease in the storage, which expires when its frame has died. */
function leases(storage: Storage | undefined): Mutex {
  const safe = safeStorage(storage);
  const frame = crypto.randomUUID();
  return async (name, work) => {
    const key = `${name}/lease`;
    const take = () => safe.set(key, JSON.stringify({ frame, until: Date.now() + LEASE }));
    const holder = () => {
      const lease = readLease(safe.get(key));
      return lease && lease.until > Date.now() ? lease.frame : undefined;
    };
    for (let mine = false; !mine; ) {
      while (holder() !== undefined) await sleep(RENEWAL * Math.random());
      // Without storage nothing is shared with other frames.
      if (!take()) break;
      await sleep(RACE);
      mine = holder() === frame;
    }
    const renewal = setInterval(take, RENEWAL);
    try {
      await work();
    } finally {
      clearInterval(renewal);
      safe.remove(key);
    }
  };
}

/** Uses the browser's locks where available. */
export function createMutex({ storage, locks }: Pick<Page, 'storage' | 'locks'>): Mutex {
  const leased = leases(storage);
  if (!locks) return leased;
  return async (name, work) => {
    let begun = false;
    try {
      await locks.request(name, () => {
        begun = true;
        return work();
      });
    } catch (error) {
      if (begun) throw error;
      // Locks are denied to this frame.
      await leased(name, work);
    }
  };
}
