import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { fieldErrors } from '../../domain/fields.ts';
import { templates as messages } from '../../domain/messages.ts';
import type { RegistryStatus } from '../../domain/statuses.ts';
import { encodedSize } from '../../domain/storage.ts';
import { applyChanges, cleanText } from '../../text/document.ts';
import { relabel } from '../../text/edits/relabel.ts';
import { hasRows } from '../../text/edits/rows.ts';
import { untick } from '../../text/edits/untick.ts';
import { merge } from '../../text/merge.ts';
import { Refused } from '../errors/refused.ts';
import { itemCount, readText, registryBy } from '../text-workers/reading.ts';
import { comparison, textTask } from '../text-workers/task.ts';
import type { NewText } from './types.ts';

/*
 * Computations over the texts of templates, which run in worker threads if the texts are large.
 */

/** The property's JSON besides the text. */
const PROPERTY_OVERHEAD_CHARS = 500;

/** Throws `Refused` if a text exceeds an issue's property. */
export function requireSize(text: string, field = 'text'): void {
  const size = encodedSize(text);
  const most = PROPERTY_CAPACITY - PROPERTY_OVERHEAD_CHARS;
  if (size > most) throw new Refused('TOO_LARGE', messages.tooLarge(size, most), field);
}

/** A text in stored form. Throws `Refused` if it has no row, or exceeds an issue's property. */
export function templateText(typed: string): string {
  requireSize(typed);
  const { text } = cleanText(typed);
  if (hasRows(text)) return text;
  throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
}

/** A text and the statuses that it is read with. */
interface ReadWith {
  text: string;
  statuses: readonly RegistryStatus[];
}

const readingOf = ({ text, statuses }: ReadWith) => readText(text, registryBy(statuses));
const lengthOf = (texts: readonly { text: string }[]): number => texts.reduce((sum, { text }) => sum + text.length, 0);

/** Counts the items of texts. */
export const countedItems = textTask({
  name: 'count-items',
  run: (texts: readonly { text: string }[]) => texts.map(({ text }) => itemCount(text)),
  charactersOf: lengthOf,
});

/** Makes each item of a text one to do. */
export const untickedText = textTask({
  name: 'untick',
  run: (read: ReadWith) => applyChanges(read.text, untick(readingOf(read))),
  charactersOf: ({ text }) => text.length,
});

/** Says which texts have an item with a status. */
export const havingStatus = textTask({
  name: 'having-status',
  run: (texts: readonly (ReadWith & { slug: string })[]) =>
    texts.map(({ slug, ...read }) =>
      readingOf(read).rows.some(row => row.kind === 'checkbox' && row.status.slug === slug),
    ),
  charactersOf: lengthOf,
});

/** Writes the statuses of texts as they are called now, and those in `moves` as others (`relabel`). */
export const relabelledTexts = textTask({
  name: 'relabel',
  run: (texts: readonly (ReadWith & { moves: ReadonlyMap<string, string> })[]) =>
    texts.map(({ moves, ...read }) => applyChanges(read.text, relabel(readingOf(read), moves))),
  charactersOf: lengthOf,
});

interface Joining extends NewText {
  stored: string;
  statuses: readonly RegistryStatus[];
}

/** Joins a new text with concurrent changes. Throws `Refused` on a conflict, or if the text cannot be stored. */
function joined({ text, base, stored, statuses: entries }: Joining): { text: string; items: number } {
  const statuses = registryBy(entries);
  const read = (each: string, like?: string) => readText(each, statuses, like);
  const merged = () => {
    if (base === undefined) return text;
    const mergeResult = merge(cleanText(base).text, cleanText(text).text, stored, statuses, {}, read);
    if (mergeResult.conflicts.length > 0) throw new Refused('CHANGED_MEANWHILE', messages.sameLines, 'text');
    return mergeResult.text;
  };
  const result = templateText(merged());
  return { text: result, items: itemCount(result) };
}

/** Joins a template's new text with concurrent changes. */
export const joinedText = textTask({
  name: 'join-template',
  run: joined,
  charactersOf: ({ text, base, stored }) =>
    base === undefined
      ? text.length
      : text.length + base.length + stored.length + comparison(text, base) + comparison(stored, base),
});
