import { EditRefused } from '../errors.ts';
import { finish, type Sliced } from '../sliced.ts';
import type { CheckboxRow, Checklist, TextChange } from '../types.ts';
import { inParts } from './in-parts.ts';
import { setStatus } from './item.ts';

/** Gives rows another status, where `slugOf` names one; one whose text would then be read otherwise stays as it is. */
export function* restating(
  checklist: Checklist,
  slugOf: (row: CheckboxRow) => string | undefined,
): Sliced<TextChange[]> {
  const changes: TextChange[] = [];
  for (const [index, row] of checklist.rows.entries()) {
    const slug = row.kind === 'checkbox' ? slugOf(row) : undefined;
    if (slug === undefined) continue;
    yield;
    try {
      const target = { index, text: row.text };
      changes.push(...(yield* inParts(checklist.statuses, new Map(), () => setStatus(checklist, target, slug))));
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
    }
  }
  return changes;
}

/** Makes each item one to do, in parts. */
export const unticking = (checklist: Checklist): Sliced<TextChange[]> =>
  restating(checklist, ({ status }) => (status.slug === 'todo' ? undefined : 'todo'));

/** The same without a break. */
export const untick = (checklist: Checklist): TextChange[] => finish(unticking(checklist));
