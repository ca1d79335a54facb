import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { ChecklistStore, Outcome } from '../../client/checklist.ts';
import { editMessages } from '../../client/edits.ts';
import { targetOf } from '../../text/rows.ts';
import type { Row, Target } from '../../text/types.ts';
import { useNotify } from '../app/hooks.ts';
import { conflictText } from './conflict.ts';
import type { RowActions } from './row.tsx';

export interface Actions extends RowActions {
  /** Adds what was typed at the end. Rejects when it could not be stored. */
  add(text: string): Promise<unknown>;
}

/** Where a row is now; `undefined` when it has gone from the screen meanwhile. */
function place(store: ChecklistStore, row: Row): Target | undefined {
  const model = store.get()?.model;
  const index = model?.rows.indexOf(row) ?? -1;
  return model && index >= 0 ? targetOf(model, index) : undefined;
}

/** What can be done to a checklist. It shows at once; failures are told with each action's own message. */
export function useActions(store: ChecklistStore): Actions {
  const notify = useNotify();
  const told = useRef(new Set<string>());
  const tell = ({ conflicts, notices }: Outcome) => {
    for (const conflict of conflicts) notify(conflictText(conflict), 'warning');
    // What keeps the other storage from being written is the same for every edit: once is enough.
    for (const notice of notices) {
      if (!told.current.has(notice)) notify(notice, 'warning');
      told.current.add(notice);
    }
  };
  // Offline too: the edit shows, and its failure is told, instead of waiting unseen for the network.
  const common = { networkMode: 'always', onSuccess: tell } as const;
  const { mutate: setStatus } = useMutation({
    ...common,
    mutationFn: ({ target, slug }: { target: Target; slug: string }) => store.setStatus(target, slug),
    meta: editMessages.setStatus,
  });
  const { mutate: deleteItem } = useMutation({
    ...common,
    mutationFn: (target: Target) => store.deleteItem(target),
    meta: editMessages.deleteItem,
  });
  const { mutateAsync: addItems } = useMutation({
    ...common,
    mutationFn: (text: string) => store.addItems(text),
    meta: editMessages.addItems,
  });
  return useMemo(() => {
    const change = (row: Row, slug: string) => {
      const target = place(store, row);
      if (target) setStatus({ target, slug });
    };
    return {
      toggle: row => change(row, row.status.checked ? 'todo' : 'done'),
      setStatus: change,
      remove: row => {
        const target = place(store, row);
        if (target) deleteItem(target);
      },
      add: addItems,
    };
  }, [store, setStatus, deleteItem, addItems]);
}
