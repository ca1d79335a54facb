import { useEffect, useMemo, useRef } from 'react';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { mayMake } from '../../../domain/change.ts';
import { refusals } from '../../../domain/messages.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import { useNotify } from '../../shell/hooks.ts';
import { createHistory, type History } from './undo-history.ts';
import type { Actions } from './use-actions.ts';

/** What was done to a checklist from here and can be taken back, by whoever may. */
export function useUndo(store: ChecklistStore, { made }: Actions, flags: PermissionFlags): History {
  const notify = useNotify();
  /** What somebody may do may become another while the way back stays. */
  const rights = useRef(flags);
  useEffect(() => {
    rights.current = flags;
  }, [flags]);
  const history = useMemo(
    () =>
      createHistory(store, made, {
        all: () => rights.current.canEditChecklist,
        may: edit => mayMake(rights.current, edit),
        onForbidden: () => notify(refusals.permission, 'error'),
      }),
    [store, made, notify],
  );
  useEffect(() => history.start(), [history]);
  return history;
}
