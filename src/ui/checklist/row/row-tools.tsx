import AddIcon from '@atlaskit/icon/core/add';
import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import type { Row } from '../../../text/types.ts';

/** What the list adds to each of its rows. */
export interface RowTools {
  /** Opens an input below an item, or at the end of a header's own items. */
  addBelow(row: Row): void;
  fold(row: Row, closed: boolean): void;
  /** Puts a row, a header with its section, before the row of that index. */
  moveTo(row: Row, index: number): void;
}

export interface ListedProps {
  tools: RowTools;
  /** Whether the row is the list's one stop for the Tab key; its arrow keys lead to the others. */
  tab: 0 | -1;
  canMove: boolean;
  canAdd: boolean;
}

/** By which a pointer takes the row. The keyboard moves it by Alt and the arrow keys. */
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
