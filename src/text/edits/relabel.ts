import { EditRefused } from '../errors.ts';
import { isBuiltIn } from '../head.ts';
import { finish, type Sliced } from '../sliced.ts';
import type { Checklist, TextChange } from '../types.ts';
import { setStatus } from './item.ts';

/**
 * Writes custom statuses as they are called now, with the sign of their flag; items of a status that is going get the
 * one that `moves` names for its slug. An item that would then be read otherwise stays as it is.
 */
export function* relabelling(checklist: Checklist, moves: ReadonlyMap<string, string>): Sliced<TextChange[]> {
  const changes: TextChange[] = [];
  for (const [index, row] of checklist.rows.entries()) {
    if (row.kind === 'header' || isBuiltIn(row.status)) continue;
    const { slug } = row.status;
    try {
      changes.push(...setStatus(checklist, { index, text: row.text }, moves.get(slug) ?? slug));
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
    }
    yield;
  }
  return changes;
}

/** The same without a break. */
export const relabel = (...given: Parameters<typeof relabelling>): TextChange[] => finish(relabelling(...given));
