import { useCallback, useEffect, useRef } from 'react';
import type { EventProperties } from '../../client/analytics.ts';
import type { AnalyticsEvent } from '../../domain/events.ts';
import { useBridge, useSessionStore } from './services/services.ts';

/** Runs a function with the analytics module, which is loaded lazily; failures are ignored. */
export const withAnalytics = (use: (analytics: typeof import('../../client/analytics.ts')) => void): void =>
  void import('../../client/analytics.ts').then(use).catch(() => undefined);

/** Returns the function that tracks a user action. */
export function useTrack(): (event: AnalyticsEvent, properties?: EventProperties) => void {
  const bridge = useBridge();
  const session = useSessionStore();
  return useCallback(
    (event, properties) => withAnalytics(({ track }) => track({ bridge, session }, event, properties)),
    [bridge, session],
  );
}

/** Tracks an event once when a component is mounted. */
export function useTracked(event: AnalyticsEvent): void {
  const track = useTrack();
  const tracked = useRef<AnalyticsEvent>(undefined);
  useEffect(() => {
    if (tracked.current !== event) track(event);
    tracked.current = event;
  }, [track, event]);
}
