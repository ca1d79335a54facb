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

/**
 * The range of another notation's box in an item, with the mark that replaces it; undefined if there is no such box.
 */
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
  const boxMatch = boxAt(checklist, index);
  if (!boxMatch) return;
  const { from, to } = boxMatch;
  report({
    from,
    to: to - (/\s*$/.exec(checklist.text.slice(from, to))?.[0].length ?? 0),
    code: 'FOREIGN_BOX',
    message: 'A box is text here. The mark says whether the item is complete.',
  });
}

/** The text of a box in the title of a fix is cut after this length. */
const MAX_SHOWN_CHARS = 40;

export const foreignBoxFixes: Fixes = (checklist, { from }) => {
  const boxMatch = boxAt(checklist, lastRowBefore(checklist, from));
  if (!boxMatch) return [];
  const { box, start, to, mark } = boxMatch;
  const shown = box.text.length > MAX_SHOWN_CHARS ? `${box.text.slice(0, MAX_SHOWN_CHARS)}…` : box.text;
  return [
    { kind: 'change', title: `Change to ${mark}${shown}`.trimEnd(), changes: [{ from: start, to, insert: mark }] },
  ];
};
