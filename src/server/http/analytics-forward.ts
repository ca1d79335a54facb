import { versionLabel } from '../../domain/build/build.ts';
import { edition } from '../../domain/edition.ts';
import type { AnalyticsEvent } from '../../domain/events.ts';
import type { Metrics } from '../monitoring/metrics.ts';

/** Forwards events to an external service. */
export interface Forwarder {
  /** Sends an event in the background, without retries. The metrics count failures. */
  forward(event: { eventType: AnalyticsEvent; eventProperties: object }): void;
  /** Aborts running calls. */
  close(): void;
}

const CALL_TIMEOUT_MS = 5_000;
/** Further events are dropped. */
const MAX_PARALLEL_CALLS = 20;

/**
 * Forwards each event in a call: a POST of JSON with the event and the app's key and version, without data of the site
 * or the user. Does nothing without an address.
 */
export function createForwarder(address: string | undefined, { passed }: Pick<Metrics, 'passed'>): Forwarder {
  if (address === undefined) return { forward: () => undefined, close: () => undefined };
  const closing = new AbortController();
  let pending = 0;

  const post = async (body: string): Promise<'ok' | 'refused' | 'failed'> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const headers = { 'content-type': 'application/json' };
    try {
      const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'error' });
      await response.body?.cancel();
      return response.ok ? 'ok' : 'refused';
    } catch {
      return 'failed';
    }
  };

  return {
    forward(event) {
      if (pending >= MAX_PARALLEL_CALLS) return passed.inc({ outcome: 'dropped' });
      pending += 1;
      void post(JSON.stringify({ ...event, appKey: edition.key, version: versionLabel })).then(outcome => {
        pending -= 1;
        passed.inc({ outcome });
      });
    },
    close: () => closing.abort(),
  };
}
