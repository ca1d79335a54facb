import { edition } from '../../../domain/edition.ts';
import { fieldErrors, shortFieldErrors } from '../../../domain/fields.ts';
import { limitReached } from '../../../domain/messages.ts';
import { ItemsRequired } from '../../../text/errors.ts';
import { normaliseItems } from '../../../text/normalise.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Row } from '../../../text/types.ts';

/** How many more items the edition holds; negative for a checklist that came over the limit otherwise. */
export const itemsLeft = (rows: readonly Row[]): number => edition.limits.itemsPerChecklist - progressOf(rows).total;

/** Why nothing can be added to these rows any more. */
export const limitRefusal = (rows: readonly Row[]): string | undefined =>
  itemsLeft(rows) <= 0 ? limitReached.items : undefined;

/** Why this text cannot be added to these rows, as far as that is known without the server. */
export function refusalOf(text: string, rows: readonly Row[]): string | undefined {
  try {
    const added = progressOf(readChecklist(normaliseItems(text)).rows).total;
    return added > 0 && added > itemsLeft(rows) ? limitReached.items : undefined;
  } catch (error) {
    if (error instanceof ItemsRequired) return shortFieldErrors.REQUIRED ?? fieldErrors.REQUIRED;
    throw error;
  }
}
