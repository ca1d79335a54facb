import type { HostBridge } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { type AnalyticsEvent, eventOf, isTracked, type TrackedOperation } from '../domain/events.ts';
import type { Surface } from '../domain/pages.ts';
import type { SessionStore } from './session.ts';

/** All that an event may say besides its type; there is no room here for what people write. */
export interface EventProperties {
  operation?: TrackedOperation;
  surface?: Surface;
}

/** What events are told through. */
export interface Tracking {
  bridge: HostBridge;
  session: SessionStore;
}

/** Milliseconds after which nobody waits for an answer any more. */
const PATIENCE = 10_000;

/** Whether the site lets us count; nothing is told before that is known, however often the start fails. */
function isAllowed(session: SessionStore): Promise<boolean> {
  if (session.get().status === 'pending') void session.token().catch(() => undefined);
  return new Promise(resolve => {
    const look = () => {
      const { payload } = session.get();
      if (payload) resolve(payload.settings.analytics_enabled ?? false);
      return payload !== undefined;
    };
    if (look()) return;
    const stop = session.subscribe(() => {
      if (look()) stop();
    });
  });
}

/**
 * Tells our server of an event (spec §7, row 14): one call each, nobody waits for it, its failure is nobody's concern.
 * The server passes it on where the operator of the add-on counts elsewhere, too: no browser calls anybody but us.
 */
export function track(
  { bridge, session }: Tracking,
  eventType: AnalyticsEvent,
  eventProperties: EventProperties = {},
): void {
  const send = async () => {
    if (!(await isAllowed(session))) return;
    const headers = { 'app-key': edition.key, authorization: `JWT ${await session.token()}` };
    const json = { eventType, eventProperties };
    await bridge.backend('/api/analytics', { method: 'POST', headers, json, signal: AbortSignal.timeout(PATIENCE) });
  };
  void send().catch(() => undefined);
}

/** Tells of an operation that has succeeded, where it counts as an event. */
export function trackOperation(tracking: Tracking, operation: string): void {
  if (isTracked(operation)) track(tracking, eventOf(operation), { operation });
}
