import { Customers, DetailsMark, Gate, Mention, MentionName } from '../../../grammar/parser.terms.ts';
import { applyChanges } from '../document.ts';
import { removeWords } from '../edits/remove-words.ts';
import { sections } from '../progress.ts';
import { rangeOf } from '../rows.ts';
import type { Checklist } from '../types.ts';

/** Nodes that name people, or that only the team should see. */
const removed: ReadonlySet<number> = new Set([Mention, MentionName, Gate, Customers]);

interface Range {
  from: number;
  to: number;
}

/** The ranges of such nodes in a row, relative to its start. */
function rangesIn({ tree }: Checklist, from: number, to: number): Range[] {
  const ranges: Range[] = [];
  tree.iterate({
    from,
    to,
    enter: node => {
      if (node.to <= from || node.from >= to) return false;
      if (removed.has(node.type.id)) ranges.push({ from: node.from - from, to: node.to - from });
      return node.type.id !== DetailsMark;
    },
  });
  return ranges;
}

/** A line without what stands at these places in it. */
function lineWithout(line: string, ranges: readonly Range[]): string {
  const end = line.trimEnd().length;
  return ranges.length === 0
    ? line
    : applyChanges(line.slice(0, end), removeWords(line.slice(0, end), ranges)).trimEnd();
}

/** The notation of a mention, also if it is plain text, as in code. */
const notation = /\[~accountid:[^\]\n]*\]?/g;

/** A row as customers see it: without marks and without people. */
function rowText(checklist: Checklist, index: number): string {
  const { from, to } = rangeOf(checklist, index);
  const ranges = rangesIn(checklist, from, to);
  let at = 0;
  const lines = checklist.text
    .slice(from, to)
    .split('\n')
    .map(line => {
      const start = at;
      const end = start + line.length;
      at = end + 1;
      const inLine = ranges.flatMap(range =>
        range.from >= start && range.to <= end ? { from: range.from - start, to: range.to - start } : [],
      );
      return lineWithout(line, inLine).replace(notation, '');
    });
  return lines.join('\n').trimEnd();
}

/**
 * The part of a checklist that customers see: the sections that are marked for them, as text without marks and people.
 * Empty if no section is marked.
 */
export function customersText(checklist: Checklist): string {
  const shown: string[] = [];
  let until = 0;
  for (const { header, end } of sections(checklist)) {
    const row = checklist.rows[header];
    if (row?.kind !== 'header' || !row.customers || header < until) continue;
    for (let index = header; index < end; index++) shown.push(rowText(checklist, index));
    until = end;
  }
  return shown.join('\n');
}
