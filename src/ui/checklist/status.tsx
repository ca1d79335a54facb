import { lazy, Suspense, useRef, useState } from 'react';
import { lozengeOf, type Status } from '../../domain/statuses.ts';
import { useLayer } from '../parts/layers.ts';

const loadMenu = () => import('./menu.tsx');
const StatusMenu = lazy(loadMenu);

interface Props {
  status: Status;
  /** The item's words, for those who hear the control's name. */
  item: string;
  editable: boolean;
  tab: 0 | -1;
  onChange(slug: string): void;
}

/**
 * An item's status by name, in the colours of the kit's lozenge, and the menu to choose another one. The kit's own
 * lozenge and menu weigh more than the rest of the panel: the menu comes when a pointer or the focus is near it.
 */
export function StatusControl({ status, item, editable, tab, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayer(open, () => setOpen(false));
  const look = `check-status check-status-${lozengeOf[status.color]}`;
  if (!editable) return <span className={look}>{status.name}</span>;
  const close = (withFocus: boolean) => {
    setOpen(false);
    if (withFocus) button.current?.focus();
  };
  const prepare = () => void loadMenu().catch(() => undefined);
  return (
    <span className="check-status-control">
      <button
        ref={button}
        type="button"
        className={look}
        tabIndex={tab}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`Status of ${item}: ${status.name}`}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {status.name}
      </button>
      {open ? (
        <Suspense fallback={null}>
          <StatusMenu
            status={status}
            onChoose={slug => {
              close(true);
              if (slug !== status.slug) onChange(slug);
            }}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </span>
  );
}
