import { useMemo } from 'react';
import { sections } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import { lineOf } from '../../model/rows/row-segments.ts';
import { useStatusRegistry } from '../../model/statuses.ts';
import { PreviewHeader, PreviewItem } from '../row/static-row.tsx';
import '../checklist.css';
import '../row/row.css';
import './templates.css';

/** Most rows that are shown of a text. */
const MAX_ROWS = 200;

const nothing = () => undefined;

interface Props {
  text: string;
  /** A caption above the row with that index. */
  above?: { index: number; words: string } | undefined;
}

/** A preview of templates as a checklist. */
export function TemplatePreview({ text, above }: Props) {
  const statuses = useStatusRegistry();
  const checklist = useMemo(() => readChecklist(text, statuses), [text, statuses]);
  const owned = useMemo(() => new Map(sections(checklist).map(one => [one.header, one.progress])), [checklist]);
  const { rows } = checklist;
  return (
    <div className="templates-preview check-panel">
      <ul>
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
      {rows.length > MAX_ROWS ? <p className="check-pick-note">And {rows.length - MAX_ROWS} more rows.</p> : null}
    </div>
  );
}
