import { useEffect, useRef } from 'react';
import { conflicts as words } from '../../../domain/messages.ts';
import { namesIn } from '../../model/checklist/conflict-text.ts';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useBridge } from '../../shell/services/services.ts';
import type { UsedChecklist } from '../checklist-view.tsx';

/**
 * Says in place of the last step that another user's change has brought back a row that this user deleted here.
 * `authorOf` returns the account that made the latest foreign change, if it is known.
 */
export function useReturnedRows({ view, actions }: UsedChecklist, authorOf: () => string | undefined): void {
  const bridge = useBridge();
  const last = useRef({ rows: new Set<string>(), steps: 0 });
  const deleted = useRef(new Set<string>());
  const author = useRef(authorOf);
  useEffect(() => {
    author.current = authorOf;
  });
  useEffect(() => {
    if (!view?.rows) return;
    const { base, model } = view;
    const rows = new Set(view.rows);
    const before = last.current;
    const steps = actions.made.get().length;
    last.current = { rows, steps };
    if (steps > before.steps) for (const id of before.rows) if (id !== '' && !rows.has(id)) deleted.current.add(id);
    const returned = [...deleted.current].filter(id => rows.has(id));
    for (const id of returned) deleted.current.delete(id);
    // An undo by the user shows the row before the server has it.
    const byOthers = returned.filter(id => base.rows?.includes(id));
    if (byOthers.length === 0) return;
    const names = model.rows.flatMap((row, index) => (byOthers.includes(view.rows?.[index] ?? '') ? nameOf(row) : []));
    const by = author.current();
    void namesIn(bridge, [], by === undefined ? [] : [by])
      .then(nameOfAccount => (by === undefined ? '' : nameOfAccount(by)))
      .catch(() => '')
      .then(who => {
        const outcome = Promise.resolve({ base, conflicts: [], notices: [] });
        actions.step(words.broughtBack(who, names), { id: crypto.randomUUID(), outcome });
      });
  }, [view, actions, bridge]);
}
