import { applyChanges, cleanText, replaceText } from '../document.ts';
import { EditRefused } from '../errors.ts';
import { sections } from '../progress.ts';
import { readChecklist } from '../read.ts';
import { locate, rangeOf } from '../rows.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { insertRows } from './rows.ts';

/**
 * Adds a template's rows: at the end of the checklist, or of the section below that header. With `replace` they take the
 * place of what is there; the header stays. Throws `EditRefused` if the target is an item.
 */
export function applyTemplate(
  checklist: Checklist,
  template: string,
  { replace, header }: { replace: boolean; header?: Target },
): TextChange[] {
  const text = cleanText(template).text;
  if (!header) {
    return replace ? replaceText(checklist.text, text) : insertRows(checklist, checklist.rows.length, text);
  }
  const index = locate(checklist, header);
  const section = sections(checklist).find(found => found.header === index);
  if (!section) throw new EditRefused('NOT_A_HEADER', 'Only a header has a section.');
  if (!replace || section.end === index + 1) return insertRows(checklist, section.end, text);
  const removal = { from: rangeOf(checklist, index).to, to: rangeOf(checklist, section.end - 1).to };
  const emptied = readChecklist(applyChanges(checklist.text, [removal]), checklist.statuses);
  const filled = applyChanges(emptied.text, insertRows(emptied, index + 1, text));
  return replaceText(checklist.text, filled);
}
