import { useCallback, useState } from 'react';
import type { Change } from '../../client/changes.ts';
import type { ChecklistStore } from '../../client/checklist.ts';
import { failureMessage } from '../../client/errors.ts';
import { getRevision, type HistoryEntry, type Position } from '../../client/history.ts';
import { inverses } from '../../client/outbox/inverse.ts';
import type { Base } from '../../client/reading.ts';
import { failures } from '../../domain/messages.ts';
import { outcomeNotifier } from '../model/checklist/use-checklist.ts';
import { useBridge, useGraphql, useNotify } from '../shell/services/services.ts';

/** What was done here last. */
export interface Done {
  /** As it is told. */
  words: string;
  /** What the text was, and what it became. */
  before: string;
  after: Base;
}

export interface TakeBack {
  /** Makes a change that is the opposite of what was done then; what came later stays. */
  undo(entry: HistoryEntry): Promise<void>;
  /** Makes the whole text what it was then. */
  restore(position: Position): Promise<void>;
  /** What was done last, as long as it is not taken back itself. */
  done: Done | undefined;
  takeBack(): Promise<void>;
  busy: boolean;
}

/** Goes back in an issue's history, one event or the whole text; each is a change like any other, and can be undone. */
export function useRevert(store: ChecklistStore, issueId: string): TakeBack {
  const bridge = useBridge();
  const graphql = useGraphql();
  const notify = useNotify();
  const [done, setDone] = useState<Done | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  const work = useCallback(
    async (words: string, start: () => Promise<Change | undefined>) => {
      setBusy(true);
      try {
        await store.prepare();
        const before = store.get()?.text ?? '';
        const change = await start();
        if (!change) return notify('There is nothing left of it to undo.', 'info');
        const outcome = await change.outcome;
        outcomeNotifier(bridge, notify)(outcome);
        setDone({ words, before, after: outcome.base });
      } catch (error) {
        notify(failureMessage(error, failures.updateChecklist), 'error');
      } finally {
        setBusy(false);
      }
    },
    [store, bridge, notify],
  );

  const textAt = async (position: Position | null): Promise<string> => {
    if (!position) return '';
    const { epoch, seq } = position;
    return (await graphql.query(getRevision, { issueId, epoch, seq })).checklistRevision.text;
  };
  const turn = (before: string, after: Base) => {
    const now = store.get()?.model;
    const [inverse] = now ? inverses(before, after, now, () => true) : [];
    return inverse && store.change(inverse.edit, inverse.base);
  };
  const undone = async (entry: HistoryEntry) => {
    const { epoch, seq } = entry;
    return turn(await textAt(entry.previous), { epoch, seq, text: await textAt(entry) });
  };

  return {
    done,
    busy,
    undo: entry => work('That change is undone.', () => undone(entry)),
    restore: ({ epoch, seq }) =>
      work('That version is restored.', async () => store.change({ kind: 'restoreChecklistRevision', epoch, seq })),
    takeBack: async () => {
      if (!done) return;
      const { before, after } = done;
      await work('It is as it was before.', async () => turn(before, after));
    },
  };
}
