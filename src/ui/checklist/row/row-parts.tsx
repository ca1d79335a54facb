import { Checkbox } from '@atlaskit/checkbox';
import type { ComponentProps } from 'react';
import { lozengeOf, type Status } from '../../../domain/statuses.ts';
import type { CheckboxRow, HeaderRow, Progress } from '../../../text/types.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Inline } from '../inline/inline.tsx';
import './row.css';

/** The accessible name of a row without text. */
export const unnamed = 'empty row';

export const itemClass = ({ slug, checked }: Status): string =>
  `check-row check-is-${slug.replaceAll('_', '-')}${checked ? ' check-checked' : ''}`;

export const statusClass = ({ color }: Status): string => `check-status check-status-${lozengeOf[color]}`;

/** ISO due date of an item, if it is not completed. */
export const openDueDate = ({ status, dueDate }: CheckboxRow): string | undefined =>
  status.checked ? undefined : dueDate;

/** An item's checkbox. */
export const Tick = ({ status, ...rest }: { status: Status } & ComponentProps<typeof Checkbox>) => (
  <span className="check-tick">
    <Checkbox {...rest} isChecked={status.checked} isIndeterminate={status.slug === 'in_progress'} />
  </span>
);

interface ItemTextProps {
  row: CheckboxRow;
  id: string;
  segments: Line['text'];
}

/** An item's text with its mandatory mark. */
export const ItemText = ({ row, id, segments }: ItemTextProps) => (
  <span id={id} className="check-text" dir="auto">
    {row.mandatory ? (
      <span className="check-mandatory" title="Mandatory">
        <span aria-hidden="true">!</span>
        <span className="check-hidden">Mandatory: </span>
      </span>
    ) : null}
    {row.text === '' ? (
      <span className="check-hidden">{unnamed}</span>
    ) : (
      <Inline segments={segments} due={openDueDate(row)} />
    )}
  </span>
);

export const headerClass = ({ level }: HeaderRow): string => `check-row check-section check-level-${level}`;

/** Below the heading of the page or dialog. */
const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** A header's text. */
export function Title({ row, line }: { row: HeaderRow; line: Line }) {
  const Level = levels[row.level - 1] ?? 'h6';
  return (
    <Level className="check-title" dir="auto">
      <Inline segments={line.text} />
    </Level>
  );
}

/** A section's progress. */
export const SectionCount = ({ checked, total }: Pick<Progress, 'checked' | 'total'>) =>
  total > 0 ? (
    <span className="check-count">
      <span aria-hidden="true">
        {checked}/{total}
      </span>
      <span className="check-hidden">
        {checked} of {total} done
      </span>
    </span>
  ) : null;

/** The paragraphs of a row's details. */
export const DetailLines = ({ details }: Pick<Line, 'details'>) =>
  details.map((segments, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: details have no ids.
    <p key={index} dir="auto">
      <Inline segments={segments} />
    </p>
  ));
