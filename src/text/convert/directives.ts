import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Block, type Draft, detail, header, item, type Loss } from './blocks.ts';
import { statusOfWord } from './columns.ts';
import { boxedItem, bulletOf } from './head.ts';
import { linesOf, SLICE_LINES } from './lines.ts';

const attribute = /(?<![\w-])([\w-]+)="([^"]*)"/g;

/** Blocks of `:::checklist text="Title"` with an item a line: `- text="Review" status="checked" assignees="@jo"`. */
export function* readingDirectives(text: string): Sliced<Draft> {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  for (const { text: line, number } of linesOf(text)) {
    if (number % SLICE_LINES === 0) yield;
    if (line === '' || line === ':::') continue;
    const lose = (_: string, sign: string) => void lost.push({ what: losses.status, line: number, text: sign });
    const opening = /^:::[ \t\xa0]*([^\s{"=]+)(?=[\s{]|$)/.exec(line);
    const stated = new Map([...line.matchAll(attribute)].map(([, key = '', value = '']) => [key.toLowerCase(), value]));
    const bullet = bulletOf(line);
    const rest = line
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
    if (opening) blocks.push(header([name, words, rest].filter(Boolean).join(' '), 2));
    else if (words === '') blocks.push(boxedItem(bullet?.text ?? line, lose) ?? item(bullet?.text ?? line));
    else {
      const status = take('status', 'state', 'checked', 'done');
      const slug = statusOfWord(status);
      if (slug === undefined && status !== '') lose('status', status);
      const people = take('assignees', 'assignee', 'assigned')
        .split(/[,;]\s*/)
        .filter(Boolean)
        .map(name => (name.startsWith('@') || name.startsWith('[') ? name : `@${name}`));
      const due = take('due', 'duedate', 'due-date');
      blocks.push(item([words, rest, ...people, due].filter(Boolean).join(' '), slug));
      const note = take('description', 'note', 'notes');
      if (note !== '') blocks.push(detail(note));
    }
    for (const [key, value] of stated)
      if (value !== '') lost.push({ what: losses.setting, line: number, text: `${key}: ${value}` });
  }
  return { blocks, lost };
}
