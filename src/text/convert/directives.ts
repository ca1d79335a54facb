import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, detail, header, item } from './blocks.ts';
import { boxedItem, bulletOf } from './head.ts';
import { readingLines } from './lines.ts';
import { statusOfWord } from './table/cell-words.ts';

const attribute = /(?<![\w-])([\w-]+)="([^"]*)"/g;

/** Blocks of `:::checklist text="Title"` with an item a line: `- text="Review" status="checked" assignees="@jo"`. */
export const readingDirectives = (text: string): Sliced<Draft> =>
  readingLines(text, ({ text: line, number }, draft) => {
    if (line === ':::') return;
    const opening = /^:::[ \t\xa0]*([^\s{"=]+)(?=[\s{]|$)/.exec(line);
    const stated = new Map([...line.matchAll(attribute)].map(([, key = '', value = '']) => [key.toLowerCase(), value]));
    const bullet = bulletOf(line);
    const remainingText = line
      .replace(attribute, '')
      .replace(opening?.[0] ?? bullet?.bullet ?? '', '')
      .trim();
    const take = (...keys: string[]) => {
      const key = keys.find(name => stated.has(name)) ?? '';
      const value = stated.get(key)?.trim() ?? '';
      stated.delete(key);
      return value;
    };
    const words = take('text', 'title', 'name', 'label');
    const name = opening?.[1] === 'checklist' ? '' : (opening?.[1] ?? '');
    if (opening) draft.add(header([name, words, remainingText].filter(Boolean).join(' '), 2));
    else if (words === '') draft.add(boxedItem(bullet?.text ?? line, number, draft) ?? item(bullet?.text ?? line));
    else {
      const status = take('status', 'state', 'checked', 'done');
      const slug = statusOfWord(status);
      if (slug === undefined) draft.lose(losses.status, number, status);
      const people = take('assignees', 'assignee', 'assigned')
        .split(/[,;]\s*/)
        .filter(Boolean)
        .map(name => (name.startsWith('@') || name.startsWith('[') ? name : `@${name}`));
      const due = take('due', 'duedate', 'due-date');
      draft.add(item([words, remainingText, ...people, due].filter(Boolean).join(' '), slug));
      const note = take('description', 'note', 'notes');
      if (note !== '') draft.add(detail(note));
    }
    for (const [key, value] of stated) if (value !== '') draft.lose(losses.setting, number, `${key}: ${value}`);
  });
