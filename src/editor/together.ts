import type { Extension } from '@codemirror/state';
import { arrivals } from './together/arrivals.ts';
import { conflicts } from './together/conflicts.ts';
import { peers } from './together/peers.ts';
import { remote } from './together/remote.ts';
import { undone } from './together/undone.ts';

/**
 * One text in several hands: what others change comes in and is marked for some seconds, what two changed alike is asked
 * at its row, and others have their names at the rows where they are.
 */
export const together: Extension = [arrivals, conflicts, peers, remote, undone];
