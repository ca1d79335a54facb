import { memo, useId, useMemo } from 'react';
import { sections } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import type { CheckboxRow, HeaderRow, Row } from '../../../text/types.ts';
import { type Line, lineOf } from '../../model/rows/row-segments.ts';
import { useStatusRegistry } from '../../model/use-statuses.ts';
import { Inline } from '../inline/inline.tsx';
import { Meta } from './row-content.tsx';
import { DetailLines, headerClass, ItemText, itemClass, SectionCount, Tick, Title, unnamed } from './row-parts.tsx';
import './row.css';
import '../checklist.css';
import '../templates.css';

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
      {line.tail.marks.length > 0 ? (
        <span className="check-meta check-marks">
          <Inline segments={line.tail.marks} />
        </span>
      ) : null}
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

/** The maximum number of rows that are shown of a text. */
const MAX_ROWS = 200;

const nothing = () => undefined;

interface TemplatePreviewProps {
  text: string;
  /** A caption above the row with that index. */
  above?: { index: number; words: string } | undefined;
}

/** A preview of templates as a checklist. */
export function TemplatePreview({ text, above }: TemplatePreviewProps) {
  const statuses = useStatusRegistry();
  const checklist = useMemo(() => readChecklist(text, statuses), [text, statuses]);
  const owned = useMemo(() => new Map(sections(checklist).map(one => [one.header, one.progress])), [checklist]);
  const { rows } = checklist;
  return (
    <div className="check-panel">
      <ul className="static-rows">
        {rows.slice(0, MAX_ROWS).map((row, index) => {
          const line = lineOf(checklist, index, row);
          const progress = owned.get(index);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key but their order.
            <li key={index} className="preview-row">
              {above?.index === index ? <p className="templates-above">{above.words}</p> : null}
              {row.kind === 'header' ? (
                <PreviewHeader row={row} line={line} checked={progress?.checked ?? 0} total={progress?.total ?? 0} />
              ) : (
                <PreviewItem row={row} line={line} editable={false} onToggle={nothing} />
              )}
            </li>
          );
        })}
      </ul>
      {rows.length > MAX_ROWS ? <p className="check-pick-note">And {rows.length - MAX_ROWS} more.</p> : null}
    </div>
  );
}
