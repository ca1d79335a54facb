import { emit } from './forge/events.ts';
import { frames } from './frames.ts';
import { connectHost } from './host.ts';

/*
 * Passes events between a dashboard and its gadgets, for both frameworks.
 */

/** Sends a Connect gadget the user's wish to configure or to refresh it. */
function sendToFrame(gadget: string, addonKey: string, event: 'edit' | 'refresh'): void {
  for (const [frame, { about }] of frames) {
    if (about.gadget === gadget)
      connectHost.broadcastEvent('dashboard-item', { addon_key: addonKey }, { frame, event });
  }
}

export const editConnectGadget = (gadget: string, addonKey: string): void => sendToFrame(gadget, addonKey, 'edit');

/** Has a gadget load its data again. */
export function refreshGadget(gadget: string, addonKey: string): void {
  sendToFrame(gadget, addonKey, 'refresh');
  emit('JIRA_DASHBOARD_GADGET_REFRESH', { origin: 'gadget', gadgetId: gadget });
}

const listeners = new Set<(gadget: string) => void>();

/** Listens to Forge gadgets whose configuration was saved. Returns the unsubscribe function. */
export function onSubmitted(listener: (gadget: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function submitted(gadget: string): void {
  for (const listener of listeners) listener(gadget);
}
