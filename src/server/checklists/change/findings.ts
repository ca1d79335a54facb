import { diagnose } from '../../../text/diagnose.ts';
import type { StatusRegistry } from '../../../text/statuses.ts';
import { readText } from '../../common/reading.ts';
import type { RefusedFinding } from '../../errors/refused.ts';

/** What was probably not meant so in a text, in its order. Sizes are the merge's to refuse. */
function findingsIn(text: string, statuses: StatusRegistry, like?: string): RefusedFinding[] {
  const checklist = readText(text, statuses, like);
  let row = -1;
  return diagnose(checklist).map(({ from, code, message, line, column }) => {
    while ((checklist.starts[row + 1] ?? Number.POSITIVE_INFINITY) <= from) row += 1;
    const at = checklist.rows[row];
    return { code, message, line, column, ...(at ? { row, text: at.text } : { row: null, text: null }) };
  });
}

/** The findings that a change adds: those of rows that had them before are left out. */
export function newFindings(before: string, after: string, statuses: StatusRegistry): RefusedFinding[] {
  const keyOf = ({ code, text }: RefusedFinding) => `${code} ${text}`;
  const known = new Map<string, number>();
  for (const finding of findingsIn(before, statuses)) {
    known.set(keyOf(finding), (known.get(keyOf(finding)) ?? 0) + 1);
  }
  return findingsIn(after, statuses, before).filter(finding => {
    const left = known.get(keyOf(finding)) ?? 0;
    known.set(keyOf(finding), left - 1);
    return left <= 0;
  });
}
