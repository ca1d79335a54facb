import type { Extension } from '@codemirror/state';
import { collaborators } from './collaboration/collaborators.ts';
import { conflicts } from './collaboration/conflicts.ts';
import { foldedChoices } from './collaboration/folded-choices.ts';
import { pastedRows } from './collaboration/pasted-rows.ts';
import { remote } from './collaboration/remote.ts';
import { remoteChanges } from './collaboration/remote-changes.ts';
import { strandedCursor } from './collaboration/stranded-cursor.ts';
import { undoAmongOthers } from './collaboration/undo.ts';

/**
 * Concurrent editing: remote changes are merged and highlighted for some seconds, conflicts show a choice at their row,
 * and collaborators have name tags at theirs.
 */
export const collaboration: Extension = [
  remoteChanges,
  conflicts,
  foldedChoices,
  collaborators,
  remote,
  pastedRows,
  strandedCursor,
  undoAmongOthers,
];
