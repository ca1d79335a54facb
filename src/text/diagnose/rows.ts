import { readChecklist } from '../read.ts';
import { lastRowBefore, rangeOf, rowAt } from '../rows.ts';
import type { Checklist, Row } from '../types.ts';
import type { Fix, Fixes, Report } from './finding.ts';

/** The range of a row's line without the blanks around it, its details and its line break. */
function lineRange(checklist: Checklist, index: number): { from: number; to: number } {
  const { from } = rangeOf(checklist, index);
  const to = from + rowAt(checklist, index).content.to;
  const indent = /^[ \t\xa0]*/.exec(checklist.text.slice(from, to))?.[0].length ?? 0;
  return { from: from + indent, to };
}

/** An item without text. */
export function emptyItem(checklist: Checklist, index: number, report: Report): void {
  const row = rowAt(checklist, index);
  if (row.kind !== 'checkbox' || row.text !== '') return;
  report({ ...lineRange(checklist, index), code: 'EMPTY_ITEM', message: 'This item has no text.' });
}

/** A plain item that starts with `>`: it was meant as a detail, but no row stands directly above. */
export function orphanDetail(checklist: Checklist, index: number, report: Report): void {
  const range = lineRange(checklist, index);
  if (checklist.text[range.from] !== '>') return;
  report({ ...range, code: 'ORPHAN_DETAIL', message: 'This detail has no item directly above.' });
}

export const orphanDetailFixes: Fixes = (checklist, { from }) => {
  const index = lastRowBefore(checklist, from);
  const row = rowAt(checklist, index);
  const fixes: Fix[] = [];
  if (index > 0) {
    const changes = [{ from: rangeOf(checklist, index - 1).to, to: rangeOf(checklist, index).from }];
    fixes.push({ kind: 'change', title: 'Join with the item above', changes });
  }
  const mark = /^[> \t]*/.exec(row.text)?.[0].length ?? 0;
  const insert = /[-#+~]/.test(row.text[mark] ?? '') ? '' : '- ';
  const [item] = readChecklist(insert + row.text.slice(mark), checklist.statuses).rows;
  if (item?.text) {
    fixes.push({ kind: 'change', title: 'Turn into item', changes: [{ from, to: from + mark, insert }] });
  }
  return fixes;
};

const sameText = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').toLowerCase();

/** Finds items that stand twice in one section. Rows are to be given in order; case and runs of blanks do not matter. */
export function duplicates(checklist: Checklist, report: Report): (row: Row, index: number) => void {
  const seenTexts = new Set<string>();
  return (row, index) => {
    if (row.kind === 'header') seenTexts.clear();
    else if (seenTexts.has(sameText(row.text))) {
      const message = 'This item is already in this section.';
      report({ ...lineRange(checklist, index), code: 'DUPLICATE_ITEM', message });
    } else if (row.text !== '') seenTexts.add(sameText(row.text));
  };
}
