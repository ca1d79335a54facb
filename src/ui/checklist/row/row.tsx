import { memo, Suspense, useId } from 'react';
import type { CheckboxRow, HeaderRow } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { Details, Meta, RowText } from './row-content.tsx';
import {
  Fold,
  Handle,
  headerClass,
  ItemText,
  itemClass,
  type RowProps,
  SectionCount,
  Tick,
  Title,
  unnamed,
} from './row-parts.tsx';
import { useOpenPart } from './use-open-part.ts';

const Buttons = lazyComponent(() => import('./row-buttons.tsx'));

/** An item: checkbox, text, due date, assignee, and a status that the checkbox does not tell. */
export const ItemRow = memo(function ItemRow(props: RowProps<CheckboxRow>) {
  const { row, line, actions, canChangeStatus, canMove, tab } = props;
  const words = useId();
  const opened = useOpenPart();
  const name = line.name || unnamed;
  return (
    <div ref={opened.root} className={itemClass(row.status)} {...opened.handlers}>
      <Handle shown={canMove} />
      <Tick
        data-main
        tabIndex={tab}
        aria-labelledby={words}
        status={row.status}
        disabled={!canChangeStatus}
        onChange={() => actions.toggle(row)}
      />
      <div className="check-words">
        <RowText {...props} opened={opened}>
          <ItemText row={row} id={words} segments={line.words} />
        </RowText>
        <Details {...props} opened={opened} />
      </div>
      <Meta {...props} name={name} opened={opened} />
      <Suspense fallback={null}>
        <Buttons {...props} name={name} opened={opened} />
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
  const { row, line, list, canMove, tab } = props;
  const opened = useOpenPart();
  return (
    <div ref={opened.root} className={headerClass(row)} {...opened.handlers}>
      <Handle shown={canMove} />
      <Fold row={row} list={list} tab={tab} folded={folded} />
      <div className="check-words">
        <RowText {...props} opened={opened}>
          <Title row={row} line={line} />
        </RowText>
        <Details {...props} opened={opened} />
      </div>
      <SectionCount checked={checked} total={total} />
      <Suspense fallback={null}>
        <Buttons {...props} name={line.name || unnamed} opened={opened} open={total - checked} />
      </Suspense>
    </div>
  );
});
