import { EditRefused } from '../errors.ts';
import type { Checklist, TextChange } from '../types.ts';
import { setStatus } from './item.ts';

/** Makes each item one to do; one whose text would then be read otherwise stays as it is. */
export function untick(checklist: Checklist): TextChange[] {
  return checklist.rows.flatMap((row, index) => {
    if (row.kind === 'header' || row.status.slug === 'todo') return [];
    try {
      return setStatus(checklist, { index, text: row.text }, 'todo');
    } catch (error) {
      if (error instanceof EditRefused) return [];
      throw error;
    }
  });
}
