import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { Section } from '../../../text/progress.ts';
import type { CheckboxRow, Checklist, Row } from '../../../text/types.ts';
import { PreviewHeader, PreviewItem } from '../../checklist/row/static-row.tsx';
import { lineOf } from '../../model/rows/row-segments.ts';

/** Rows that are rendered and removed together while scrolling. */
export const BLOCK = 40;
/** Estimated height of an unmeasured row, in pixels. */
const ROW_HEIGHT = 32;
/** Distance from the visible part within which rows are rendered, above and below. */
const MARGIN = '600px 0px';

interface Props {
  checklist: Checklist;
  /** Index of the first row. */
  start: number;
  keys: readonly number[];
  owned: ReadonlyMap<number, Section>;
  current: Row | undefined;
  editable: boolean;
  onToggle(row: CheckboxRow): void;
  /** Called after rows were rendered, which moves the rows below. */
  onRows(): void;
}

/** Whether two checklists give a block the same rows, counts and cursor. */
function areEqual(a: Props, b: Props): boolean {
  if (a.start !== b.start || a.editable !== b.editable || a.onToggle !== b.onToggle) return false;
  const end = a.start + BLOCK;
  for (let index = a.start; index < end; index++) {
    const row = a.checklist.rows[index];
    if (row !== b.checklist.rows[index] || a.keys[index] !== b.keys[index]) return false;
    if (row === undefined) break;
    if ((row === a.current) !== (row === b.current)) return false;
    const [before, now] = [a.owned.get(index)?.progress, b.owned.get(index)?.progress];
    if (before?.checked !== now?.checked || before?.total !== now?.total) return false;
  }
  return true;
}

/** A block of rows, rendered only near the visible part. */
export const Block = memo(function Block(props: Props) {
  const { checklist, start, keys, owned, current, editable, onToggle, onRows } = props;
  const rows = checklist.rows.slice(start, start + BLOCK);
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined');
  const [height, setHeight] = useState<number | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      entries => {
        // Fast scrolling reports several entries at once; the last is current.
        const entry = entries.at(-1);
        if (!entry) return;
        if (!entry.isIntersecting) setHeight(entry.boundingClientRect.height);
        setNear(entry.isIntersecting);
      },
      { root: element.closest('.preview-scroll'), rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (near) onRows();
  }, [near, onRows]);
  return (
    <ul ref={list} className="preview-block" style={near ? undefined : { height: height ?? rows.length * ROW_HEIGHT }}>
      {near &&
        rows.map((row, offset) => {
          const index = start + offset;
          const line = lineOf(checklist, index, row);
          const progress = owned.get(index)?.progress;
          return (
            <li
              key={keys[index]}
              className="preview-row"
              data-key={keys[index]}
              aria-current={row === current ? 'true' : undefined}
            >
              {row.kind === 'header' ? (
                <PreviewHeader row={row} line={line} checked={progress?.checked ?? 0} total={progress?.total ?? 0} />
              ) : (
                <PreviewItem row={row} line={line} editable={editable} onToggle={onToggle} />
              )}
            </li>
          );
        })}
    </ul>
  );
}, areEqual);
