import { useEffect, useState } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { type DraftSlot, openDraft } from '../../../client/drafts.ts';
import { useServices } from '../../shell/services/services.ts';

/** Without a known account no draft is stored. */
const noSlot: DraftSlot = { read: () => undefined, keep: () => false, clear: () => undefined, others: 0 };

/** The key of the slot for the fields of an issue's list. */
export const fieldsOf = (issueId: string): string => `${issueId}/fields`;

interface Slots {
  /** The slot, if it is open. */
  get(of: string): DraftSlot | undefined;
  open(of: string): Promise<DraftSlot>;
}

/** Opens one draft slot per text, held as long as the page is open. */
function createSlots(bridge: HostBridge): Slots {
  const opening = new Map<string, Promise<DraftSlot>>();
  const opened = new Map<string, DraftSlot>();
  const open = async (of: string) => {
    const slot = await bridge.owner().then(
      owner => openDraft(owner, of),
      () => noSlot,
    );
    opened.set(of, slot);
    return slot;
  };
  return {
    get: of => opened.get(of),
    open: of => {
      const slot = opening.get(of) ?? open(of);
      opening.set(of, slot);
      return slot;
    },
  };
}

/**
 * Opens the draft slot of a text; `undefined` until the account is known. `of` is the issue's id or another unique key
 * of the text; without it nothing is stored.
 */
export function useDraftSlot(of: string | undefined): DraftSlot | undefined {
  const slots = useServices().once(createSlots);
  const [slot, setSlot] = useState(() => (of === undefined ? noSlot : slots.get(of)));
  useEffect(() => {
    if (of === undefined) return undefined;
    let isCurrent = true;
    void slots.open(of).then(opened => isCurrent && setSlot(opened));
    return () => {
      isCurrent = false;
    };
  }, [slots, of]);
  return slot;
}
