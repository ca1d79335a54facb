import { failures, refusals, storage, unreachable } from '../../domain/messages.ts';
import { ChangedMeanwhile, type EditRefusal, EditRefused, ItemsRequired } from '../../text/errors.ts';
import { Refused } from './refused.ts';
import { TrackerRefused, TrackerUnavailable } from './tracker.ts';

/** Which input an edit is refused for. */
const fields: Record<EditRefusal, string> = {
  NOT_AN_ITEM: 'target',
  NOT_A_HEADER: 'target',
  UNKNOWN_STATUS: 'status',
  UNWRITABLE_STATUS: 'status',
  INVALID_PERSON: 'assignee',
  INVALID_DAY: 'dueDate',
  NAME_REQUIRED: 'names',
  NOTHING_ABOVE: 'target',
  NO_DETAIL: 'target',
  UNFORMATTABLE: 'text',
  AMBIGUOUS_TEXT: 'text',
};

/** What an expected failure means to the person who asked; any other error comes back as it is. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof ChangedMeanwhile) return new Refused('CHANGED_MEANWHILE', error.message, 'target');
  if (error instanceof ItemsRequired) return new Refused('REQUIRED', error.message, 'text');
  if (error instanceof EditRefused) return new Refused(error.code, error.message, fields[error.code]);
  // Nothing is lost: the client keeps the change and sends it again.
  if (error instanceof TrackerUnavailable) {
    return new Refused('TRACKER_UNAVAILABLE', storage.trackerUnavailable, undefined, error.retryAfter);
  }
  if (error instanceof TrackerRefused && error.status === 404) return new Refused('NOT_FOUND', storage.issueNotFound);
  if (error instanceof TrackerRefused && error.status === 403) return new Refused('FORBIDDEN', refusals.permission);
  if (error instanceof TrackerRefused) return new Refused('TRACKER_REFUSED', storage.trackerRefused(error.status));
  return error;
}

/** Runs it for somebody who waits: `failure` are the words for what did not work and has none of its own. */
export type Refusing = <T>(work: Promise<T>, failure?: string) => Promise<T>;

/** KeyedMutex what was to be expected into refusals, and what was not into one with the words for it. */
export const createRefusing =
  (onError: (error: unknown) => void): Refusing =>
  async (work, failure) => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof TrackerUnavailable) throw new Refused('TRACKER_UNAVAILABLE', failure ?? unreachable.tracker);
      const refusal = asRefusal(error);
      if (refusal instanceof Refused) throw refusal;
      onError(error);
      throw new Refused('UNKNOWN', failure ?? failures.unknown);
    }
  };
