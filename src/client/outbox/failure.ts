import { HostUnreachable } from '../../bridge/bridge.ts';
import { unreachable } from '../../domain/messages.ts';
import { MutationRefused, ServerError } from '../errors.ts';

/**
 * How to treat a failure. `later`: not delivered, or temporarily impossible; `unknown`: retried a limited number of
 * times; `refused`: final.
 */
export type FailureKind = 'later' | 'unknown' | 'refused';

/** Temporary statuses: of proxies, of an expired session, and of throttling. */
const PASSING = [401, 403, 408, 425, 429, 502, 503, 504];
const BODY_TOO_LARGE = 413;

/** What the tracker refuses now it may accept on a retry. */
const kinds: Record<string, FailureKind> = { TRACKER_UNAVAILABLE: 'later', TRACKER_REFUSED: 'unknown' };

export function failureKind(error: unknown): FailureKind {
  if (error instanceof HostUnreachable) return 'later';
  if (error instanceof MutationRefused) return kinds[error.code] ?? 'refused';
  if (!(error instanceof ServerError)) return 'unknown';
  if (PASSING.includes(error.status)) return 'later';
  return error.status === BODY_TOO_LARGE ? 'refused' : 'unknown';
}

const SESSION = [401, 403];
const TOO_MANY = 429;

/** Why an entry waits for a retry, as a message for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof HostUnreachable) return error.message;
  if (error instanceof MutationRefused) return failureKind(error) === 'later' ? unreachable.tracker : error.message;
  if (error instanceof ServerError && SESSION.includes(error.status)) return unreachable.session;
  if (error instanceof ServerError && error.status === TOO_MANY) return unreachable.busy;
  return unreachable.server;
}
