import type { HostBridge } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { type AnalyticsEvent, eventOf, isTracked, type TrackedOperation } from '../domain/events.ts';
import type { Surface } from '../domain/pages.ts';
import type { SessionStore } from './session.ts';

/** The properties of an event besides its type; user text is excluded. */
export interface EventProperties {
  operation?: TrackedOperation;
  surface?: Surface;
}

export interface Tracking {
  bridge: HostBridge;
  session: SessionStore;
}

const TIMEOUT_MS = 10_000;

/** Whether the site allows analytics; pending until the session's payload is loaded. */
function isAllowed(session: SessionStore): Promise<boolean> {
  if (session.get().status === 'pending') void session.token().catch(() => undefined);
  return new Promise(resolve => {
    const check = () => {
      const { payload } = session.get();
      if (payload) resolve(payload.settings.analytics_enabled ?? false);
      return payload !== undefined;
    };
    if (check()) return;
    const stop = session.subscribe(() => {
      if (check()) stop();
    });
  });
}

/**
 * Sends an event to our server: one call each, failures ignored. The server forwards it to the
 * operator's own analytics, so that browsers call our server only.
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
    await bridge.backend('/api/analytics', { method: 'POST', headers, json, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
  void send().catch(() => undefined);
}

/** Tracks a succeeded operation that counts as an event. */
export function trackOperation(tracking: Tracking, operation: string): void {
  if (isTracked(operation)) track(tracking, eventOf(operation), { operation });
}
