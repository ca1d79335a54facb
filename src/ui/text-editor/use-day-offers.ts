import { useCallback, useEffect, useRef } from 'react';
import { useFeature } from '../shell/session-gate.tsx';

/**
 * Whether days in words are offered as due dates, as an editor asks it at each change: its extensions are made once, and
 * the flag may change later.
 */
export function useDayOffers(): () => boolean {
  const offersDays = useFeature('dayOffers');
  const latest = useRef(offersDays);
  useEffect(() => {
    latest.current = offersDays;
  });
  return useCallback(() => latest.current, []);
}
