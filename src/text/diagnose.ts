import { Header, Item } from '../../grammar/parser.terms.ts';
import type { DiagnosticCode, Finding } from './diagnose/finding.ts';
import { type Capacity, tooLarge, tooManyItems } from './diagnose/limits.ts';
import { headerMarks } from './diagnose/marks.ts';
import { duplicates, emptyItem, orphanDetail } from './diagnose/rows.ts';
import { unknownStatuses, wrongSign } from './diagnose/status.ts';
import { diagnoseWords } from './diagnose/words.ts';
import type { Checklist, TextChange } from './types.ts';

export type { DiagnosticCode, Fix } from './diagnose/finding.ts';
export type { Capacity } from './diagnose/limits.ts';

/** A probable mistake in a text. Lines and columns count from 1, columns in UTF-16 units. */
export interface Diagnostic extends Finding {
  line: number;
  column: number;
  severity: 'error' | 'warning';
}

export interface DiagnoseOptions {
  /** What the text's store can hold; without it, the size is not looked at. */
  capacity?: Capacity;
  /** Most items that the edition allows. */
  itemLimit?: number;
  /** Names of the statuses that the project's issues can have; without them, those of gates are not looked at. */
  gateNames?: readonly string[] | undefined;
}

const errors: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>(['TOO_LARGE']);

/** All findings in a text, in its order. None keeps it from being read or stored, but an error, which is too large. */
export function diagnose(checklist: Checklist, options: DiagnoseOptions = {}): Diagnostic[] {
  const steps = diagnosing(checklist, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Rows between two pauses, few enough to take about a millisecond. */
const STEP = 100;

/** Generator variant of `diagnose` that yields regularly, so that a large text does not block the caller. */
export function* diagnosing(
  checklist: Checklist,
  { capacity, itemLimit, gateNames }: DiagnoseOptions = {},
): Generator<undefined, Diagnostic[]> {
  const found: Finding[] = [];
  const report = (finding: Finding) => found.push(finding);
  const duplicate = duplicates(checklist, report);
  const unknown = unknownStatuses(checklist, report);
  const marks = headerMarks(checklist, gateNames, report);
  const cursor = checklist.tree.cursor();
  let index = 0;
  if (cursor.firstChild()) {
    do {
      const row = checklist.rows[index];
      if (!row || (cursor.type.id !== Item && cursor.type.id !== Header)) continue;
      wrongSign(checklist, index, report);
      emptyItem(checklist, index, report);
      orphanDetail(checklist, index, report);
      duplicate(row, index);
      marks(index);
      diagnoseWords(cursor, checklist, index, report, unknown);
      index++;
      if (index % STEP === 0) yield;
    } while (cursor.nextSibling());
  }
  if (itemLimit !== undefined) tooManyItems(checklist, itemLimit, report);
  if (capacity) tooLarge(checklist, capacity, report);
  return placed(
    checklist.text,
    found.sort((a, b) => a.from - b.from),
  );
}

/** Findings, which are in the text's order, with their lines and columns. */
function placed(text: string, findings: readonly Finding[]): Diagnostic[] {
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

/**
 * The first fix of each finding as one list; a fix that overlaps an earlier one is left out. Other findings may remain
 * or appear: diagnose again.
 */
export function changesOf(diagnostics: readonly Diagnostic[]): TextChange[] {
  const offered = diagnostics.flatMap(({ fixes }) => {
    const fix = fixes.find(({ kind }) => kind === 'change');
    return fix?.kind === 'change' && fix.changes.length > 0 ? [fix.changes] : [];
  });
  const start = (changes: readonly TextChange[]) => changes[0]?.from ?? 0;
  const taken: TextChange[] = [];
  let reach = 0;
  for (const changes of offered.sort((a, b) => start(a) - start(b))) {
    if (start(changes) < reach) continue;
    taken.push(...changes);
    const last = changes.at(-1);
    reach = last?.to ?? last?.from ?? reach;
  }
  return taken;
}
