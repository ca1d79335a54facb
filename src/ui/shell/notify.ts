import { useCallback } from 'react';
import type { HostFlag } from '../../bridge/bridge.ts';
import { useBridge } from './services/services.ts';

export type Notify = (message: string, type?: NonNullable<HostFlag['type']>) => void;

/** Says something to the user with a flag on the tracker's page that closes by itself; a success unless told. */
export function useNotify(): Notify {
  const bridge = useBridge();
  return useCallback((title, type = 'success') => bridge.flag({ title, type }), [bridge]);
}
