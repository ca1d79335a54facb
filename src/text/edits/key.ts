import { replaceText } from '../document.ts';
import { ambiguousText } from '../errors.ts';
import { isMarked } from '../head.ts';
import { splitTail } from '../merge/units.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { itemOf, readsAs } from './parts.ts';

/**
 * Puts an issue's key at the end of an item's sentence, before the people and days at the line's end. An item that names
 * the issue already stays as it is. Throws `EditRefused` on a header.
 */
export function addIssueKey(checklist: Checklist, target: Target, key: string): TextChange[] {
  const { row, from, head, content } = itemOf(checklist, target);
  if (row.issueKeys.includes(key)) return [];
  const { body } = splitTail(content);
  const rest = content.slice(body.length).trimStart();
  const text = [body, key, rest].filter(part => part !== '').join(' ');
  const fits = (before: string) => {
    const read = readsAs(checklist, before + text, { ...row, text });
    return read !== undefined && read.assignee === row.assignee && read.dueDate === row.dueDate;
  };
  const spaced = isMarked(head) && !/[ \t]$/.test(head) ? `${head} ` : head;
  const before = [spaced, `${head}- `].find(fits);
  if (before === undefined) throw ambiguousText();
  return replaceText(head + content, before + text, from);
}
