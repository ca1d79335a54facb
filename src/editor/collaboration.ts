import type { Extension } from '@codemirror/state';
import { peers } from './collaboration/collaborators.ts';
import { conflicts } from './collaboration/conflicts.ts';
import { remote } from './collaboration/remote.ts';
import { arrivals } from './collaboration/remote-changes.ts';
import { undone } from './collaboration/undo.ts';

/**
 * One text in several hands: what others change comes in and is marked for some seconds, what two changed alike is asked
 * at its row, and others have their names at the rows where they are.
 */
export const together: Extension = [arrivals, conflicts, peers, remote, undone];
