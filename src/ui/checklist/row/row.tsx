import { Checkbox } from '@atlaskit/checkbox';
import DeleteIcon from '@atlaskit/icon/core/delete';
import { memo, Suspense, useId } from 'react';
import type { CheckboxRow, HeaderRow, Row } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Inline } from '../inline/inline.tsx';
import { Details, Meta, RowText } from './row-content.tsx';
import { AddBelow, Fold, Handle, type ListedProps, StatusControl } from './row-tools.tsx';
import { useOpenPart } from './use-open-part.ts';
import './row.css';

export interface RowProps<Kind extends Row = Row> extends ListedProps {
  row: Kind;
  /** The row's text and details as segments. */
  line: Line;
  actions: RowActions;
  canChangeStatus: boolean;
  canDelete: boolean;
  canEdit: boolean;
}

const More = lazyComponent(() => import('./row-buttons.tsx'));

/** The accessible name of a row without text. */
const unnamed = 'empty row';

/** An item: checkbox, text, due date, assignee, status and buttons. */
export const ItemRow = memo(function ItemRow(props: RowProps<CheckboxRow>) {
  const { row, line, actions, canChangeStatus, canDelete, canEdit, canMove, ...listed } = props;
  const words = useId();
  const opened = useOpenPart(canEdit);
  const { status } = row;
  const name = line.name || unnamed;
  const due = status.checked ? undefined : row.dueDate;
  const text = (
    <>
      {row.mandatory ? (
        <span className="check-mandatory" title="Mandatory">
          <span aria-hidden="true">!</span>
          <span className="check-hidden">Mandatory: </span>
        </span>
      ) : null}
      {row.text === '' ? <span className="check-hidden">{unnamed}</span> : <Inline segments={line.words} due={due} />}
    </>
  );
  return (
    <div
      ref={opened.root}
      className={`check-row check-is-${status.slug.replaceAll('_', '-')}${status.checked ? ' check-checked' : ''}`}
      {...opened.keys}
    >
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
        <RowText {...props} opened={opened}>
          <span id={words} className="check-text" dir="auto">
            {text}
          </span>
        </RowText>
        <Details {...props} opened={opened} />
      </div>
      <Meta tail={line.tail} item={name} due={due} editable={canEdit} tab={listed.tab} opened={opened} />
      <StatusControl
        row={row}
        actions={actions}
        item={name}
        editable={canChangeStatus}
        tab={listed.tab}
        opened={opened}
      />
      <AddBelow row={row} {...listed} />
      <DeleteButton what={line.name} tab={listed.tab} allowed={canDelete} onDelete={() => actions.remove(row)} />
      <Suspense fallback={<span className="check-more-room" />}>
        <More {...props} name={name} opened={opened} />
      </Suspense>
    </div>
  );
});

interface HeaderProps extends RowProps<HeaderRow> {
  checked: number;
  total: number;
  /** Whether its section is closed. */
  folded: boolean;
}

/** Below the page's own heading. */
const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** A header with its section's progress. */
export const SectionRow = memo(function SectionRow({ checked, total, folded, ...props }: HeaderProps) {
  const { row, line, actions, canDelete, canEdit, canMove, ...listed } = props;
  const opened = useOpenPart(canEdit);
  const Level = levels[row.level - 1] ?? 'h6';
  return (
    <div ref={opened.root} className={`check-row check-section check-level-${row.level}`} {...opened.keys}>
      <Handle shown={canMove} />
      <Fold row={row} tools={listed.tools} tab={listed.tab} folded={folded} />
      <div className="check-words">
        <RowText {...props} opened={opened}>
          <Level className="check-title" dir="auto">
            <Inline segments={line.text} />
          </Level>
        </RowText>
        <Details {...props} opened={opened} />
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
      <DeleteButton what={line.name} tab={listed.tab} allowed={canDelete} onDelete={() => actions.remove(row)} />
      <Suspense fallback={<span className="check-more-room" />}>
        <More {...props} name={line.name || unnamed} opened={opened} />
      </Suspense>
    </div>
  );
});

interface DeleteProps {
  what: string;
  tab: 0 | -1;
  allowed: boolean;
  onDelete(): void;
}

/** A plain button: the kit's icon button includes its tooltip, a quarter of the panel's size. */
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
