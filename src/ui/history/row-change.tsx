import { useMemo } from 'react';
import type { RowChange } from '../../client/history.ts';
import { inlineOf } from '../../text/inline.ts';
import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { Inline } from '../checklist/inline/inline.tsx';
import { PersonName } from '../checklist/inline/person.tsx';
import { changeWords } from './change-text.ts';

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
