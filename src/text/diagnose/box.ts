import { boxOf } from '../convert/head.ts';
import { isBuiltIn } from '../head.ts';
import { lastRowBefore, rangeOf, rowAt } from '../rows.ts';
import type { Checklist } from '../types.ts';
import type { Fixes, Report } from './finding.ts';

const marks = { todo: '-', done: '+', in_progress: '~', skipped: 'x' } as const;

/** Boxes that are not written as words, as `✅` and statuses in brackets are. */
const written = /^(?:\[[ xX\xa0]\](?=[\s\xa0]|$)|[☐☑])/;

/** Whether a status label is a box of another notation. */
export const isBox = (label: string): boolean => written.test(label);

/** Where the box of another notation stands in an item, with the mark above it that it is to replace, or nothing. */
function boxAt(checklist: Checklist, index: number) {
  const row = rowAt(checklist, index);
  if (row.kind !== 'checkbox' || !isBuiltIn(row.status)) return undefined;
  const box = written.test(row.text) ? boxOf(row.text) : undefined;
  if (!box) return undefined;
  const { from } = rangeOf(checklist, index);
  const line = checklist.text.slice(from, from + row.content.to);
  const start = from + (/^[ \t\xa0]*/.exec(line)?.[0].length ?? 0);
  const mandatory = row.mandatory || box.mandatory ? ' !' : '';
  const to = from + row.content.to - box.text.length;
  return { box, from: from + row.content.from, to, start, mark: `${marks[box.status]}${mandatory} ` };
}

/** An item that begins with a box of another notation, as `- [x] Text`: its state is written as the item's mark here. */
export function foreignBox(checklist: Checklist, index: number, report: Report): void {
  const found = boxAt(checklist, index);
  if (!found) return;
  const { from, to } = found;
  report({
    from,
    to: to - (/\s*$/.exec(checklist.text.slice(from, to))?.[0].length ?? 0),
    code: 'FOREIGN_BOX',
    message: 'A box is text here. The mark says whether the item is complete.',
  });
}

/** Text of a fix's title. */
const MAX_SHOWN = 40;

export const foreignBoxFixes: Fixes = (checklist, { from }) => {
  const found = boxAt(checklist, lastRowBefore(checklist, from));
  if (!found) return [];
  const { box, start, to, mark } = found;
  const shown = box.text.length > MAX_SHOWN ? `${box.text.slice(0, MAX_SHOWN)}…` : box.text;
  return [
    { kind: 'change', title: `Change to ${mark}${shown}`.trimEnd(), changes: [{ from: start, to, insert: mark }] },
  ];
};
