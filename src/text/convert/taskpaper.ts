import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import type { Sliced } from '../sliced.ts';
import { type Block, type Draft, detail, header, item, type Loss } from './blocks.ts';
import { boxedItem } from './head.ts';
import { linesOf, SLICE_LINES } from './lines.ts';

/** A tag at a word's start, with or without a value: `@done`, `@due(2026-11-20)`. */
const tag = /(?<![^ \t\xa0])@([\w.-]+)(?:\(([^()\n]*)\))?(?![^ \t\xa0])/g;

const statusOf: Record<string, BuiltInSlug> = {
  done: 'done',
  cancelled: 'skipped',
  canceled: 'skipped',
  doing: 'in_progress',
};

/** TaskPaper: `Project:`, `- task @done`, and notes, indented by tabs. A due day goes to the end of the line. */
export function* readingTaskpaper(text: string): Sliced<Draft> {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  let nested = false;
  let itemIndent = -1;
  for (const { text: line, number, indent } of linesOf(text)) {
    if (number % SLICE_LINES === 0) yield;
    if (line === '') continue;
    let status: BuiltInSlug = 'todo';
    let due = '';
    const words = line
      .replace(tag, (found, name: string, value: string | undefined) => {
        const key = name.toLowerCase();
        const known = statusOf[key];
        if (known) status = known;
        const day = key === 'due' ? /^\d{4}-\d\d-\d\d/.exec(value ?? '')?.[0] : undefined;
        if (day) due = ` ${day}`;
        if ((known && value === undefined) || (day && day === value)) return '';
        lost.push({ what: losses.tag, line: number, text: found });
        return '';
      })
      .trim();
    if (/^-(?:[ \t\xa0]|$)/.test(line)) {
      if (itemIndent >= 0 && indent > itemIndent && !nested) {
        nested = true;
        lost.push({ what: losses.nesting, line: number, text: line });
      }
      itemIndent = indent;
      const content = words.slice(1).trim();
      const boxed = boxedItem(content, (_, sign) => lost.push({ what: losses.status, line: number, text: sign }));
      const read = boxed ?? item(content);
      blocks.push({ ...read, text: read.text + due, status: status === 'todo' ? read.status : status });
    } else if (words.endsWith(':')) {
      blocks.push(header(words.slice(0, -1), indent / 4 + 1));
      itemIndent = -1;
    } else {
      // In a note a tag is a word like others.
      blocks.push(detail(line));
    }
  }
  return { blocks, lost };
}
