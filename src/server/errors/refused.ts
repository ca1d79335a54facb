import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { FieldErrorCode } from '../../domain/fields.ts';
import { storage } from '../../domain/messages.ts';
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
  /** Milliseconds until a retry, if known. */
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

/** A text that exceeds the capacity of the checklist's property. */
export class TooLarge extends Refused {
  /** The property's size in UTF-16 units. */
  readonly size: number;

  constructor(size: number, field = 'text') {
    super('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), field);
    this.size = size;
  }
}

/** A refusal as plain data. */
export interface Refusal extends Pick<Refused, 'code' | 'message' | 'field' | 'retryAfter'> {
  findings?: readonly RefusedFinding[];
  /** The size of a text that is too large. */
  size?: number;
}

export const refusalOf = (refused: Refused): Refusal => ({
  ...{ code: refused.code, message: refused.message, field: refused.field, retryAfter: refused.retryAfter },
  ...(refused instanceof RefusedText && { findings: refused.findings }),
  ...(refused instanceof TooLarge && { size: refused.size }),
});

/** The error of a refusal, without its size. */
export const refusedBy = ({ code, message, field, retryAfter, findings }: Refusal): Refused =>
  findings ? new RefusedText(message, findings) : new Refused(code, message, field, retryAfter);
