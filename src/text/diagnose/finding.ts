import type { Checklist, TextChange } from '../types.ts';

export type DiagnosticCode =
  | 'FOREIGN_BOX'
  | 'UNKNOWN_STATUS'
  | 'WRONG_SIGN'
  | 'UNRESOLVED_MENTION'
  | 'IMPOSSIBLE_DATE'
  | 'EMPTY_ITEM'
  | 'DUPLICATE_ITEM'
  | 'ORPHAN_DETAIL'
  | 'EMPTY_GATE'
  | 'UNKNOWN_GATE'
  | 'DUPLICATE_MARK'
  | 'LIMIT_REACHED'
  | 'NEARLY_FULL'
  | 'TOO_LARGE';

/** The fix of a finding: a change of the text, or a choice of a status or user. */
export type Fix =
  | { kind: 'change'; title: string; changes: TextChange[] }
  | { kind: 'createStatus'; title: string; name: string; checked: boolean }
  /** The range is to become a mention of a user found by this name. */
  | { kind: 'pickPerson'; title: string; name: string };

/** A finding without its line and column. */
export interface Finding {
  from: number;
  to: number;
  code: DiagnosticCode;
  message: string;
}

/** Computes the fixes of a finding in the checklist that it was found in. */
export type Fixes = (checklist: Checklist, finding: Pick<Finding, 'from' | 'to'>, options: FixOptions) => Fix[];

export interface FixOptions {
  /** Names of the statuses that the project's issues can have. */
  gateNames?: readonly string[] | undefined;
}

export type Report = (finding: Finding) => void;
