import { replaceText } from '../document.ts';
import { ambiguousText, EditRefused } from '../errors.ts';
import { isMarked, marked, withMandatory, withStatus } from '../head.ts';
import { isWritable } from '../status-registry.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { type Item, type ItemParts, itemOf, type Parts, readsAs } from './parts.ts';
import { readLine } from './read-line.ts';

/** The change to another head and content, if they read as the item that was asked for; the language cannot say every one. */
export function rewrite(checklist: Checklist, parts: Parts, head: string, content: string, item: Item): TextChange[] {
  if (!readsAs(checklist, head + content, item)) throw ambiguousText();
  return replaceText(parts.head + parts.content, head + content, parts.from);
}

/** In an unmarked item a leading `! ` is text; the mark that it gets makes it the flag. */
function markedItem(checklist: Checklist, { row, head, content }: ItemParts): Item {
  const { status, mandatory, text } = row;
  const [read] = isMarked(head) ? [] : readLine(`- ${content}`, checklist.statuses).rows;
  const flagged = read?.kind === 'checkbox' && read.mandatory && !mandatory;
  return { status, mandatory: mandatory || flagged, text: flagged ? read.text : text };
}

/**
 * Gives an item the status of that slug, written in its usual form. Throws `EditRefused` on a header, for a slug that
 * the registry does not know or whose name no label can hold, and if the item's text begins like a status itself.
 */
export function setStatus(checklist: Checklist, target: Target, slug: string): TextChange[] {
  const parts = itemOf(checklist, target);
  const status = checklist.statuses.bySlug(slug);
  if (!status) throw new EditRefused('UNKNOWN_STATUS', 'This status does not exist.');
  if (!isWritable(checklist.statuses, status))
    throw new EditRefused(
      'UNWRITABLE_STATUS',
      'The name of this status cannot be written in a checklist, or another status has it too.',
    );
  if (!isMarked(parts.head) && status.slug === parts.row.status.slug) return [];
  const head = withStatus(marked(parts.head), parts.row.status, status);
  return rewrite(checklist, parts, head, parts.content, { ...markedItem(checklist, parts), status });
}

/** A tick: complete becomes to do, everything else done. */
export function toggleChecked(checklist: Checklist, target: Target): TextChange[] {
  return setStatus(checklist, target, itemOf(checklist, target).row.status.checked ? 'todo' : 'done');
}

/** Sets or removes the `!`. Throws `EditRefused` on a header, and if the text would then begin with another `!`. */
export function setMandatory(checklist: Checklist, target: Target, mandatory: boolean): TextChange[] {
  const parts = itemOf(checklist, target);
  if (parts.row.mandatory === mandatory) return [];
  const head = withMandatory(marked(parts.head), parts.row.mandatory, mandatory);
  return rewrite(checklist, parts, head, parts.content, { status: parts.row.status, mandatory, text: parts.row.text });
}
