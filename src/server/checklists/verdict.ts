import { progressOf, sections } from '../../text/progress.ts';
import type { Row } from '../../text/types.ts';
import { hashText } from '../hash.ts';

const isDone = ({ total, checked }: { total: number; checked: number }) => total > 0 && checked === total;

/**
 * What workflow rules read from a checklist: whether all items are done, all mandatory ones, and which sections. Where two
 * checklists have the same verdict no rule tells them apart.
 */
export function verdictOf(rows: readonly Row[]): string {
  const progress = progressOf(rows);
  const done = sections({ rows }).flatMap(({ header, progress }) =>
    isDone(progress) ? (rows[header]?.text ?? '') : [],
  );
  return hashText(JSON.stringify([isDone(progress), progress.mandatoryOpen === 0, done]));
}
