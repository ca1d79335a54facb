import { type MouseEvent, type ReactNode, Suspense } from 'react';
import type { Row } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Inline } from '../inline/inline.tsx';
import type { OpenPart } from './use-open-part.ts';

const Edit = lazyComponent(() => import('./edit-text.tsx'));

interface Props {
  row: Row;
  line: Line;
  actions: RowActions;
  canEdit: boolean;
  opened: OpenPart;
}

/** A row's words, or what they are edited in; they stay for those who hear what the row's controls are called. */
export function RowText({ row, actions, canEdit, opened, children }: Omit<Props, 'line'> & { children: ReactNode }) {
  const double = ({ target }: MouseEvent) => {
    if (canEdit && !(target instanceof Element && target.closest('a'))) opened.open('text');
  };
  const editing = opened.part === 'text';
  return (
    <>
      {editing ? (
        <Suspense fallback={<span className="check-text">{row.text}</span>}>
          <Edit row={row} actions={actions} opened={opened} part="text" />
        </Suspense>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu and F2 do the same. */}
      <div hidden={editing} onDoubleClick={double}>
        {children}
      </div>
    </>
  );
}

/** What stands below a row's words: closed until it is asked for. */
export function Details({ row, line, actions, opened }: Props) {
  const lines = line.details;
  if (opened.part === 'details')
    return (
      <Suspense fallback={null}>
        <Edit row={row} actions={actions} opened={opened} part="details" />
      </Suspense>
    );
  if (lines.length === 0) return null;
  return (
    <details className="check-details">
      <summary>{lines.length === 1 ? '1 detail' : `${lines.length} details`}</summary>
      {lines.map((segments, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: details have nothing but their order.
        <p key={index} dir="auto">
          <Inline segments={segments} />
        </p>
      ))}
    </details>
  );
}
