import type { History } from '../../model/checklist/undo-history.ts';
import { UndoLine, useUndoKeys } from './undo-line.tsx';
import '../bar.css';

/** Undo of the last step on one of several checklists, with its keys. */
export function LastUndo({ history, say }: { history: History; say(words: string): void }) {
  useUndoKeys(history);
  return <UndoLine history={history} say={say} />;
}
