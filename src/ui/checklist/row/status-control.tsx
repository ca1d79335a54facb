import { Suspense } from 'react';
import type { CheckboxRow } from '../../../text/types.ts';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { statusClass } from './row-parts.tsx';
import type { OpenPart } from './use-open-part.ts';

const loadMenu = () => import('./status-menu.tsx');
const StatusMenu = lazyComponent(loadMenu);

interface Props {
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
export function StatusControl({ row, actions, item, editable, tab, opened }: Props) {
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
