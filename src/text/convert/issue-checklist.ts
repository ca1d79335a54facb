import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Block, type Draft, detail, header, item, type Loss } from './blocks.ts';
import { boxOf } from './head.ts';
import { linesOf, SLICE_LINES } from './lines.ts';

/**
 * Reads the text of Issue Checklist: an item per line, optional bullet and box, `?` for optional, `>>` a description,
 * `---` a separator, `#` the checklist's name. Items are mandatory by default there; none becomes mandatory here.
 */
export function* readingIssueChecklist(text: string): Sliced<Draft> {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  for (const { text: line, number } of linesOf(text)) {
    if (number % SLICE_LINES === 0) yield;
    if (line === '') continue;
    if (line.startsWith('>>')) blocks.push(detail(line.slice(2)));
    else if (/^#+(?:[ \t\xa0]|$)/.test(line)) blocks.push(header(line.replace(/^#+/, ''), 1));
    else if (/^---+(?:[ \t\xa0]|$)/.test(line)) {
      const title = line.replace(/^-+/, '').trim();
      if (title !== '') blocks.push(header(title, 2));
    } else {
      // A bullet may touch the box or `?` that it is before, and a box its `?`.
      const content = line.replace(/^[-*](?:[ \t\xa0]+|(?=\[[xX \u00A0]?\]|\?[ \t\xa0])|$)/, '');
      const box = boxOf(content.replace(/^(\[[xX \u00A0]?\])\?(?=[ \t\xa0]|$)/, '$1 ?'));
      const words = box?.text ?? content;
      const sign = /^\?(?:[ \t\xa0]+|$)/.exec(words)?.[0] ?? '';
      if (sign !== '') lost.push({ what: losses.optional, line: number, text: line });
      if (box?.sign !== undefined) lost.push({ what: losses.status, line: number, text: box.sign });
      blocks.push(item(words.slice(sign.length), box?.status, box?.mandatory));
    }
  }
  return { blocks, lost };
}
