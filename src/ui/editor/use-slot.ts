import { useEffect, useState } from 'react';
import type { HostBridge } from '../../bridge/bridge.ts';
import { type DraftSlot, openDraft } from '../../client/drafts.ts';
import { ownerOf } from '../../client/owner.ts';
import { useBridge } from '../app/hooks.ts';

/** Where nobody can tell whose a draft would be, none is kept. */
const nowhere: DraftSlot = { read: () => undefined, keep: () => false, clear: () => undefined, others: 0 };

/** One slot for each issue of a page, which holds it as long as it is there. */
const slots = new WeakMap<HostBridge, Map<string, Promise<DraftSlot>>>();

function slotOf(bridge: HostBridge, issueId: string): Promise<DraftSlot> {
  const ofPage = slots.get(bridge) ?? new Map<string, Promise<DraftSlot>>();
  slots.set(bridge, ofPage);
  const slot = ofPage.get(issueId) ?? ownerOf(bridge).then(owner => openDraft(owner, issueId));
  ofPage.set(issueId, slot);
  return slot;
}

/** Where the editor of an issue keeps what is not saved; `undefined` until that is known. */
export function useSlot(issueId: string): DraftSlot | undefined {
  const bridge = useBridge();
  const [slot, setSlot] = useState<DraftSlot | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    slotOf(bridge, issueId).then(
      opened => wanted && setSlot(opened),
      () => wanted && setSlot(nowhere),
    );
    return () => {
      wanted = false;
    };
  }, [bridge, issueId]);
  return slot;
}
