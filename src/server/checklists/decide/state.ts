import { DEFAULT_NAME } from '../../../domain/storage.ts';
import { hashText } from '../../common/hash.ts';
import type { CalledWebhook } from '../../events/webhook-calls.ts';
import type { Revision, Version } from '../revisions.ts';
import type { ChangeBase, ChecklistSource } from '../types.ts';
import { addsNoRow, isReadText } from './edit.ts';
import type { Proposal } from './types.ts';

/** The state of the tracker's copies of a checklist that changes and readers need. */
export interface CopiesState {
  /** The verdict (`verdictOf`) of the property's last known value. */
  verdict: string | null;
  /** Milliseconds since the property's last write began. */
  age: number | null;
  notice: string | null;
  /** Text for users: why a copy is not written. `null` for a field that is only off the screen. */
  refused: string | null;
  /** A copy was due for longer than `OVERDUE_AFTER` ago. */
  isOverdue: boolean;
  /** The issue was read within `READ_PAUSE`. */
  isRead: boolean;
}

/** The stored state of an issue's checklist, as far as the proposals need it (`KeysOfProposal`). */
export interface State {
  /** `null` if the issue was never adopted. */
  checklist: { source: ChecklistSource; mirrored: boolean; project: string | null } | null;
  /** The newest revision. */
  last: Version | null;
  copies: CopiesState | null;
  /** The revisions of proposals that were applied before. */
  applied: Revision[];
  /** The newest revision of each requested hash. */
  hashed: Version[];
  /** The revisions at the bases' numbers. */
  numbered: Version[];
  /** The latest revisions and their authors, newest first. */
  recent: (Version & { account: string })[];
  /** The webhooks that are called for changes. */
  webhooks: CalledWebhook[];
}

/** The position of texts that are no revision. */
export const nowhere = { epoch: '', seq: 0, name: DEFAULT_NAME };

/** The state of an issue that the database does not know. */
export const unknownState: State = {
  ...{ checklist: null, last: null, copies: null },
  ...{ applied: [], hashed: [], numbered: [], recent: [], webhooks: [] },
};

/** The newest revision; an empty one if there is none. */
export const currentOf = ({ last }: Pick<State, 'last'>): Version =>
  last ?? { ...nowhere, text: '', hash: hashText(''), rows: [] };

/** How many of the latest revisions are searched for the rows of a text. */
export const MAX_RECENT = 20;
/** How many are searched for a text that was read from the tracker: its author may have read an old one. */
export const MAX_RECENT_OF_FOREIGN = 100;

/** What of the history is loaded for a proposal. */
export interface KeysOfProposal {
  account: string;
  clientId: string;
  base: ChangeBase;
  /** The hashes of the base, and of a text that was read from the tracker: it may equal an old revision. */
  hashes: readonly string[];
  /** How many of the latest revisions may have rows that the base does not have. */
  recent: number;
}

function recentFor({ base, edit }: Proposal): number {
  if (isReadText(edit)) return MAX_RECENT_OF_FOREIGN;
  return base.text === undefined && addsNoRow(edit) ? 0 : MAX_RECENT;
}

export const keysOf = (proposals: readonly Proposal[]): KeysOfProposal[] =>
  proposals.map(proposal => {
    const { account, clientId, base, edit } = proposal;
    const hashes = [base.hash, ...(isReadText(edit) ? [hashText(edit.text)] : [])];
    return { account, clientId, base, hashes, recent: recentFor(proposal) };
  });
