import { useMemo } from 'react';
import type { Change } from '../../client/changes.ts';
import type { ChecklistStore } from '../../client/checklist.ts';
import { failureMessage } from '../../client/errors.ts';
import { targetOf } from '../../text/rows.ts';
import type { Row, Target } from '../../text/types.ts';
import { useNotify } from '../app/hooks.ts';
import type { RowActions } from './row.tsx';
import { teller } from './tell.ts';

export interface Actions extends RowActions {
  /** Adds what was typed at the end. Whoever typed it hears of its failure, and no flag tells it. */
  add(text: string): Change;
}

/** Where a row is now; `undefined` when it has gone from the screen meanwhile. */
function place(store: ChecklistStore, row: Row): Target | undefined {
  const model = store.get()?.model;
  const index = model?.rows.indexOf(row) ?? -1;
  return model && index >= 0 ? targetOf(model, index) : undefined;
}

/** What can be done to a checklist. It shows at once; what is refused is told. */
export function useActions(store: ChecklistStore): Actions {
  const notify = useNotify();
  return useMemo(() => {
    const tell = teller(notify);
    const told = ({ outcome }: Change) => {
      outcome.then(tell, error => notify(failureMessage(error), 'error'));
    };
    const setStatus = (row: Row, status: string) => {
      const target = place(store, row);
      if (target) told(store.change({ kind: 'setItemStatus', target, status }));
    };
    return {
      toggle: row => setStatus(row, row.status.checked ? 'todo' : 'done'),
      setStatus,
      remove: row => {
        const target = place(store, row);
        if (target) told(store.change({ kind: 'deleteChecklistItem', target }));
      },
      add: text => {
        const change = store.change({ kind: 'addChecklistItemsFromText', text });
        change.outcome.then(tell, () => undefined);
        return change;
      },
    };
  }, [store, notify]);
}
