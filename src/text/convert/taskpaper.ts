import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, detail, header, item } from './blocks.ts';
import { boxedItem } from './head.ts';
import { readingLines } from './lines.ts';

/** A tag at a word's start, with or without a value: `@done`, `@due(2026-11-20)`. */
const tag = /(?<![^ \t\xa0])@([\w.-]+)(?:\(([^()\n]*)\))?(?![^ \t\xa0])/g;

const statusOf = new Map<string, BuiltInSlug>([
  ['done', 'done'],
  ['cancelled', 'skipped'],
  ['canceled', 'skipped'],
  ['doing', 'in_progress'],
]);

/** TaskPaper: `Project:`, `- task @done`, and notes, indented by tabs. A due day goes to the end of the line. */
export function readingTaskpaper(text: string): Sliced<Draft> {
  let itemIndent = -1;
  return readingLines(text, ({ text: line, number, indent }, draft) => {
    let status: BuiltInSlug = 'todo';
    let due = '';
    const words = line
      .replace(tag, (found, name: string, value: string | undefined) => {
        const key = name.toLowerCase();
        const knownStatus = statusOf.get(key);
        if (knownStatus) status = knownStatus;
        const day = key === 'due' ? /^\d{4}-\d\d-\d\d/.exec(value ?? '')?.[0] : undefined;
        if (day) due = ` ${day}`;
        if ((knownStatus && value === undefined) || (day && day === value)) return '';
        draft.lose(losses.tag, number, found);
        return '';
      })
      .trim();
    if (/^-(?:[ \t\xa0]|$)/.test(line)) {
      if (itemIndent >= 0 && indent > itemIndent) draft.nest(number, line);
      itemIndent = indent;
      const content = words.slice(1).trim();
      const parsedItem = boxedItem(content, number, draft) ?? item(content);
      draft.add({ ...parsedItem, text: parsedItem.text + due, status: status === 'todo' ? parsedItem.status : status });
    } else if (words.endsWith(':')) {
      draft.add(header(words.slice(0, -1), indent / 4 + 1));
      itemIndent = -1;
    } else {
      // In a note a tag is an ordinary word.
      draft.add(detail(line));
    }
  });
}
