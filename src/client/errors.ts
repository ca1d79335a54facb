import { failures } from '../domain/messages.ts';

/** The tracker refused a call. `text` is its answer, as it came. */
export class TrackerError extends Error {
  override readonly name = 'TrackerError';
  readonly status: number;
  readonly text: string;
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
    this.text = text;
  }
}

/** Our server refused a call as a whole: status 300 or above, or an answer that is none. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A mutation was understood and refused; the message is for people. `field` names what they typed. */
export class MutationRefused extends Error {
  override readonly name = 'MutationRefused';
  readonly code: string;
  readonly field: string | undefined;
  constructor(code: string, field: string | undefined, message: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/**
 * What to tell the user (spec §8): a refused mutation in its own words; any other failure by the operation's message,
 * else in its own words.
 */
export function failureMessage(error: unknown, operation?: string): string {
  const own = error instanceof Error ? error.message : '';
  if (error instanceof MutationRefused && own) return own;
  return operation || own || failures.unknown;
}

/** For queries: what the tracker or our server refused stays refused; what did not arrive is tried again twice. */
export const retryQuery = (failureCount: number, error: unknown): boolean =>
  failureCount < 2 && !((error instanceof TrackerError || error instanceof ServerError) && error.status < 500);
