import { HostUnreachable } from '../../bridge/bridge.ts';
import { unreachable } from '../../domain/messages.ts';
import { MutationRefused, ServerError } from '../errors.ts';

/**
 * What to do with an entry after a failure. `later`: it did not arrive, or could not be done for now; `unknown`: the
 * cause is not known, so it is tried some times; `refused`: it will not be done.
 */
export type FailureKind = 'later' | 'unknown' | 'refused';

/** Statuses of whoever stands in front of our server, of a session that has to be renewed, and of too much at once. */
const PASSING = [401, 403, 408, 425, 429, 502, 503, 504];
const BODY_TOO_LARGE = 413;

/** What the tracker does not take now it may take in a moment. */
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

/** Why something that will be sent again did not arrive, in words for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof HostUnreachable) return error.message;
  if (error instanceof MutationRefused) return failureKind(error) === 'later' ? unreachable.tracker : error.message;
  if (error instanceof ServerError && SESSION.includes(error.status)) return unreachable.session;
  if (error instanceof ServerError && error.status === TOO_MANY) return unreachable.busy;
  return unreachable.server;
}
