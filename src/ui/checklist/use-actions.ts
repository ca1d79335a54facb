import { useMemo } from 'react';
import type { ChecklistStore, Outcome } from '../../client/checklist.ts';
import { editMessages } from '../../client/edits.ts';
import { failureMessage } from '../../client/errors.ts';
import { targetOf } from '../../text/rows.ts';
import type { Row, Target } from '../../text/types.ts';
import { type Notify, useNotify } from '../app/hooks.ts';
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

/** Tells what an edit led to; a failure with the edit's own message. Resolves when it is stored. */
function teller(notify: Notify) {
  const told = new Set<string>();
  const tell = ({ conflicts, notices }: Outcome) => {
    for (const conflict of conflicts) notify(conflictText(conflict), 'warning');
    // What keeps the other storage from being written is the same for every edit: once is enough.
    for (const notice of notices) {
      if (!told.has(notice)) notify(notice, 'warning');
      told.add(notice);
    }
  };
  return async (edit: Promise<Outcome>, { failure }: { failure: string }) => {
    try {
      tell(await edit);
    } catch (error) {
      notify(failureMessage(error, failure), 'error');
      throw error;
    }
  };
}

/** What can be done to a checklist. It shows at once; failures are told with each action's own message. */
export function useActions(store: ChecklistStore): Actions {
  const notify = useNotify();
  return useMemo(() => {
    const told = teller(notify);
    const unheard = () => undefined;
    const change = (row: Row, slug: string) => {
      const target = place(store, row);
      if (target) told(store.setStatus(target, slug), editMessages.setStatus).catch(unheard);
    };
    return {
      toggle: row => change(row, row.status.checked ? 'todo' : 'done'),
      setStatus: change,
      remove: row => {
        const target = place(store, row);
        if (target) told(store.deleteItem(target), editMessages.deleteItem).catch(unheard);
      },
      add: text => told(store.addItems(text), editMessages.addItems),
    };
  }, [store, notify]);
}
