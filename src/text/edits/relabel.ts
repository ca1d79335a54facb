import { isBuiltIn } from '../head.ts';
import type { Checklist, TextChange } from '../types.ts';
import { setStatusOfRows } from './untick.ts';

/**
 * Writes custom statuses as they are called now, with the sign of their flag; items of a status that is going get the
 * one that `moves` names for its slug. An item that would then be read otherwise stays as it is.
 */
export const relabel = (checklist: Checklist, moves: ReadonlyMap<string, string>): TextChange[] =>
  setStatusOfRows(checklist, ({ status }) => (isBuiltIn(status) ? undefined : (moves.get(status.slug) ?? status.slug)));
