import { useCallback, useEffect, useRef } from 'react';
import type { EventProperties } from '../../client/analytics.ts';
import type { AnalyticsEvent } from '../../domain/events.ts';
import { useBridge } from './bridge.tsx';
import { useSessionStore } from './session.tsx';

/** Tells that somebody did something. What tells comes late: nobody waits for it, and nobody misses it. */
export function useTrack(): (event: AnalyticsEvent, properties?: EventProperties) => void {
  const bridge = useBridge();
  const session = useSessionStore();
  return useCallback(
    (event, properties) => {
      import('../../client/analytics.ts').then(
        ({ track }) => track({ bridge, session }, event, properties),
        () => undefined,
      );
    },
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
