import type { FieldErrorCode } from '../../domain/fields.ts';
import type { EditRefusal } from '../../text/errors.ts';

export type RefusalCode =
  | FieldErrorCode
  | EditRefusal
  | 'BASE_UNKNOWN'
  | 'CHANGED_MEANWHILE'
  | 'TOO_LARGE'
  | 'BUSY'
  | 'LIMIT_REACHED'
  | 'ISSUE_REFUSED'
  | 'FORBIDDEN'
  | 'UNLICENSED'
  | 'NOT_FOUND'
  | 'BUILT_IN_STATUS'
  | 'UNREADABLE'
  | 'UNCONFIRMED'
  | 'TRACKER_UNAVAILABLE'
  | 'TRACKER_REFUSED'
  | 'UNKNOWN';

/** A request that is answered with a reason: the message is for people, the code for programs. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: RefusalCode;
  /** The input that is at fault, where one is. */
  readonly field: string | undefined;
  /** Milliseconds after which it may be asked for again, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: RefusalCode, message: string, field?: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }
}
