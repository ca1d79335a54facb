import * as v from 'valibot';
import { DEFAULT_NAME } from '../../../domain/storage.ts';
import type { TemplateUses } from '../../templates/uses.ts';
import { hashText } from '../../text-workers/hash.ts';
import type { ChangeBase, ChecklistSource } from '../service/types.ts';
import { addsNoRow, isReadText } from './edit.ts';
import type { Proposal } from './types.ts';
import { calledWebhooksShape } from './webhook-calls.ts';

/** The rows' persistent ids, in the rows' order; empty if they are not known. */
export const rowIdsShape = v.fallback(v.array(v.string()), []);

export const versionShape = v.object({
  epoch: v.string(),
  seq: v.number(),
  hash: v.string(),
  name: v.string(),
  text: v.string(),
  rows: rowIdsShape,
});
/** A stored text, and its position in the history. */
export type Version = v.InferOutput<typeof versionShape>;

/** An unreadable list counts as empty: it only informs users. */
export const conflictsShape = v.fallback(
  v.array(
    v.object({
      row: v.string(),
      attribute: v.string(),
      mine: v.string(),
      theirs: v.string(),
      rowId: v.optional(v.nullable(v.string())),
    }),
  ),
  [],
);

export const revisionShape = v.object({
  ...versionShape.entries,
  account: v.string(),
  client: v.string(),
  kind: v.string(),
  conflicts: conflictsShape,
});
/** An entry of the history: author, kind, conflicts and the resulting text. */
export interface Revision extends v.InferOutput<typeof revisionShape> {
  /** The change of the templates that the issue uses. */
  uses?: TemplateUses | undefined;
}

const sources = ['PROPERTY', 'FIELD', 'REVISION', 'NONE'] as const satisfies readonly ChecklistSource[];

/** The state of the tracker's copies of a checklist that changes and readers need. */
const copiesShape = v.object({
  /** The verdict (`verdictOf`) of the property's last known value. */
  verdict: v.nullable(v.string()),
  /** Milliseconds since the property's last write began. */
  age: v.nullable(v.number()),
  notice: v.nullable(v.string()),
  /** Text for users: why a copy is not written. `null` for a field that is only off the screen. */
  refused: v.nullable(v.string()),
  /** A copy lacks a change for longer than its write takes. */
  isOverdue: v.boolean(),
  /** The field is due as long as it lacks the newest revision, because its own is known, or it was made due. */
  isFieldKnown: v.boolean(),
  /** The issue was read a moment ago (`READ_PAUSE` in commit/load.ts). */
  isRead: v.boolean(),
});

export const stateShape = v.object({
  /** `null` if the issue was never adopted. */
  checklist: v.nullable(
    v.object({
      source: v.fallback(v.picklist(sources), 'REVISION'),
      mirrored: v.boolean(),
      project: v.nullable(v.string()),
    }),
  ),
  /** The newest revision. */
  last: v.nullable(versionShape),
  /** The number of the newest revision with conflicts, of the newest revision's epoch; 0 without one. */
  conflictSeq: v.number(),
  copies: v.nullable(copiesShape),
  /** The revisions of proposals that were applied before. */
  applied: v.array(revisionShape),
  /** The newest revision of each requested hash. */
  hashed: v.array(versionShape),
  /** The revisions at the bases' numbers. */
  numbered: v.array(versionShape),
  /** The latest revisions and their authors, newest first. */
  recent: v.array(v.object({ ...versionShape.entries, account: v.string() })),
  /** The webhooks that are called for changes. */
  webhooks: calledWebhooksShape,
});
/** The stored state of an issue's checklist, as far as the proposals need it (`KeysOfProposal`). */
export type State = v.InferOutput<typeof stateShape>;

/** The position of texts that are no revision. */
export const noPosition = { epoch: '', seq: 0, name: DEFAULT_NAME };

/** The state of an issue that the database does not know. */
export const unknownState: State = {
  ...{ checklist: null, last: null, copies: null, conflictSeq: 0 },
  ...{ applied: [], hashed: [], numbered: [], recent: [], webhooks: [] },
};

/** The newest revision; an empty one if there is none. */
export const currentOf = ({ last }: Pick<State, 'last'>): Version =>
  last ?? { ...noPosition, text: '', hash: hashText(''), rows: [] };

/** At most this many of the latest revisions are searched for the rows of a text. */
export const MAX_RECENT = 20;
/** For a text from the tracker more revisions are searched, as its author may have read an old revision. */
export const MAX_RECENT_OF_FOREIGN = 100;

/** The part of the history that is loaded for a proposal. */
export interface KeysOfProposal {
  account: string;
  clientId: string;
  base: ChangeBase;
  /** The hashes of the base, and of a text that was read from the tracker: it may equal an old revision. */
  hashes: readonly string[];
  /**
   * How many of the latest revisions may have rows that the base does not have. Those that are newer than the base are
   * loaded in any case, at most `MAX_RECENT`.
   */
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
