import type { RegistryStatus } from '../../../domain/statuses.ts';
import { diagnose } from '../../../text/diagnose.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { RefusedFinding } from '../../errors/refused.ts';
import { readText, registryBy } from '../../text-workers/reading.ts';
import { textTask } from '../../text-workers/task.ts';

/** The texts of a checklist before and after a change. */
interface ChangedText {
  before: string;
  after: string;
  statuses: StatusRegistry;
}

/** All findings in a text, in its order. The merge checks the size. */
function findingsIn(text: string, statuses: StatusRegistry, like?: string): RefusedFinding[] {
  const checklist = readText(text, statuses, like);
  let row = -1;
  return diagnose(checklist).map(({ from, code, message, line, column }) => {
    while ((checklist.starts[row + 1] ?? Number.POSITIVE_INFINITY) <= from) row += 1;
    const at = checklist.rows[row];
    return { code, message, line, column, ...(at ? { row, text: at.text } : { row: null, text: null }) };
  });
}

/** The findings that a change adds. A finding is left out if its row had it before. */
export function newFindings({ before, after, statuses }: ChangedText): RefusedFinding[] {
  if (before === after) return [];
  const findings = findingsIn(after, statuses, before);
  if (findings.length === 0) return [];
  const keyOf = ({ code, text }: RefusedFinding) => `${code} ${text}`;
  const earlier = new Map<string, number>();
  for (const finding of findingsIn(before, statuses)) {
    earlier.set(keyOf(finding), (earlier.get(keyOf(finding)) ?? 0) + 1);
  }
  return findings.filter(finding => {
    const remaining = earlier.get(keyOf(finding)) ?? 0;
    earlier.set(keyOf(finding), remaining - 1);
    return remaining <= 0;
  });
}

type ChangedWith = Omit<ChangedText, 'statuses'> & { statuses: readonly RegistryStatus[] };

/** Computes the findings that a change adds (`newFindings`). */
export const addedFindings = textTask({
  name: 'new-findings',
  run: ({ statuses, ...texts }: ChangedWith) => newFindings({ ...texts, statuses: registryBy(statuses) }),
  charactersOf: ({ before, after }: ChangedWith) => (before === after ? 0 : before.length + after.length),
});
