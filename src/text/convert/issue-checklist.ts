import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, detail, header, item } from './blocks.ts';
import { boxOf } from './head.ts';
import { readingLines } from './lines.ts';

/**
 * Reads the text of Issue Checklist: an item per line, optional bullet and box, `?` for optional, `>>` a description,
 * `---` a separator, `#` the checklist's name. Items are mandatory by default there; none becomes mandatory here.
 */
export const readingIssueChecklist = (text: string): Sliced<Draft> =>
  readingLines(text, ({ text: line, number }, draft) => {
    if (line.startsWith('>>')) draft.add(detail(line.slice(2)));
    else if (/^#+(?:[ \t\xa0]|$)/.test(line)) draft.add(header(line.replace(/^#+/, ''), 1));
    else if (/^---+(?:[ \t\xa0]|$)/.test(line)) {
      const title = line.replace(/^-+/, '').trim();
      if (title !== '') draft.add(header(title, 2));
    } else {
      // A bullet may touch the box or `?` that it is before, and a box its `?`.
      const content = line.replace(/^[-*](?:[ \t\xa0]+|(?=\[[xX \u00A0]?\]|\?[ \t\xa0])|$)/, '');
      const box = boxOf(content.replace(/^(\[[xX \u00A0]?\])\?(?=[ \t\xa0]|$)/, '$1 ?'));
      const words = box?.text ?? content;
      const sign = /^\?(?:[ \t\xa0]+|$)/.exec(words)?.[0] ?? '';
      if (sign !== '') draft.lose(losses.optional, number, line);
      draft.lose(losses.status, number, box?.sign ?? '');
      draft.add(item(words.slice(sign.length), box?.status, box?.mandatory));
    }
  });
