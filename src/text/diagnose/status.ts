import type { SyntaxNodeRef } from '@lezer/common';
import type { Status } from '../../domain/statuses.ts';
import { applyChanges } from '../document.ts';
import { isBuiltIn, signOf } from '../head.ts';
import { readChecklist } from '../read.ts';
import { rangeOf, rowAt, sourceOf } from '../rows.ts';
import { isWritable, normalName } from '../status-registry.ts';
import type { Checklist, TextChange } from '../types.ts';
import type { Fix, Report } from './finding.ts';
import { nearestOf } from './nearest.ts';

/** Where an item's sign stands. */
const signAt = (checklist: Checklist, index: number) => {
  const { from } = rangeOf(checklist, index);
  return from + checklist.text.slice(from).search(/[^ \t]/);
};

/** The changes that make a label's item one of that status: the sign, and the name, or nothing where the sign says it all. */
function changesTo(checklist: Checklist, index: number, label: SyntaxNodeRef, status: Status): TextChange[] {
  const { text } = checklist;
  const at = signAt(checklist, index);
  const sign = signOf(status);
  const signed = text[at] === sign ? [] : [{ from: at, to: at + 1, insert: sign }];
  if (!isBuiltIn(status)) return [...signed, { from: label.from + 1, to: label.to - 1, insert: status.name }];
  const blanks = /^[ \t]*/.exec(text.slice(label.to))?.[0].length ?? 0;
  return [...signed, { from: label.from, to: label.to + blanks }];
}

/** Whether the row at `index` then has that status. */
function givesStatus(checklist: Checklist, index: number, changes: readonly TextChange[], status: Status): boolean {
  const { from } = rangeOf(checklist, index);
  const moved = changes.map(change => ({ ...change, from: change.from - from, to: (change.to ?? change.from) - from }));
  const [row] = readChecklist(applyChanges(sourceOf(checklist, index), moved), checklist.statuses).rows;
  return row?.kind === 'checkbox' && row.status.slug === status.slug;
}

/** Finds labels in a status's place whose name no status bears. `index` is the label's row's. */
export function unknownStatuses(checklist: Checklist, report: Report): (index: number, label: SyntaxNodeRef) => void {
  const { statuses, text } = checklist;
  let nearest: ((name: string) => Status | undefined) | undefined;
  return (index, label) => {
    nearest ??= nearestOf(statuses.list.filter(status => isWritable(statuses, status)));
    const name = text.slice(label.from + 1, label.to - 1).trim();
    const fixes: Fix[] = [];
    const near = nearest(name);
    const changes = near ? changesTo(checklist, index, label, near) : [];
    if (near && givesStatus(checklist, index, changes, near)) {
      fixes.push({ kind: 'change', title: `Change to ${near.name}`, changes });
    }
    // A built-in status of that name needs no second one.
    if (!near || normalName(near.name) !== normalName(name)) {
      const checked = text[signAt(checklist, index)] === '+';
      fixes.push({ kind: 'createStatus', title: `Create the status ${name}`, name, checked });
    }
    const message = `There is no status called ${name}.`;
    report({ from: label.from, to: label.to, code: 'UNKNOWN_STATUS', message, fixes });
  };
}

/** The sign of a custom status contradicts whether it counts as complete. */
export function wrongSign(checklist: Checklist, index: number, report: Report): void {
  const row = rowAt(checklist, index);
  if (row.kind !== 'checkbox' || isBuiltIn(row.status)) return;
  const from = signAt(checklist, index);
  const insert = signOf(row.status);
  if (checklist.text[from] === insert) return;
  const { name, checked } = row.status;
  report({
    from,
    to: from + 1,
    code: 'WRONG_SIGN',
    message: `${name} counts as ${checked ? 'complete' : 'not complete'}, so its mark is ${insert}.`,
    fixes: [{ kind: 'change', title: `Change the mark to ${insert}`, changes: [{ from, to: from + 1, insert }] }],
  });
}
