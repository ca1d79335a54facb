import type { HostBridge } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import type { AnalyticsEvent } from '../domain/events.ts';
import type { Surface } from '../domain/pages.ts';

/** All that an event may say besides its type; there is no room here for what people write. */
export interface EventProperties {
  operation?: string;
  surface?: Surface;
}

/** Tells our server of an event (spec §7, row 14): one call each, nobody waits for it, its failure is nobody's concern. */
export function track(bridge: HostBridge, eventType: AnalyticsEvent, eventProperties: EventProperties = {}): void {
  const send = async () => {
    const headers = { 'app-key': edition.key, authorization: `JWT ${await bridge.token()}` };
    await bridge.backend('/api/analytics', { method: 'POST', headers, json: { eventType, eventProperties } });
  };
  void send().catch(() => undefined);
}
