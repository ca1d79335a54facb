import { useMemo } from 'react';
import type { ChangeKind, RowChange } from '../../../client/history.ts';
import { summaryOf } from '../../../domain/change.ts';
import { inlineOf } from '../../../text/inline.ts';
import { readChecklist } from '../../../text/read.ts';
import { accountIdOf } from '../../../text/references.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { Inline, PersonName } from '../../checklist/inline/inline.tsx';

/** A row's text, rendered as in the list. `linked`: inside a button, without links. */
export function HistoryRowText({ text, linked = false }: { text: string; linked?: boolean }) {
  const segments = useMemo(() => inlineOf(readChecklist(`- ${text}`), 0), [text]);
  return text === '' ? (
    <span className="history-none">an empty row</span>
  ) : (
    <Inline segments={segments} linked={linked} />
  );
}

interface Props {
  change: RowChange;
  statuses: StatusRegistry;
}

/** A change of a row: its kind, the row, old and new value. */
export const ChangeLine = ({ change, statuses }: Props) => (
  <>
    <span className="history-what">{changeWords(change)}</span>{' '}
    {change.kind === 'REWORDED' ? (
      <del className="history-row">
        <HistoryRowText text={change.from ?? ''} />
      </del>
    ) : (
      <span className="history-row">
        <HistoryRowText text={change.row} />
      </span>
    )}
    <Ends change={change} statuses={statuses} />
  </>
);

function Ends({ change, statuses }: Props) {
  const { kind, from, to } = change;
  const status = (slug: string | null) => (slug === null ? '' : (statuses.bySlug(slug)?.name ?? slug));
  switch (kind) {
    case 'REWORDED':
      return (
        <>
          <Arrow />
          <ins className="history-row">
            <HistoryRowText text={to ?? ''} />
          </ins>
        </>
      );
    case 'STATUS':
      return (
        <span className="history-ends">
          {status(from)}
          <Arrow />
          {status(to)}
        </span>
      );
    case 'ASSIGNEE':
      return (
        <span className="history-ends">
          {from === null ? null : <PersonName accountId={from} />}
          {from === null ? null : <Arrow />}
          {to === null ? 'Unassigned' : <PersonName accountId={to} />}
        </span>
      );
    case 'DUE_DATE':
      return (
        <span className="history-ends">
          {from}
          {from === null ? null : <Arrow />}
          {to ?? 'none'}
        </span>
      );
    case 'GATES':
      return (
        <span className="history-ends">
          {from || 'none'}
          <Arrow />
          {to || 'none'}
        </span>
      );
    case 'DETAILS':
      return to ? <span className="history-details">{to}</span> : null;
    default:
      return null;
  }
}

const Arrow = () => (
  <>
    {' '}
    <span aria-hidden="true">→</span>
    <span className="check-hidden">became</span>{' '}
  </>
);

/** In place of an author whom the tracker does not name. */
export const outside = 'Changed outside the app';

export const isForeign = (kind: string): boolean => kind === 'foreignProperty' || kind === 'foreignField';

/** Summaries of entries that are not a user's change. */
const foundSummaries: Readonly<Record<string, string>> = {
  bringStatuses: 'updated statuses',
  synchronizeStorages: 'synchronized storages',
  importFromIssueChecklist: 'imported from Issue Checklist',
  inherited: 'imported the checklist of the Free edition',
  foreignProperty: 'changed outside the app, in the issue property',
  foreignField: 'changed outside the app, in the Checklist Text field',
  followIssue: 'updated an item with its issue',
  erasePerson: 'removed a former user',
};

/** An entry's summary, to follow its author's name. */
export function entrySummary(kind: string): string {
  if (kind.startsWith('undo:')) return `Undo: ${entrySummary(kind.slice(5))}`;
  if (kind.startsWith('redo:')) return `Redo: ${entrySummary(kind.slice(5))}`;
  return summaryOf(kind) ?? foundSummaries[kind] ?? 'changed the checklist';
}

/** Names of the kinds of change, in the filter's order. */
export const kindWords: Readonly<Record<ChangeKind, string>> = {
  ADDED: 'Added',
  REWORDED: 'Reworded',
  STATUS: 'Status',
  ASSIGNEE: 'Assignee',
  DUE_DATE: 'Due date',
  MANDATORY: 'Mandatory',
  GATES: 'Gates',
  CUSTOMERS: 'Customers',
  DETAILS: 'Details',
  MOVED: 'Moved',
  RETYPED: 'Header or item',
  DELETED: 'Deleted',
};

export const changeKinds = Object.keys(kindWords) as readonly ChangeKind[];

const levelOf = (mark: string | null) => (mark?.startsWith('#') ? `a level ${mark.length} header` : 'an item');

/** A move in words. */
function moveText({ from, to, header }: RowChange): string {
  if (header) return to ? 'Moved section' : 'Moved header';
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
    case 'GATES':
      return change.to ? 'Gate set:' : 'Gate removed:';
    case 'CUSTOMERS':
      return change.to === 'true' ? 'Shown to customers:' : 'No longer shown to customers:';
    case 'ASSIGNEE':
      return change.to === null ? 'Unassigned' : 'Assigned';
    case 'DUE_DATE':
      return change.to === null ? 'Due date removed' : 'Due date';
    case 'DETAILS':
      return change.to === '' ? 'Details removed' : 'Details';
  }
}

/** A text with people's names and emoji for their notations; unknown ones stay. */
export function readable(
  text: string,
  nameOf: (accountId: string) => string | undefined,
  glyphOf: (code: string) => string | undefined,
): string {
  const parts: string[] = [];
  let at = 0;
  const replace = (from: number, to: number, shown: string | undefined) => {
    if (shown === undefined) return;
    parts.push(text.slice(at, from), shown);
    at = to;
  };
  readChecklist(text).tree.iterate({
    enter: ({ name, from, to }) => {
      const source = text.slice(from, to);
      if (name === 'Emoji') replace(from, to, glyphOf(source.slice(1, -1)));
      if (name !== 'Mention') return;
      const person = nameOf(accountIdOf(source));
      replace(from, to, person === undefined ? undefined : `@${person}`);
    },
  });
  return parts.join('') + text.slice(at);
}
