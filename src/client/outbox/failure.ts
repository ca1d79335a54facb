import { HostUnreachable } from '../../bridge/bridge.ts';
import { attempts, unreachable } from '../../domain/messages.ts';
import { isAnswer, MutationRefused, ServerError, TrackerError } from '../errors.ts';

/**
 * How to treat a failure. `later`: not delivered, or temporarily impossible; `unknown`: retried a limited number of
 * times; `refused`: final.
 */
export type FailureKind = 'later' | 'unknown' | 'refused';

/** Temporary statuses: of proxies, of an expired session, and of throttling. */
const TRANSIENT_STATUSES = [401, 408, 425, 429, 502, 503, 504];
/** Final statuses: the same change is refused again. */
const FINAL_STATUSES = [400, 403, 413, 422];
const FORBIDDEN_STATUS = 403;

/** A change that the tracker refuses now may be accepted on a retry. */
const kinds: Record<string, FailureKind> = { TRACKER_UNAVAILABLE: 'later', TRACKER_REFUSED: 'unknown' };

export function failureKind(error: unknown): FailureKind {
  if (error instanceof HostUnreachable) return 'later';
  if (error instanceof MutationRefused) return kinds[error.code] ?? 'refused';
  if (error instanceof TrackerError) return isAnswer(error) ? 'unknown' : 'later';
  if (!(error instanceof ServerError)) return 'unknown';
  if (TRANSIENT_STATUSES.includes(error.status)) return 'later';
  return FINAL_STATUSES.includes(error.status) ? 'refused' : 'unknown';
}

/** Whether a failed read is retried without the user, since the next answer may differ. */
export const isReadRetried = (error: unknown): boolean =>
  failureKind(error) === 'later' || (error instanceof ServerError && !isAnswer(error));

/** An entry with unknown failures fails finally after this many attempts. */
export const MAX_TRIES = 6;

const UNAUTHENTICATED_STATUS = 401;
const TOO_MANY_STATUS = 429;

/** Why an entry waits for a retry, as a message for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof HostUnreachable) return error.message;
  if (error instanceof TrackerError) return unreachable.tracker;
  if (error instanceof MutationRefused) return failureKind(error) === 'later' ? unreachable.tracker : error.message;
  if (error instanceof ServerError && error.status === UNAUTHENTICATED_STATUS) return attempts.session;
  if (error instanceof ServerError && error.status === TOO_MANY_STATUS) return unreachable.busy;
  return error instanceof ServerError && failureKind(error) === 'unknown' ? unreachable.broken : unreachable.server;
}

/** The consequence of a final failure for the user, and how to go on; a refused mutation has its own message. */
export function adviceOf(error: unknown): string | undefined {
  if (error instanceof MutationRefused) return undefined;
  if (!(error instanceof ServerError) || failureKind(error) !== 'refused') return attempts.brokenFor(MAX_TRIES);
  return error.status === FORBIDDEN_STATUS ? attempts.denied : attempts.rejected(error.status);
}
