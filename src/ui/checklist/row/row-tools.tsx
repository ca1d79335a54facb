import AddIcon from '@atlaskit/icon/core/add';
import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import { Suspense } from 'react';
import type { CheckboxRow, Row } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { statusClass } from './row-parts.tsx';
import type { OpenPart } from './use-open-part.ts';

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

const loadMenu = async () => ({ default: (await import('./row-layers.tsx')).StatusMenu });
const StatusMenu = lazyComponent(loadMenu);

interface StatusProps {
  row: CheckboxRow;
  actions: RowActions;
  /** The item's name, for the control's accessible name. */
  item: string;
  editable: boolean;
  tab: 0 | -1;
  opened: OpenPart;
}

/**
 * An item's status in the colours of the kit's lozenge, with a menu to set another one. The kit's lozenge and menu are
 * larger than the rest of the panel: the menu is preloaded on hover and focus.
 */
export function StatusControl({ row, actions, item, editable, tab, opened }: StatusProps) {
  const { status } = row;
  const look = statusClass(status);
  if (!editable) return <span className={look}>{status.name}</span>;
  const open = opened.part === 'status';
  const prepare = () => void loadMenu().catch(() => undefined);
  return (
    <span className="check-status-control">
      <button
        type="button"
        className={look}
        tabIndex={tab}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`Status of ${item}: ${status.name}`}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => (open ? opened.close('status', true) : opened.open('status'))}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          opened.open('status');
        }}
      >
        {status.name}
      </button>
      {open ? (
        <Suspense fallback={null}>
          <StatusMenu
            status={status}
            statuses={actions.latest()?.statuses.list ?? []}
            onChoose={slug => {
              opened.close('status', true);
              if (slug !== status.slug) actions.setStatus(row, slug);
            }}
            onClose={withFocus => opened.close('status', withFocus)}
          />
        </Suspense>
      ) : null}
    </span>
  );
}
