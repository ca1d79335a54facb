import type { ChangeKind, RowChange } from '../../client/history.ts';
import { summaryOf } from '../../domain/change.ts';

/** What was done in entries that are no user's change. */
const foundSummaries: Readonly<Record<string, string>> = {
  bringStatuses: 'brought statuses up to date',
  synchronizeStorages: 'synchronised the storages',
  importFromIssueChecklist: 'imported from Issue Checklist',
  inherited: 'took over the checklist of the Free edition',
  foreignProperty: 'changed it in the tracker’s data',
  foreignField: 'changed the Checklist Text field',
};

/** What was done in an entry, after its author's name. */
export const entrySummary = (kind: string): string =>
  summaryOf(kind) ?? foundSummaries[kind] ?? 'changed the checklist';

/** Kinds of change as a filter names them, in the order in which it does. */
export const kindWords: Readonly<Record<ChangeKind, string>> = {
  ADDED: 'Added',
  REWORDED: 'Reworded',
  STATUS: 'Status',
  ASSIGNEE: 'Assignee',
  DUE_DATE: 'Due date',
  MANDATORY: 'Mandatory',
  DETAILS: 'Details',
  MOVED: 'Moved',
  RETYPED: 'Header or item',
  DELETED: 'Deleted',
};

export const changeKinds = Object.keys(kindWords) as readonly ChangeKind[];

const levelOf = (mark: string | null) => (mark?.startsWith('#') ? `a header of level ${mark.length}` : 'an item');

/** Where a row went. */
function journey({ from, to }: RowChange): string {
  if (from === to) return to ? `Moved within ${to}` : 'Moved';
  if (!to) return 'Moved above the first header';
  return from ? `Moved from ${from} to ${to}` : `Moved to ${to}`;
}

/** What became of a row, in the words that stand before what it says. */
export function changeWords(change: RowChange): string {
  switch (change.kind) {
    case 'ADDED':
      return change.header ? 'Added header' : 'Added';
    case 'DELETED':
      return change.header ? 'Deleted header' : 'Deleted';
    case 'MOVED':
      return journey(change);
    case 'RETYPED':
      return `Made ${levelOf(change.to)}`;
    case 'REWORDED':
      return 'Reworded';
    case 'STATUS':
      return 'Status';
    case 'MANDATORY':
      return change.to === 'true' ? 'Made mandatory' : 'No longer mandatory';
    case 'ASSIGNEE':
      return change.to === null ? 'Unassigned' : 'Assigned';
    case 'DUE_DATE':
      return change.to === null ? 'Due date removed' : 'Due date';
    case 'DETAILS':
      return change.to === '' ? 'Details removed' : 'Details';
  }
}
