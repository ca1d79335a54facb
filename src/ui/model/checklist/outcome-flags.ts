import type { HostBridge } from '../../../bridge/bridge.ts';
import type { Outcome } from '../../../client/changes.ts';
import { storage } from '../../../domain/messages.ts';
import type { Notify } from '../../shell/hooks.ts';

/** Tells what changes led to besides what shows. */
export function outcomeNotifier(
  bridge: HostBridge,
  notify: Notify,
): (outcome: Pick<Outcome, 'conflicts' | 'notices'>) => void {
  const told = new Set<string>();
  return ({ conflicts, notices }) => {
    if (conflicts.length > 0)
      void import('./conflict-text.ts')
        .then(({ conflictTexts }) => conflictTexts(bridge, conflicts))
        // That there were any is said, whatever it is that does not come.
        .catch(() => [storage.sameItems])
        .then(texts => {
          for (const text of texts) notify(text, 'warning');
        });
    // What keeps the other storage from being written is the same for every change: once is enough.
    for (const notice of notices) {
      if (!told.has(notice)) notify(notice, 'warning');
      told.add(notice);
    }
  };
}
