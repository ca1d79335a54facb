import { diagnosing } from '../../../text/diagnose.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { readingText } from '../../common/reading.ts';
import type { RefusedFinding } from '../../errors/refused.ts';

/** The texts of a checklist before and after a change. */
export interface ChangedText {
  before: string;
  after: string;
  statuses: StatusRegistry;
}

/** All findings in a text, in its order. The merge checks the size. */
function* findingsIn(text: string, statuses: StatusRegistry, like?: string): Sliced<RefusedFinding[]> {
  const checklist = yield* readingText(text, statuses, like);
  let row = -1;
  return (yield* diagnosing(checklist)).map(({ from, code, message, line, column }) => {
    while ((checklist.starts[row + 1] ?? Number.POSITIVE_INFINITY) <= from) row += 1;
    const at = checklist.rows[row];
    return { code, message, line, column, ...(at ? { row, text: at.text } : { row: null, text: null }) };
  });
}

/** The findings that a change adds: those of rows that had the finding before are left out. */
export function* newFindings({ before, after, statuses }: ChangedText): Sliced<RefusedFinding[]> {
  if (before === after) return [];
  const findings = yield* findingsIn(after, statuses, before);
  if (findings.length === 0) return [];
  const keyOf = ({ code, text }: RefusedFinding) => `${code} ${text}`;
  const earlier = new Map<string, number>();
  for (const finding of yield* findingsIn(before, statuses)) {
    earlier.set(keyOf(finding), (earlier.get(keyOf(finding)) ?? 0) + 1);
  }
  return findings.filter(finding => {
    const remaining = earlier.get(keyOf(finding)) ?? 0;
    earlier.set(keyOf(finding), remaining - 1);
    return remaining <= 0;
  });
}
