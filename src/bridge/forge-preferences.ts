import { edition } from '../domain/edition.ts';
import type { HostBridge } from './bridge.ts';

const keyOf = (key: string) => `${edition.key}.preference.${key}`;

/** In the browser's storage, which Forge keeps for each app; browsers may refuse it to frames of other sites. */
export const preferences: HostBridge['preferences'] = {
  async get(key) {
    try {
      return localStorage.getItem(keyOf(key)) ?? undefined;
    } catch {
      return undefined;
    }
  },
  async set(key, value) {
    try {
      localStorage.setItem(keyOf(key), value);
    } catch {
      // It lasts as long as the page then.
    }
  },
};
