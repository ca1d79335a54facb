import type { Outcome } from '../../client/changes.ts';
import type { Notify } from '../app/hooks.ts';
import { conflictText } from './conflict.ts';

/** Tells what changes led to besides what shows. */
export function teller(notify: Notify): (outcome: Pick<Outcome, 'conflicts' | 'notices'>) => void {
  const told = new Set<string>();
  return ({ conflicts, notices }) => {
    for (const conflict of conflicts) notify(conflictText(conflict), 'warning');
    // What keeps the other storage from being written is the same for every change: once is enough.
    for (const notice of notices) {
      if (!told.has(notice)) notify(notice, 'warning');
      told.add(notice);
    }
  };
}
