import DeleteIcon from '@atlaskit/icon/core/delete';
import { memo, Suspense, useId } from 'react';
import type { CheckboxRow, HeaderRow, Row } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Details, Meta, RowText } from './row-content.tsx';
import { headerClass, ItemText, itemClass, openDueDate, SectionCount, Tick, Title, unnamed } from './row-parts.tsx';
import { AddBelow, Fold, Handle, type ListedProps, StatusControl } from './row-tools.tsx';
import { useOpenPart } from './use-open-part.ts';

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

/** An item: checkbox, text, due date, assignee, status and buttons. */
export const ItemRow = memo(function ItemRow(props: RowProps<CheckboxRow>) {
  const { row, line, actions, canChangeStatus, canDelete, canEdit, canMove, ...listed } = props;
  const words = useId();
  const opened = useOpenPart(canEdit);
  const name = line.name || unnamed;
  return (
    <div ref={opened.root} className={itemClass(row.status)} {...opened.keys}>
      <Handle shown={canMove} />
      <Tick
        data-main
        tabIndex={listed.tab}
        aria-labelledby={words}
        status={row.status}
        isDisabled={!canChangeStatus}
        onChange={() => actions.toggle(row)}
      />
      <div className="check-words">
        <RowText {...props} opened={opened}>
          <ItemText row={row} id={words} segments={line.words} />
        </RowText>
        <Details {...props} opened={opened} />
      </div>
      <Meta tail={line.tail} item={name} due={openDueDate(row)} editable={canEdit} tab={listed.tab} opened={opened} />
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

/** A header with its section's progress. */
export const SectionRow = memo(function SectionRow({ checked, total, folded, ...props }: HeaderProps) {
  const { row, line, actions, canDelete, canEdit, canMove, ...listed } = props;
  const opened = useOpenPart(canEdit);
  return (
    <div ref={opened.root} className={headerClass(row)} {...opened.keys}>
      <Handle shown={canMove} />
      <Fold row={row} tools={listed.tools} tab={listed.tab} folded={folded} />
      <div className="check-words">
        <RowText {...props} opened={opened}>
          <Title row={row} line={line} />
        </RowText>
        <Details {...props} opened={opened} />
      </div>
      <SectionCount checked={checked} total={total} />
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
