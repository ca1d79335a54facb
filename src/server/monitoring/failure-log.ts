import type { Logger } from 'pino';
import { isTransient, StoreUnavailable } from '../errors/unavailable.ts';

/**
 * Logs that the database fails: one line for each cause, again once a minute while it lasts, and one when it works again.
 * Every request and job meets the same failure, which would be a line with a stack for each.
 */
export interface FailureLog {
  /** Notes an error. Returns whether it is a failure of the database; others are the caller's to log. */
  failed(error: unknown): boolean;
  /** Notes a statement that worked. */
  worked(): void;
}

/** Lines with the same cause are written at most once in this time. */
const REPEAT_INTERVAL_MS = 60_000;
/** The database counts as working after this time without a failure. */
const RECOVERED_AFTER_MS = 30_000;

interface Cause {
  /** Time of its last line in milliseconds. */
  said: number;
  /** Failures since then. */
  times: number;
}

/** The database's own error, and its code. */
function causeOf(error: unknown): { code: string | undefined; reason: string } | undefined {
  if (!(error instanceof StoreUnavailable) && !isTransient(error)) return undefined;
  const from = error instanceof StoreUnavailable && error.cause instanceof Error ? error.cause : error;
  const { message: reason } = from as Error;
  return { code: from instanceof Error && 'code' in from ? String(from.code) : undefined, reason };
}

export function createFailureLog(log: Pick<Logger, 'error' | 'info'>, now: () => number = Date.now): FailureLog {
  const causes = new Map<string, Cause>();
  /** An error passes several places, and is noted by each. */
  const noted = new WeakSet<object>();
  let begun: number | undefined;
  let [last, failures] = [0, 0];

  return {
    failed(error) {
      const cause = causeOf(error);
      if (!cause) return false;
      if (noted.has(error as object)) return true;
      noted.add(error as object);
      last = now();
      begun ??= last;
      failures += 1;
      const key = cause.code ?? cause.reason;
      const before = causes.get(key);
      if (before && last - before.said < REPEAT_INTERVAL_MS) before.times += 1;
      else {
        causes.set(key, { said: last, times: 0 });
        log.error({ ...cause, ...(before && { times: before.times + 1 }) }, 'the database fails');
      }
      return true;
    },
    worked() {
      if (begun === undefined || now() - last < RECOVERED_AFTER_MS) return;
      log.info({ seconds: Math.round((last - begun) / 1000), failures }, 'the database works again');
      [begun, failures] = [undefined, 0];
      causes.clear();
    },
  };
}
