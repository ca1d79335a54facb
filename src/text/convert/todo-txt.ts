import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, item } from './blocks.ts';
import { readingLines } from './lines.ts';

const day = /^\d{4}-\d\d-\d\d(?:[ \t\xa0]+|$)/;

/** todo.txt: `x` for complete, `(A)` a priority, days of creation and completion, `+project`, `@context`, `due:`. */
export const readingTodoTxt = (text: string): Sliced<Draft> =>
  readingLines(text, ({ text: line, number }, draft) => {
    let words = line;
    const take = (what: string, pattern: RegExp) => {
      const matchedText = pattern.exec(words)?.[0] ?? '';
      draft.lose(what, number, matchedText.trim());
      words = words.slice(matchedText.length);
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
          else draft.lose(key === undefined ? losses.tag : losses.setting, number, found);
          return '';
        },
      )
      .replace(/[ \t\xa0]+/g, ' ')
      .trim();
    draft.add(item(words + due, done === '' ? 'todo' : 'done'));
  });
