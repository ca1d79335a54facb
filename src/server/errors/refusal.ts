import { failures, refusals, storage, unreachable } from '../../domain/messages.ts';
import { ChangedMeanwhile, type EditRefusal, EditRefused, ItemsRequired } from '../../text/errors.ts';
import { Refused } from './refused.ts';
import { TooManyRequests } from './request.ts';
import { TrackerRefused, TrackerUnavailable } from './tracker.ts';
import { Overloaded, StoreUnavailable } from './unavailable.ts';

/** The input that a refusal of an edit is about. */
const fields: Record<EditRefusal, string> = {
  NOT_AN_ITEM: 'target',
  NOT_A_HEADER: 'target',
  UNKNOWN_STATUS: 'status',
  UNWRITABLE_STATUS: 'status',
  INVALID_PERSON: 'assignee',
  INVALID_DAY: 'dueDate',
  INVALID_GATE: 'gates',
  NAME_REQUIRED: 'names',
  NOTHING_ABOVE: 'target',
  NO_DETAIL: 'target',
  UNFORMATTABLE: 'text',
  AMBIGUOUS_TEXT: 'text',
};

/** Turns an expected error into a refusal; returns any other unchanged. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof ChangedMeanwhile) return new Refused('CHANGED_MEANWHILE', error.message, 'target');
  if (error instanceof ItemsRequired) return new Refused('REQUIRED', error.message, 'text');
  if (error instanceof EditRefused) return new Refused(error.code, error.message, fields[error.code]);
  // The client stores the change and retries.
  if (error instanceof TrackerUnavailable) {
    const refused = new Refused('TRACKER_UNAVAILABLE', storage.trackerUnavailable, undefined, error.retryAfter);
    // A job says which kind it was.
    refused.cause = error;
    return refused;
  }
  if (error instanceof TrackerRefused && error.status === 404) return new Refused('NOT_FOUND', storage.issueNotFound);
  if (error instanceof TrackerRefused && error.status === 403) return new Refused('FORBIDDEN', refusals.permission);
  if (error instanceof TrackerRefused) return new Refused('TRACKER_REFUSED', storage.trackerRefused(error.status));
  return error;
}

/** Awaits work of a request. `failure` is the message for errors without their own. */
export type Refusing = <T>(work: Promise<T>, failure?: string) => Promise<T>;

/**
 * Turns expected errors into refusals, and unexpected ones into a refusal with the `failure` message. An unreachable
 * database, or an overloaded process, is not refused: the whole request is answered with 503, and clients send it again.
 */
export const createRefusing =
  (onError: (error: unknown) => void): Refusing =>
  async (work, failure) => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof TrackerUnavailable) throw new Refused('TRACKER_UNAVAILABLE', failure ?? unreachable.tracker);
      const refusal = asRefusal(error);
      // The whole request is answered so that it is repeated.
      const isAnswered = [Refused, TooManyRequests, StoreUnavailable, Overloaded].some(kind => refusal instanceof kind);
      if (isAnswered) throw refusal;
      onError(error);
      throw new Refused('UNKNOWN', failure ?? failures.unknown);
    }
  };
