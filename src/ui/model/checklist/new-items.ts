import { edition } from '../../../domain/edition.ts';
import { typingError } from '../../../domain/fields.ts';
import { limitReached } from '../../../domain/messages.ts';
import type { PastedItems } from '../../../text/convert/clip.ts';
import { normaliseItems } from '../../../text/edits/normalise.ts';
import { ItemsRequired } from '../../../text/errors.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import { rangeOf, sourceOf } from '../../../text/rows.ts';
import type { Row } from '../../../text/types.ts';

/** The number of items left up to the edition's limit; negative if a checklist exceeds it. */
export const itemsLeft = (rows: readonly Row[]): number => edition.limits.itemsPerChecklist - progressOf(rows).total;

/** The message if the limit is reached, else `undefined`. */
export const limitRefusal = (rows: readonly Row[]): string | undefined =>
  itemsLeft(rows) <= 0 ? limitReached.items : undefined;

const itemsIn = (text: string): number => progressOf(readChecklist(normaliseItems(text)).rows).total;

/** The message if the text cannot be added, in place of items that are among the rows; the server may still refuse it. */
export function refusalOf(text: string, rows: readonly Row[], replaced?: string): string | undefined {
  try {
    const added = itemsIn(text);
    const room = itemsLeft(rows) + (replaced === undefined ? 0 : itemsIn(replaced));
    return added > 0 && added > room ? limitReached.items : undefined;
  } catch (error) {
    if (error instanceof ItemsRequired) return typingError('REQUIRED');
    throw error;
  }
}

/** The lines that are pasted; a single one without the line break that many programs append. */
export const linesOf = (pasted: string): string[] => pasted.trim().split(/[\r\n]+/);

/** Converts pasted text or HTML to checklist text. The converter is lazy; if it fails to load, the text stays as it is. */
export async function pastedText(plain: string, html: string): Promise<PastedItems> {
  try {
    const { pastedItems } = await import('../../../text/convert/clip.ts');
    return await pastedItems({ text: plain, html });
  } catch {
    return { text: plain, report: '' };
  }
}

/**
 * Splits pasted items into text for an open field and items for below it: the first one's text, where it is nothing but
 * text and others follow.
 */
export function splitFirst(items: string): { words: string; items: string } {
  const checklist = readChecklist(items);
  const [first, ...others] = checklist.rows;
  if (!first || others.length === 0 || sourceOf(checklist, 0).trimEnd() !== `- ${first.text}`)
    return { words: '', items };
  return { words: first.text, items: items.slice(rangeOf(checklist, 1).from) };
}
