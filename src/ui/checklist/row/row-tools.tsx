import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import type { Row } from '../../../text/types.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import type { Line } from '../../model/rows/row-segments.ts';

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

export interface RowProps<Kind extends Row = Row> extends ListedProps {
  row: Kind;
  /** The row's text and details as segments. */
  line: Line;
  actions: RowActions;
  canChangeStatus: boolean;
  canDelete: boolean;
  canEdit: boolean;
}

/** The drag handle. By keyboard, Alt and the arrow keys move the row. */
export const Handle = ({ shown }: { shown: boolean }) =>
  shown ? <span className="check-handle" aria-hidden="true" /> : null;

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
    aria-label={`Section ${row.words}`}
    onClick={() => tools.fold(row, !folded)}
  >
    <ChevronDownIcon label="" />
  </button>
);
