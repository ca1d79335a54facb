import { Header, Item } from '../../grammar/parser.terms.ts';
import { foreignBox, foreignBoxFixes } from './diagnose/box.ts';
import type { DiagnosticCode, Finding, Fix, Fixes, FixOptions } from './diagnose/finding.ts';
import { type Capacity, tooLarge, tooManyItems } from './diagnose/limits.ts';
import { headerMarks, markFixes, unknownGateFixes } from './diagnose/marks.ts';
import { duplicates, emptyItem, orphanDetail, orphanDetailFixes } from './diagnose/rows.ts';
import { unknownStatusFixes, wrongSign, wrongSignFixes } from './diagnose/status.ts';
import { diagnoseWords, impossibleDateFixes, unresolvedMentionFixes } from './diagnose/words.ts';
import type { Checklist, TextChange } from './types.ts';

export type { DiagnosticCode, Fix, FixOptions } from './diagnose/finding.ts';
export type { Capacity } from './diagnose/limits.ts';

/** A probable mistake in a text. Lines and columns count from 1, columns in UTF-16 units. */
export interface Diagnostic extends Finding {
  line: number;
  column: number;
  severity: 'error' | 'warning';
}

export interface DiagnoseOptions extends FixOptions {
  /** The capacity of the text's store; without it, the size is not checked. */
  capacity?: Capacity;
  /** The maximum number of items that the edition allows. */
  itemLimit?: number;
}

const errors: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>(['TOO_LARGE']);

/**
 * All findings in a text, in its order. Gates are checked only if `gateNames` is given. Findings do not keep a text from
 * being read or stored, except for an error: a text that is too large.
 */
export function diagnose(checklist: Checklist, options: DiagnoseOptions = {}): Diagnostic[] {
  const steps = diagnosing(checklist, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Few enough to take about a millisecond. */
const ROWS_PER_SLICE = 100;

/** Generator variant of `diagnose` that yields regularly, so that a large text does not block the caller. */
export function* diagnosing(
  checklist: Checklist,
  { capacity, itemLimit, gateNames }: DiagnoseOptions = {},
): Generator<undefined, Diagnostic[]> {
  const findings: Finding[] = [];
  const report = (finding: Finding) => findings.push(finding);
  const duplicate = duplicates(checklist, report);
  const marks = headerMarks(checklist, gateNames, report);
  const cursor = checklist.tree.cursor();
  let index = 0;
  if (cursor.firstChild()) {
    do {
      const row = checklist.rows[index];
      if (!row || (cursor.type.id !== Item && cursor.type.id !== Header)) continue;
      foreignBox(checklist, index, report);
      wrongSign(checklist, index, report);
      emptyItem(checklist, index, report);
      orphanDetail(checklist, index, report);
      duplicate(row, index);
      marks(index);
      diagnoseWords(cursor, checklist, index, report);
      index++;
      if (index % ROWS_PER_SLICE === 0) yield;
    } while (cursor.nextSibling());
  }
  if (itemLimit !== undefined) tooManyItems(checklist, itemLimit, report);
  if (capacity) tooLarge(checklist, capacity, report);
  return placeFindings(
    checklist.text,
    findings.sort((a, b) => a.from - b.from),
  );
}

/** Findings, which are in the text's order, with their lines and columns. */
function placeFindings(text: string, findings: readonly Finding[]): Diagnostic[] {
  const lineEnd = /\r\n|\n|\r/g;
  let [line, start, next] = [1, 0, lineEnd.exec(text)];
  return findings.map(finding => {
    while (next && lineEnd.lastIndex <= finding.from) {
      [line, start] = [line + 1, lineEnd.lastIndex];
      next = lineEnd.exec(text);
    }
    const severity = errors.has(finding.code) ? 'error' : 'warning';
    return { ...finding, line, column: finding.from - start + 1, severity };
  });
}

const fixes: Partial<Record<DiagnosticCode, Fixes>> = {
  FOREIGN_BOX: foreignBoxFixes,
  UNKNOWN_STATUS: unknownStatusFixes,
  WRONG_SIGN: wrongSignFixes,
  UNRESOLVED_MENTION: unresolvedMentionFixes,
  IMPOSSIBLE_DATE: impossibleDateFixes,
  ORPHAN_DETAIL: orphanDetailFixes,
  EMPTY_GATE: markFixes,
  DUPLICATE_MARK: markFixes,
  UNKNOWN_GATE: unknownGateFixes,
};

/**
 * Computes the fixes of one finding in the checklist that it was found in. Costs much more than the finding: compute
 * only the fixes that are shown or applied.
 */
export const fixesOf = (checklist: Checklist, finding: Finding, options: FixOptions = {}): Fix[] =>
  fixes[finding.code]?.(checklist, finding, options) ?? [];

/**
 * The first change that each finding offers, as one list; a change that overlaps an earlier one is left out. Other
 * findings may remain or appear: diagnose again.
 */
export function changesOf(
  checklist: Checklist,
  diagnostics: readonly Diagnostic[],
  options: FixOptions = {},
): TextChange[] {
  const offered = diagnostics.flatMap(finding => {
    const fix = fixesOf(checklist, finding, options).find(({ kind }) => kind === 'change');
    return fix?.kind === 'change' && fix.changes.length > 0 ? [fix.changes] : [];
  });
  const start = (changes: readonly TextChange[]) => changes[0]?.from ?? 0;
  const acceptedChanges: TextChange[] = [];
  let reach = 0;
  for (const changes of offered.sort((a, b) => start(a) - start(b))) {
    if (start(changes) < reach) continue;
    acceptedChanges.push(...changes);
    const last = changes.at(-1);
    reach = last?.to ?? last?.from ?? reach;
  }
  return acceptedChanges;
}
