import type { Page } from '../page.ts';

/**
 * Runs work in mutual exclusion with all frames of the browser, by name. A frame that the browser gives no locks waits for
 * no other frame: a change counts once, however often it is sent.
 */
export type Mutex = (name: string, work: () => Promise<void>) => Promise<void>;

export function createMutex({ locks }: Pick<Page, 'locks'>): Mutex {
  return async (name, work) => {
    if (!locks) return work();
    let begun = false;
    try {
      await locks.request(name, () => {
        begun = true;
        return work();
      });
    } catch (error) {
      if (begun) throw error;
      // Locks are denied to this frame.
      await work();
    }
  };
}
