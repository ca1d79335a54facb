import { HostUnreachable } from '../../bridge/bridge.ts';
import { attempts, unreachable } from '../../domain/messages.ts';
import { isAnswer, MutationRefused, ServerError, TrackerError } from '../errors.ts';

/**
 * How to treat a failure. `later`: not delivered, or temporarily impossible; `unknown`: retried a limited number of
 * times; `refused`: final.
 */
export type FailureKind = 'later' | 'unknown' | 'refused';

/** Temporary statuses: of proxies, of an expired session, and of throttling. */
const PASSING = [401, 408, 425, 429, 502, 503, 504];
/** Final statuses: the same change is refused again. */
const FINAL = [400, 403, 413, 422];
const FORBIDDEN = 403;

/** What the tracker refuses now it may accept on a retry. */
const kinds: Record<string, FailureKind> = { TRACKER_UNAVAILABLE: 'later', TRACKER_REFUSED: 'unknown' };

export function failureKind(error: unknown): FailureKind {
  if (error instanceof HostUnreachable) return 'later';
  if (error instanceof MutationRefused) return kinds[error.code] ?? 'refused';
  if (error instanceof TrackerError) return isAnswer(error) ? 'unknown' : 'later';
  if (!(error instanceof ServerError)) return 'unknown';
  if (PASSING.includes(error.status)) return 'later';
  return FINAL.includes(error.status) ? 'refused' : 'unknown';
}

/** Whether what a failed read was to bring is read again without the user: the next answer may be another one. */
export const isReadAgain = (error: unknown): boolean =>
  failureKind(error) === 'later' || (error instanceof ServerError && !isAnswer(error));

/** Maximum attempts for an entry with unknown failures. */
export const TRIES = 6;

const SESSION = 401;
const TOO_MANY = 429;

/** Why an entry waits for a retry, as a message for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof HostUnreachable) return error.message;
  if (error instanceof TrackerError) return unreachable.tracker;
  if (error instanceof MutationRefused) return failureKind(error) === 'later' ? unreachable.tracker : error.message;
  if (error instanceof ServerError && error.status === SESSION) return attempts.session;
  if (error instanceof ServerError && error.status === TOO_MANY) return unreachable.busy;
  return error instanceof ServerError && failureKind(error) === 'unknown' ? unreachable.broken : unreachable.server;
}

/** What a final failure means for the user, and what to do; a refused mutation says that itself. */
export function adviceOf(error: unknown): string | undefined {
  if (error instanceof MutationRefused) return undefined;
  if (!(error instanceof ServerError) || failureKind(error) !== 'refused') return attempts.brokenFor(TRIES);
  return error.status === FORBIDDEN ? attempts.denied : attempts.rejected(error.status);
}
