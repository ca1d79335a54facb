import { Suspense, useRef, useState } from 'react';
import type { User } from '../../domain/user.ts';
import type { Row } from '../../text/types.ts';
import { useLayer } from '../kit/layers.ts';
import { requiredComponent } from '../kit/lazy/required-component.tsx';
import type { Actions } from '../model/checklist/use-actions.ts';

const StatusMenu = requiredComponent('menu', async () => ({
  default: (await import('../checklist/row/row-layers.tsx')).StatusMenu,
}));
const Assignee = requiredComponent('assignee', async () => {
  const { Assignee } = await import('../checklist/row/assignee-picker.tsx');
  return { default: Assignee };
});

interface Props {
  rows: readonly Row[];
  user: User;
  actions: Actions;
  onDone(): void;
}

/** The toolbar of commands for the selected rows. */
export function Bulk({ rows, user, actions, onDone }: Props) {
  const [open, setOpen] = useState(false);
  const [assigning, setAssigning] = useState(false);
  const assign = useRef<HTMLButtonElement>(null);
  useLayer(assigning, () => setAssigning(false));
  const button = useRef<HTMLButtonElement>(null);
  useLayer(open, () => setOpen(false));
  const items = rows.filter(row => row.kind === 'checkbox');
  const act = (run: () => void) => () => {
    run();
    onDone();
  };
  return (
    <div className="check-bulk" role="toolbar" aria-label="Selected items">
      <span role="status" className="check-bulk-count">
        {rows.length} selected
      </span>
      {user.canChangeItemStatuses && items.length > 0 ? (
        <span className="check-status-control">
          <button
            ref={button}
            type="button"
            className="check-tool"
            aria-haspopup="menu"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            Set status
          </button>
          {open ? (
            <Suspense fallback={null}>
              <StatusMenu
                status={undefined}
                statuses={actions.latest()?.statuses.list ?? []}
                onChoose={slug => act(() => actions.setStatuses(items, slug))()}
                onClose={byKey => {
                  setOpen(false);
                  if (byKey) button.current?.focus();
                }}
              />
            </Suspense>
          ) : null}
        </span>
      ) : null}
      {user.canEditChecklist && items.length > 0 ? (
        <span>
          <button
            ref={assign}
            type="button"
            className="check-tool"
            aria-haspopup="dialog"
            aria-expanded={assigning}
            onClick={() => setAssigning(!assigning)}
          >
            Assign
          </button>
          {assigning ? (
            <Suspense fallback={null}>
              <Assignee
                rows={items}
                name={`${items.length} items`}
                actions={{
                  ...actions,
                  assign: (...what) => {
                    actions.assign(...what);
                    onDone();
                  },
                }}
                onClose={withFocus => {
                  setAssigning(false);
                  if (withFocus) assign.current?.focus();
                }}
              />
            </Suspense>
          ) : null}
        </span>
      ) : null}
      {user.canDeleteChecklistItems ? (
        <button type="button" className="check-tool" onClick={act(() => actions.removeAll(rows))}>
          Delete
        </button>
      ) : null}
      <button
        type="button"
        className="check-tool"
        aria-label="Clear selection"
        title="Clear selection"
        onClick={onDone}
      >
        ✕
      </button>
    </div>
  );
}
