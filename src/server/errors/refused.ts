import type { FieldErrorCode } from '../../domain/fields.ts';
import type { EditRefusal } from '../../text/errors.ts';

export type RefusalCode =
  | FieldErrorCode
  | EditRefusal
  | 'BASE_REQUIRED'
  | 'BASE_UNKNOWN'
  | 'CHANGED_MEANWHILE'
  | 'DIAGNOSTICS'
  | 'KEY_REUSED'
  | 'REVISION_CHANGED'
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

/** A refused request: the message is for users, the code for programs. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: RefusalCode;
  /** The invalid input, if any. */
  readonly field: string | undefined;
  /** Milliseconds until a retry, where known. */
  readonly retryAfter: number | undefined;

  constructor(code: RefusalCode, message: string, field?: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }
}

/** A finding in a text (`text/diagnose.ts`) with its row. */
export interface RefusedFinding {
  code: string;
  message: string;
  row: number | null;
  text: string | null;
  line: number;
  column: number;
}

/** A change that brings findings, which its author did not accept. */
export class RefusedText extends Refused {
  readonly findings: readonly RefusedFinding[];

  constructor(message: string, findings: readonly RefusedFinding[]) {
    super('DIAGNOSTICS', message, 'change');
    this.findings = findings;
  }
}
