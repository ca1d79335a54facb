import { useEffect, useSyncExternalStore } from 'react';
import { useServices } from '../services/services.ts';
import type { Navigation } from './navigation.ts';

const useNavigation = (): Navigation => useServices().navigation;

/** The path of the screen to show. */
export function usePath(): string {
  const { subscribe, path } = useNavigation();
  return useSyncExternalStore(subscribe, path);
}

/** Goes to another screen of ours; asks first when there are unsaved edits. */
export const useGo = (): Navigation['go'] => useNavigation().go;

/** While `dirty`, leaving warns: the tracker's page on unload, our own screens by a question. */
export function useUnsaved(dirty: boolean): void {
  const { hold } = useNavigation();
  useEffect(() => (dirty ? hold() : undefined), [dirty, hold]);
}

/** The question whether to leave, while there is one. */
export function useLeaveDialog(): { asking: boolean; decide: Navigation['decide'] } {
  const { subscribe, asking, decide } = useNavigation();
  return { asking: useSyncExternalStore(subscribe, asking), decide };
}
