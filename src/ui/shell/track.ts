import { useCallback, useEffect, useRef } from 'react';
import type { EventProperties } from '../../client/analytics.ts';
import type { AnalyticsEvent } from '../../domain/events.ts';
import { useBridge, useSessionStore } from './services/services.ts';

/** Does something with what tells of events. It comes late: nobody waits for it, and nobody misses it. */
export const withAnalytics = (tell: (analytics: typeof import('../../client/analytics.ts')) => void): void =>
  void import('../../client/analytics.ts').then(tell).catch(() => undefined);

/** Tells that somebody did something. */
export function useTrack(): (event: AnalyticsEvent, properties?: EventProperties) => void {
  const bridge = useBridge();
  const session = useSessionStore();
  return useCallback(
    (event, properties) => withAnalytics(({ track }) => track({ bridge, session }, event, properties)),
    [bridge, session],
  );
}

/** Tells once that a component is there. */
export function useTracked(event: AnalyticsEvent): void {
  const track = useTrack();
  const told = useRef<AnalyticsEvent>(undefined);
  useEffect(() => {
    if (told.current !== event) track(event);
    told.current = event;
  }, [track, event]);
}
