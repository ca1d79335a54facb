import { useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { type DraftSlot, openDraft } from '../../../client/drafts.ts';
import { useBridge } from '../../shell/hooks.ts';

/** Where nobody can tell whose a draft would be, none is kept. */
const nowhere: DraftSlot = { read: () => undefined, keep: () => false, clear: () => undefined, others: 0 };

/** One slot for each text of a page, which holds it as long as it is there. */
const slots = new WeakMap<HostBridge, Map<string, Promise<DraftSlot>>>();

function slotOf(bridge: HostBridge, of: string): Promise<DraftSlot> {
  const ofPage = slots.get(bridge) ?? new Map<string, Promise<DraftSlot>>();
  slots.set(bridge, ofPage);
  const slot = ofPage.get(of) ?? bridge.owner().then(owner => openDraft(owner, of));
  ofPage.set(of, slot);
  return slot;
}

/** Where an editor keeps what is not saved, `of` being its issue's id or what else tells its text from others; `undefined` until that is known. */
export function useDraftSlot(of: string): DraftSlot | undefined {
  const bridge = useBridge();
  const [slot, setSlot] = useState<DraftSlot | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    slotOf(bridge, of).then(
      opened => wanted && setSlot(opened),
      () => wanted && setSlot(nowhere),
    );
    return () => {
      wanted = false;
    };
  }, [bridge, of]);
  return slot;
}
