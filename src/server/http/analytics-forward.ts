import { versionLabel } from '../../domain/build.ts';
import { edition } from '../../domain/edition.ts';
import type { AnalyticsEvent } from '../../domain/events.ts';
import type { Metrics } from '../common/metrics.ts';

/** A service of somebody else's that is told of events, too. */
export interface Forwarder {
  /** Returns at once. What does not arrive is gone: there is no second try, and nobody hears of it but the metrics. */
  forward(event: { eventType: AnalyticsEvent; eventProperties: object }): void;
  /** Gives up what is on its way. */
  close(): void;
}

/** Milliseconds that a call may take. */
const PATIENCE = 5_000;
/** Calls at one time; with a service that hangs, further events are dropped. */
const AT_ONCE = 20;

/**
 * Passes events on to that address, one call each: a POST of JSON with the event, the add-on's key and version, and
 * nothing about the site or the person. Without an address, to nobody.
 */
export function createForwarder(address: string | undefined, { passed }: Pick<Metrics, 'passed'>): Forwarder {
  if (address === undefined) return { forward: () => undefined, close: () => undefined };
  const closing = new AbortController();
  let underWay = 0;

  const post = async (body: string): Promise<'ok' | 'refused' | 'failed'> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(PATIENCE)]);
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
      if (underWay >= AT_ONCE) return passed.inc({ outcome: 'dropped' });
      underWay += 1;
      void post(JSON.stringify({ ...event, appKey: edition.key, version: versionLabel })).then(outcome => {
        underWay -= 1;
        passed.inc({ outcome });
      });
    },
    close: () => closing.abort(),
  };
}
