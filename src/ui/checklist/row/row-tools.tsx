import AddIcon from '@atlaskit/icon/core/add';
import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import type { Row } from '../../../text/types.ts';

/** The list's commands for its rows. */
export interface RowTools {
  /** Opens an input below an item, or at the end of a header's own items. */
  addBelow(row: Row): void;
  fold(row: Row, closed: boolean): void;
  /** Moves an item, or a header with its section, before the row of that index. */
  moveTo(row: Row, index: number): void;
}

export interface ListedProps {
  tools: RowTools;
  /** 0 for the list's one tab stop (roving tabindex). */
  tab: 0 | -1;
  canMove: boolean;
  canAdd: boolean;
}

/** The drag handle. By keyboard, Alt and the arrow keys move the row. */
export const Handle = ({ shown }: { shown: boolean }) =>
  shown ? <span className="check-handle" aria-hidden="true" /> : null;

export function AddBelow({ row, tools, tab, canAdd }: Omit<ListedProps, 'canMove'> & { row: Row }) {
  if (!canAdd) return null;
  const where = row.kind === 'header' ? 'in section' : 'below';
  return (
    <button
      type="button"
      className="check-plus"
      tabIndex={tab}
      aria-label={`Add an item ${where} ${row.text}`.trim()}
      onClick={() => tools.addBelow(row)}
    >
      <AddIcon label="" />
    </button>
  );
}

interface FoldProps {
  row: Row;
  tools: RowTools;
  tab: 0 | -1;
  folded: boolean;
}

/** Opens and closes a section. */
export const Fold = ({ row, tools, tab, folded }: FoldProps) => (
  <button
    type="button"
    className="check-fold"
    data-main
    tabIndex={tab}
    aria-expanded={!folded}
    aria-label={`Section ${row.text}`}
    onClick={() => tools.fold(row, !folded)}
  >
    <ChevronDownIcon label="" />
  </button>
);
