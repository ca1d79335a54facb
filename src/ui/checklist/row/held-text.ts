import type { RefObject } from 'react';
import type { Row } from '../../../text/types.ts';
import { detailsOf } from './row-parts.tsx';

/** The part of a row that a field edits. */
export type TextPart = 'text' | 'details';

export const textOf = (row: Row, part: TextPart): string => (part === 'text' ? row.words : detailsOf(row));

/** The key of a field's draft: a row is found by its words. */
export const draftBase = (row: Row, part: TextPart): string =>
  part === 'text' ? row.words : `${row.words}\n${textOf(row, part)}`;

/** The row's plain field, which has the keys while its editor is loading. */
export const heldFieldOf = ({ current: row }: RefObject<HTMLElement | null>): HTMLTextAreaElement | null =>
  row?.querySelector<HTMLTextAreaElement>('.check-held') ?? null;

/** The words typed into `base`, to follow a text that has become another one meanwhile. */
export function additionTo(base: string, typed: string): string {
  let start = 0;
  while (start < base.length && base[start] === typed[start]) start += 1;
  let end = typed.length;
  for (let at = base.length; at > start && end > start && base[at - 1] === typed[end - 1]; at -= 1) end -= 1;
  return typed.slice(start, end);
}
