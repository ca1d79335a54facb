import { memo, useId } from 'react';
import type { CheckboxRow, HeaderRow, Row } from '../../../text/types.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Meta } from './row-content.tsx';
import {
  DetailLines,
  headerClass,
  ItemText,
  itemClass,
  Marks,
  SectionCount,
  Tick,
  Title,
  unnamed,
} from './row-parts.tsx';
import './row.css';

interface Props<Kind extends Row = Row> {
  row: Kind;
  line: Line;
}

interface ItemProps extends Props<CheckboxRow> {
  editable: boolean;
  onToggle(row: CheckboxRow): void;
}

/** An item as in the panel, with its checkbox as the only control. */
export const PreviewItem = memo(function PreviewItem({ row, line, editable, onToggle }: ItemProps) {
  const words = useId();
  const { status } = row;
  return (
    <div className={itemClass(status)}>
      <Tick status={status} aria-labelledby={words} disabled={!editable} onChange={() => onToggle(row)} />
      <div className="check-words">
        <ItemText row={row} id={words} segments={line.words} />
        <Details line={line} />
      </div>
      <Meta row={row} line={line} name={line.name || unnamed} canEdit={false} canChangeStatus={false} />
    </div>
  );
});

interface HeaderProps extends Props<HeaderRow> {
  checked: number;
  total: number;
}

/** A header with its section's progress. */
export const PreviewHeader = memo(function PreviewHeader({ row, line, checked, total }: HeaderProps) {
  return (
    <div className={headerClass(row)}>
      <div className="check-words">
        <Title row={row} line={line} />
        <Details line={line} />
      </div>
      <Marks line={line} />
      <SectionCount checked={checked} total={total} />
    </div>
  );
});

const Details = ({ line: { details } }: { line: Line }) =>
  details.length === 0 ? null : (
    <div className="preview-details">
      <DetailLines details={details} />
    </div>
  );
