import type { ChangeKind, RowChange } from '../../client/history.ts';
import { summaryOf } from '../../domain/change.ts';

/** Summaries of entries that are not a user's change. */
const foundSummaries: Readonly<Record<string, string>> = {
  bringStatuses: 'brought statuses up to date',
  synchronizeStorages: 'synchronised the storages',
  importFromIssueChecklist: 'imported from Issue Checklist',
  inherited: 'took over the checklist of the Free edition',
  foreignProperty: 'changed it in the tracker’s data',
  foreignField: 'changed the Checklist Text field',
};

/** An entry's summary, to follow its author's name. */
export const entrySummary = (kind: string): string =>
  summaryOf(kind) ?? foundSummaries[kind] ?? 'changed the checklist';

/** Names of the kinds of change, in the filter's order. */
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

/** A move in words. */
function moveText({ from, to }: RowChange): string {
  if (from === to) return to ? `Moved within ${to}` : 'Moved';
  if (!to) return 'Moved above the first header';
  return from ? `Moved from ${from} to ${to}` : `Moved to ${to}`;
}

/** A change of a row in words, to precede the row's text. */
export function changeWords(change: RowChange): string {
  switch (change.kind) {
    case 'ADDED':
      return change.header ? 'Added header' : 'Added';
    case 'DELETED':
      return change.header ? 'Deleted header' : 'Deleted';
    case 'MOVED':
      return moveText(change);
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
