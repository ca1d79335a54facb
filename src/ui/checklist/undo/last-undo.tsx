import type { History } from '../../model/checklist/undo-history.ts';
import { UndoLine, useUndoKeys } from './undo-line.tsx';
import './last-undo.css';

/** The way back from what was done last, on whichever of several checklists, by keys as well. */
export function LastUndo({ history, say }: { history: History; say(words: string): void }) {
  useUndoKeys(history);
  return <UndoLine history={history} say={say} />;
}
