import { replaceText } from '../document.ts';
import { ambiguousText } from '../errors.ts';
import { isMarked } from '../head.ts';
import { splitTail } from '../merge/units.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { itemOf, readsAs } from './parts.ts';

/**
 * Puts an issue's key at the end of an item's sentence, before the people and days at the line's end, or in place of the
 * sentence; the item keeps its assignee and due date. An item that names the issue already stays as it is. Throws
 * `EditRefused` on a header.
 */
export function addIssueKey(checklist: Checklist, target: Target, key: string, replaces = false): TextChange[] {
  const { row, from, head, content } = itemOf(checklist, target);
  if (row.issueKeys.includes(key)) return [];
  const { body } = splitTail(content);
  const tail = content.slice(body.length).trim();
  const words = (...parts: readonly string[]) => parts.filter(part => part !== '').join(' ');
  const person = row.assignee === undefined ? '' : `[~accountid:${row.assignee}]`;
  const day = row.dueDate ?? '';
  // The sentence may hold the assignee, the due date, or both.
  const contents = replaces
    ? [words(key, tail), words(key, person, tail), words(key, tail, day), words(key, person, day)]
    : [words(body, key, tail)];
  const spaced = isMarked(head) && !/[ \t\xa0]$/.test(head) ? `${head} ` : head;
  for (const text of contents) {
    for (const before of [spaced, `${head}- `]) {
      const parsedRow = readsAs(checklist, before + text, { ...row, text });
      if (parsedRow === undefined || parsedRow.assignee !== row.assignee || parsedRow.dueDate !== row.dueDate) continue;
      return replaceText(head + content, before + text, from);
    }
  }
  throw ambiguousText();
}
