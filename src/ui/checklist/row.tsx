import { Checkbox } from '@atlaskit/checkbox';
import DeleteIcon from '@atlaskit/icon/core/delete';
import { memo, useId } from 'react';
import type { CheckboxRow, HeaderRow, Row } from '../../text/types.ts';
import { Inline } from './inline.tsx';
import type { Line } from './lines.ts';
import { AddBelow, Fold, Handle, type ListedProps } from './row-tools.tsx';
import { StatusControl } from './status.tsx';
import './row.css';

/** What a row can ask for. One object for the whole list, so that unchanged rows need no second rendering. */
export interface RowActions {
  toggle(row: CheckboxRow): void;
  setStatus(row: CheckboxRow, slug: string): void;
  remove(row: Row): void;
}

export interface RowProps<Kind extends Row = Row> extends ListedProps {
  row: Kind;
  /** The row's line and its details, ready to be shown. */
  line: Line;
  actions: RowActions;
  canChangeStatus: boolean;
  canDelete: boolean;
}

/** What a row without words is called where it has to be called something. */
const unnamed = 'empty row';

/** One item: what ticks it, its words, its status, and the way to delete it. */
export const ItemRow = memo(function ItemRow({
  row,
  line,
  actions,
  canChangeStatus,
  canDelete,
  canMove,
  ...listed
}: RowProps<CheckboxRow>) {
  const words = useId();
  const { status } = row;
  return (
    <div className={`check-row check-is-${status.slug.replaceAll('_', '-')}${status.checked ? ' check-checked' : ''}`}>
      <Handle shown={canMove} />
      <span className="check-tick">
        <Checkbox
          data-main
          tabIndex={listed.tab}
          aria-labelledby={words}
          isChecked={status.checked}
          isIndeterminate={status.slug === 'in_progress'}
          isDisabled={!canChangeStatus}
          onChange={() => actions.toggle(row)}
        />
      </span>
      <div className="check-words">
        <span id={words} className="check-text" dir="auto">
          {row.mandatory ? (
            <span className="check-mandatory" title="Mandatory">
              <span aria-hidden="true">!</span>
              <span className="check-hidden">Mandatory: </span>
            </span>
          ) : null}
          {row.text === '' ? (
            <span className="check-hidden">{unnamed}</span>
          ) : (
            <Inline segments={line.text} due={status.checked ? undefined : row.dueDate} />
          )}
        </span>
        <Details line={line} />
      </div>
      <StatusControl
        status={status}
        item={row.text || unnamed}
        editable={canChangeStatus}
        tab={listed.tab}
        onChange={slug => actions.setStatus(row, slug)}
      />
      <AddBelow row={row} {...listed} />
      <DeleteButton what={row.text} tab={listed.tab} allowed={canDelete} onDelete={() => actions.remove(row)} />
    </div>
  );
});

interface HeaderProps extends Omit<RowProps<HeaderRow>, 'canChangeStatus'> {
  checked: number;
  total: number;
  /** Its section is closed. */
  folded: boolean;
}

/** Below the page's own heading. */
const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** One header with how far its section is. */
export const SectionRow = memo(function SectionRow({
  row,
  line,
  actions,
  canDelete,
  canMove,
  checked,
  total,
  folded,
  ...listed
}: HeaderProps) {
  const Level = levels[row.level - 1] ?? 'h6';
  return (
    <div className={`check-row check-section check-level-${row.level}`}>
      <Handle shown={canMove} />
      <Fold row={row} tools={listed.tools} tab={listed.tab} folded={folded} />
      <div className="check-words">
        <Level className="check-title" dir="auto">
          <Inline segments={line.text} />
        </Level>
        <Details line={line} />
      </div>
      {total > 0 ? (
        <span className="check-count">
          <span aria-hidden="true">
            {checked}/{total}
          </span>
          <span className="check-hidden">
            {checked} of {total} done
          </span>
        </span>
      ) : null}
      <AddBelow row={row} {...listed} />
      <DeleteButton what={row.text} tab={listed.tab} allowed={canDelete} onDelete={() => actions.remove(row)} />
    </div>
  );
});

function Details({ line }: { line: Line }) {
  const lines = line.details;
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

interface DeleteProps {
  what: string;
  tab: 0 | -1;
  allowed: boolean;
  onDelete(): void;
}

/** A plain button: the kit's icon button brings its tooltip along, which weighs a quarter of the whole panel. */
function DeleteButton({ what, tab, allowed, onDelete }: DeleteProps) {
  if (!allowed) return null;
  return (
    <button
      type="button"
      className="check-delete"
      tabIndex={tab}
      aria-label={`Delete ${what || unnamed}`}
      onClick={onDelete}
    >
      <DeleteIcon label="" />
    </button>
  );
}
