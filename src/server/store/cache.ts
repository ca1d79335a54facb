import { LRUCache } from 'lru-cache';

export type Cache<Value extends {}> = LRUCache<string, Value>;

/**
 * A cache of at most `max` entries, which loses the least recently used one; with a `ttl` in milliseconds, each entry at
 * its end. It takes memory as it fills: the library's own `max` reserves all of it at once, which stops the process for
 * 70 ms at 100,000 entries.
 */
export const createCache = <Value extends {}>(max: number, ttl = 0): Cache<Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1, ttl });
