import { useCallback, useEffect, useRef } from 'react';
import type { EventProperties } from '../../client/analytics.ts';
import type { AnalyticsEvent } from '../../domain/events.ts';
import { withAnalytics } from './analytics.ts';
import { useBridge, useSessionStore } from './services/services.ts';

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
