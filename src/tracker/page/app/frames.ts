import { useSyncExternalStore } from 'react';
import type { Framework } from '../../wire/modules.ts';
import { createStore } from '../bridge/store.ts';
import { useSite } from './site.ts';

const STORAGE_KEY = 'tracker.frames';

const chosen = createStore<Framework>(localStorage.getItem(STORAGE_KEY) === 'forge' ? 'forge' : 'connect');

export function chooseFrames(framework: Framework): void {
  localStorage.setItem(STORAGE_KEY, framework);
  chosen.update(() => framework);
}

/** The framework of the app's frames: the visitor's choice, at first Connect. */
export function useFramework(): Framework {
  const { forge } = useSite();
  const framework = useSyncExternalStore(chosen.subscribe, chosen.get);
  return forge ? framework : 'connect';
}
