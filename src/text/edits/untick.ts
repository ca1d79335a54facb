import { EditRefused } from '../errors.ts';
import type { CheckboxRow, Checklist, TextChange } from '../types.ts';
import { setStatus } from './item.ts';

/** Gives rows the status that `slugOf` names. A row whose text would then read as something else stays as it is. */
export function setStatusOfRows(checklist: Checklist, slugOf: (row: CheckboxRow) => string | undefined): TextChange[] {
  const changes: TextChange[] = [];
  for (const [index, row] of checklist.rows.entries()) {
    const slug = row.kind === 'checkbox' ? slugOf(row) : undefined;
    if (slug === undefined) continue;
    try {
      const target = { index, text: row.text };
      changes.push(...setStatus(checklist, target, slug));
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
    }
  }
  return changes;
}

/** Makes each item one to do. */
export const untick = (checklist: Checklist): TextChange[] =>
  setStatusOfRows(checklist, ({ status }) => (status.slug === 'todo' ? undefined : 'todo'));
