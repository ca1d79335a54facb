import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, type ItemBlock, item, type Loss } from './blocks.ts';
import { linesOf, SLICE_LINES } from './lines.ts';

const day = /^\d{4}-\d\d-\d\d(?:[ \t\xa0]+|$)/;

/** todo.txt: `x` for complete, `(A)` a priority, days of creation and completion, `+project`, `@context`, `due:`. */
export function* readingTodoTxt(text: string): Sliced<Draft> {
  const lost: Loss[] = [];
  const blocks: ItemBlock[] = [];
  for (const { text: line, number } of linesOf(text)) {
    if (number % SLICE_LINES === 0) yield;
    if (line === '') continue;
    let words = line;
    const take = (what: string, pattern: RegExp) => {
      const found = pattern.exec(words)?.[0] ?? '';
      if (found !== '') lost.push({ what, line: number, text: found.trim() });
      words = words.slice(found.length);
    };
    const done = /^x[ \t\xa0]+/.exec(words)?.[0] ?? '';
    words = words.slice(done.length);
    take(losses.setting, /^\([A-Z]\)(?:[ \t\xa0]+|$)/);
    take(losses.setting, day);
    take(losses.setting, day);
    let due = '';
    words = words
      .replace(
        /(?<![^ \t\xa0])(?:\+\S+|([\w-]+):(?!\/)(\S+))(?![^ \t\xa0])/g,
        (found, key: string | undefined, value: string) => {
          if (key !== undefined && !/^(?:due|t|rec|pri|h|id|p|completed|created)$/i.test(key)) return found;
          if (key?.toLowerCase() === 'due' && /^\d{4}-\d\d-\d\d$/.test(value) && due === '') due = ` ${value}`;
          else lost.push({ what: key === undefined ? losses.tag : losses.setting, line: number, text: found });
          return '';
        },
      )
      .replace(/[ \t\xa0]+/g, ' ')
      .trim();
    blocks.push(item(words + due, done === '' ? 'todo' : 'done'));
  }
  return { blocks, lost };
}
