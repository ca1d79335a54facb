import type { SyntaxNodeRef } from '@lezer/common';
import type { Status } from '../../domain/statuses.ts';
import { applyChanges } from '../document.ts';
import { isBuiltIn, signOf } from '../head.ts';
import { readChecklist } from '../read.ts';
import { lastRowBefore, rangeOf, rowAt, sourceOf } from '../rows.ts';
import { isWritable, normalName, type StatusRegistry } from '../status-registry.ts';
import type { Checklist, TextChange } from '../types.ts';
import type { Finding, Fix, Fixes, Report } from './finding.ts';
import { nearestOf } from './nearest.ts';

type Range = Pick<Finding, 'from' | 'to'>;

/** The name in a label's brackets. */
const nameIn = (text: string, { from, to }: Range): string => text.slice(from + 1, to - 1).trim();

/** The position of an item's sign. */
const signAt = (checklist: Checklist, index: number) => {
  const { from } = rangeOf(checklist, index);
  return from + checklist.text.slice(from).search(/[^ \t\xa0]/);
};

/** The changes that make a label's item one of that status: the sign, and the name, or nothing if the sign says it all. */
function changesTo(checklist: Checklist, index: number, label: Range, status: Status): TextChange[] {
  const { text } = checklist;
  const at = signAt(checklist, index);
  const sign = signOf(status);
  const signed = text[at] === sign ? [] : [{ from: at, to: at + 1, insert: sign }];
  if (!isBuiltIn(status)) return [...signed, { from: label.from + 1, to: label.to - 1, insert: status.name }];
  const blanks = /^[ \t\xa0]*/.exec(text.slice(label.to))?.[0].length ?? 0;
  return [...signed, { from: label.from, to: label.to + blanks }];
}

/** Whether the row at `index` then has that status. */
function givesStatus(checklist: Checklist, index: number, changes: readonly TextChange[], status: Status): boolean {
  const { from } = rangeOf(checklist, index);
  const moved = changes.map(change => ({ ...change, from: change.from - from, to: (change.to ?? change.from) - from }));
  const [row] = readChecklist(applyChanges(sourceOf(checklist, index), moved), checklist.statuses).rows;
  return row?.kind === 'checkbox' && row.status.slug === status.slug;
}

/** A label in a status's place whose name no status bears. */
export function unknownStatus({ text }: Checklist, label: SyntaxNodeRef, report: Report): void {
  const message = `There is no status called ${nameIn(text, label)}.`;
  report({ from: label.from, to: label.to, code: 'UNKNOWN_STATUS', message });
}

/** The lookup of each registry. */
const lookups = new WeakMap<StatusRegistry, (name: string) => Status | undefined>();

/** The writable status whose name is most like a given one. */
function nearestStatus(statuses: StatusRegistry, name: string): Status | undefined {
  let lookup = lookups.get(statuses);
  if (!lookup) {
    lookup = nearestOf(statuses.list.filter(status => isWritable(statuses, status)));
    lookups.set(statuses, lookup);
  }
  return lookup(name);
}

export const unknownStatusFixes: Fixes = (checklist, label) => {
  const index = lastRowBefore(checklist, label.from);
  const name = nameIn(checklist.text, label);
  const fixes: Fix[] = [];
  const near = nearestStatus(checklist.statuses, name);
  const changes = near ? changesTo(checklist, index, label, near) : [];
  if (near && givesStatus(checklist, index, changes, near)) {
    fixes.push({ kind: 'change', title: `Change to ${near.name}`, changes });
  }
  // A built-in status of that name needs no second one.
  if (!near || normalName(near.name) !== normalName(name)) {
    const checked = checklist.text[signAt(checklist, index)] === '+';
    fixes.push({ kind: 'createStatus', title: `Create the status ${name}`, name, checked });
  }
  return fixes;
};

/** The sign of a custom status contradicts whether it counts as complete. */
export function wrongSign(checklist: Checklist, index: number, report: Report): void {
  const row = rowAt(checklist, index);
  if (row.kind !== 'checkbox' || isBuiltIn(row.status)) return;
  const from = signAt(checklist, index);
  const sign = signOf(row.status);
  if (checklist.text[from] === sign) return;
  const { name, checked } = row.status;
  const message = `${name} counts as ${checked ? 'complete' : 'not complete'}, so its mark is ${sign}.`;
  report({ from, to: from + 1, code: 'WRONG_SIGN', message });
}

export const wrongSignFixes: Fixes = (checklist, { from, to }) => {
  const row = rowAt(checklist, lastRowBefore(checklist, from));
  if (row.kind !== 'checkbox') return [];
  const insert = signOf(row.status);
  return [{ kind: 'change', title: `Change the mark to ${insert}`, changes: [{ from, to, insert }] }];
};
