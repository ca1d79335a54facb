import { edition } from '../domain/edition.ts';
import type { HostBridge } from './bridge.ts';

const keyOf = (key: string) => `${edition.key}.preference.${key}`;

/** The browser's storage, per app on Forge; browsers may deny it to third-party frames. */
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
      // Kept in memory only.
    }
  },
};
