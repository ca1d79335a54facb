import { failures } from '../domain/messages.ts';

/** The tracker refused a call. `text` is the answer's body. */
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

/** Our server refused a call: status 300 or above, or an invalid answer. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A mutation was refused with a message for the user. `field` names the input. */
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
 * The message for the user: of the refused mutation; of any other failure, that of the operation, else the
 * error's own.
 */
export function failureMessage(error: unknown, operation?: string): string {
  const ownMessage = error instanceof Error ? error.message : '';
  if (error instanceof MutationRefused && ownMessage) return ownMessage;
  return operation || ownMessage || failures.unknown;
}

/** Whether an error is an answer, which a repetition would not change: not a server's failure, throttling or silence. */
export const isAnswer = (error: unknown): boolean =>
  (error instanceof TrackerError || error instanceof ServerError) && error.status < 500 && error.status !== 429;

/** For `catch`: returns undefined for an answer, throws any other failure. */
export const ignoreAnswer = (error: unknown): undefined => {
  if (!isAnswer(error)) throw error;
};

/** For queries: answers are final; other failures are retried twice. */
export const retryQuery = (failureCount: number, error: unknown): boolean => failureCount < 2 && !isAnswer(error);
