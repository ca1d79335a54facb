import { EditRefused } from '../errors.ts';
import { isBuiltIn } from '../head.ts';
import type { Checklist, TextChange } from '../types.ts';
import { setStatus } from './item.ts';

/**
 * Writes custom statuses as they are called now, with the sign of their flag; items of a status that is going get the
 * one that `moves` names for its slug. An item that would then be read otherwise stays as it is.
 */
export function relabel(checklist: Checklist, moves: ReadonlyMap<string, string>): TextChange[] {
  return checklist.rows.flatMap((row, index) => {
    if (row.kind === 'header' || isBuiltIn(row.status)) return [];
    const { slug } = row.status;
    try {
      return setStatus(checklist, { index, text: row.text }, moves.get(slug) ?? slug);
    } catch (error) {
      if (error instanceof EditRefused) return [];
      throw error;
    }
  });
}
