import { useSyncExternalStore } from 'react';
import type { Store } from '../bridge/store.ts';

/** A value of the bridge; renders again when it changes. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
