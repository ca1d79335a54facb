import type { RefusalCode } from './checklists/types.ts';

/** A request that is answered with a reason: the message is for people, the code for programs. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: RefusalCode;
  /** The input that is at fault, where one is. */
  readonly field: string | undefined;

  constructor(code: RefusalCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
