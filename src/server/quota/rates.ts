import { type Cache, createCache } from '../store/cache.ts';
import { shortHash } from '../text-workers/hash.ts';
import { createExchange, type Exchange } from './exchange.ts';

/** Whose requests are counted together. */
export interface Subject {
  /** Empty for subjects of no tenant. */
  tenant: string;
  key: string;
}

/** Requests of a subject in a minute since the epoch; the subject's key is a hash. */
export interface MinuteCount extends Subject {
  minute: number;
  count: number;
}

/** What is left of a minute's requests. */
export interface Counted {
  max: number;
  remaining: number;
  /** Seconds until the minute ends. */
  reset: number;
  isExceeded: boolean;
}

export interface RatesOptions {
  /** Adds counts to those of all processes, and resolves with the sums. */
  exchange?(counts: readonly MinuteCount[]): Promise<readonly MinuteCount[]>;
  /** Receives errors of an exchange; its counts are kept for the next one. */
  onError?(error: unknown): void;
  now?(): number;
}

/**
 * Requests by subject and minute, of all processes. A process decides by what it knows, without waiting: each second it
 * exchanges the counts of subjects that have used an eighth of their limit here. N processes together permit at most
 * 1 + N/8 times a limit, and what arrives within that second.
 */
export interface Rates extends Exchange {
  /** Counts a request, which weighs as many as `weight`. */
  count(subject: Subject, max: number, weight?: number): Counted;
  /** The same without counting one. */
  look(subject: Subject, max: number): Counted;
}

const MINUTE = 60_000;
/** The maximum number of subjects of a minute; the least recently seen ones are forgotten. */
const MAX_SUBJECTS = 100_000;
/** The part of a limit from which on a subject's counts are exchanged. */
const SHARED_FROM = 1 / 8;

/** A subject's requests: of this process since the last exchange, and of all processes until then. */
interface Entry extends Subject {
  own: number;
  known: number;
  isShared: boolean;
}

export function createRates({ exchange, onError = () => {}, now = Date.now }: RatesOptions = {}): Rates {
  let [minute, entries] = [0, createCache<Entry>(MAX_SUBJECTS)];

  /** The entries of this minute. */
  function current(): Cache<Entry> {
    const time = Math.floor(now() / MINUTE);
    if (time !== minute) [minute, entries] = [time, createCache<Entry>(MAX_SUBJECTS)];
    return entries;
  }

  const keyOf = ({ tenant, key }: Subject) => `${tenant} ${key}`;

  function resultOf(used: number, max: number): Counted {
    const reset = Math.max(1, Math.ceil(((minute + 1) * MINUTE - now()) / 1000));
    return { max, remaining: Math.max(0, max - used), reset, isExceeded: used > max };
  }

  async function exchangeOnce(): Promise<void> {
    if (!exchange) return;
    const [of, all] = [minute, current()];
    const given = [...all.values()].filter(({ own, isShared }) => own > 0 && isShared);
    if (given.length === 0) return;
    const sent = given.map(entry => ({ entry, tenant: entry.tenant, key: shortHash(entry.key), own: entry.own }));
    const byHash = new Map(sent.map(one => [keyOf(one), one]));
    const counts = [...byHash.values()].map(({ tenant, key, own }) => ({ tenant, key, count: own, minute: of }));
    try {
      for (const sum of await exchange(counts)) {
        const found = byHash.get(keyOf(sum));
        if (!found) continue;
        found.entry.own -= found.own;
        found.entry.known = sum.count;
      }
    } catch (error) {
      onError(error);
    }
  }

  return {
    count(subject, max, weight = 1) {
      const all = current();
      const id = keyOf(subject);
      const entry = all.get(id) ?? { ...subject, own: 0, known: 0, isShared: false };
      entry.own += weight;
      const used = entry.own + entry.known;
      entry.isShared ||= used >= max * SHARED_FROM;
      all.set(id, entry);
      return resultOf(used, max);
    },
    look(subject, max) {
      const { own, known } = current().get(keyOf(subject)) ?? { own: 0, known: 0 };
      return resultOf(own + known, max);
    },
    ...createExchange(exchangeOnce),
  };
}
