import { Checkbox } from '@atlaskit/checkbox';
import { memo, useId } from 'react';
import { lozengeOf } from '../../../domain/statuses.ts';
import type { CheckboxRow, HeaderRow, Row } from '../../../text/types.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Inline } from '../inline/inline.tsx';
import './row.css';

interface Props<Kind extends Row = Row> {
  row: Kind;
  line: Line;
}

export interface ItemProps extends Props<CheckboxRow> {
  editable: boolean;
  onToggle(row: CheckboxRow): void;
}

/** An item as in the panel, with its checkbox as the only control. */
export const PreviewItem = memo(function PreviewItem({ row, line, editable, onToggle }: ItemProps) {
  const words = useId();
  const { status } = row;
  return (
    <div className={`check-row check-is-${status.slug.replaceAll('_', '-')}${status.checked ? ' check-checked' : ''}`}>
      <span className="check-tick">
        <Checkbox
          aria-labelledby={words}
          isChecked={status.checked}
          isIndeterminate={status.slug === 'in_progress'}
          isDisabled={!editable}
          onChange={() => onToggle(row)}
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
            <span className="check-hidden">empty row</span>
          ) : (
            <Inline segments={line.text} due={status.checked ? undefined : row.dueDate} />
          )}
        </span>
        <Details line={line} />
      </div>
      {status.slug === 'todo' ? null : (
        <span className={`check-status check-status-${lozengeOf[status.color]}`}>{status.name}</span>
      )}
    </div>
  );
});

export interface HeaderProps extends Props<HeaderRow> {
  checked: number;
  total: number;
}

/** Below the dialog's own heading. */
const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** A header with its section's progress. */
export const PreviewHeader = memo(function PreviewHeader({ row, line, checked, total }: HeaderProps) {
  const Level = levels[row.level - 1] ?? 'h6';
  return (
    <div className={`check-row check-section check-level-${row.level}`}>
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
    </div>
  );
});

const Details = ({ line }: { line: Line }) =>
  line.details.length === 0 ? null : (
    <div className="preview-details">
      {line.details.map((segments, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: details have no ids.
        <p key={index} dir="auto">
          <Inline segments={segments} />
        </p>
      ))}
    </div>
  );
