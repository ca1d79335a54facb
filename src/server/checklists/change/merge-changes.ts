import type { Conflict } from '../../../text/merge.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { hashText } from '../../common/hash.ts';
import { nowhere } from '../copies/stored.ts';
import type { Revision, Version } from '../revisions.ts';
import type { ChangeOutcome, ChecklistSource, PreparedChange } from '../types.ts';
import type { Settled } from './batches.ts';
import { type EarlierVersion, mergeChange, refuseOther, type Start, startOf } from './merge-change.ts';
import { MAX_RECENT, MAX_RECENT_OF_FOREIGN, type Requested, type State } from './state.ts';

/** A change to apply, and its author. */
export interface Proposal {
  account: string;
  change: PreparedChange;
  /** Most items of the resulting checklist. */
  limit: number;
}

/** Kinds of changes that add no row. */
const rowless: readonly PreparedChange['kind'][] = ['deleteChecklistItem', 'clearChecklist', 'moveChecklistItem'];

function recentFor({ base, keepsRows, kind, readText }: PreparedChange): number {
  if (readText !== undefined) return MAX_RECENT_OF_FOREIGN;
  return base.text !== undefined || !(keepsRows || rowless.includes(kind)) ? MAX_RECENT : 0;
}

export const requestedOf = (proposals: readonly Proposal[]): Requested =>
  proposals.map(({ account, change }) => ({
    ...{ account, client: change.clientId, base: change.base },
    hashes: [change.base.hash, ...(change.readText === undefined ? [] : [hashText(change.readText)])],
    recent: recentFor(change),
  }));

/** The parts of an outcome besides the checklist. */
interface OutcomeDetails {
  source?: ChecklistSource;
  conflicts?: readonly Conflict<string>[];
  notice: string | null | undefined;
}

const outcomeOf = (
  issueId: string,
  { epoch, seq, hash, name, text, rows: rowIds }: Version,
  { source = 'PROPERTY', conflicts = [], notice }: OutcomeDetails,
): ChangeOutcome => ({
  checklist: { issueId, epoch, seq, hash, name, text, rowIds, source },
  conflicts: [...conflicts],
  notices: notice ? [notice] : [],
});

/** The newest revision; an empty one where there is none. */
export const currentOf = ({ last }: Pick<State, 'last'>): Version =>
  last ?? { ...nowhere, text: '', hash: hashText(''), rows: [] };

const isSame = (one: Version, other: Version) => one.epoch === other.epoch && one.seq === other.seq;

/**
 * Revisions before a change, newest first: those of this transaction and the latest ones, as many as were loaded, and
 * those that were loaded by number or hash.
 */
function earlierThan({ recent, hashed, numbered }: State, revisions: readonly Revision[]): EarlierVersion[] {
  const latest = [...revisions.toReversed(), ...recent].slice(0, Math.max(MAX_RECENT, recent.length));
  const all: readonly EarlierVersion[] = [...latest, ...numbered, ...hashed];
  return all.filter((version, index) => all.findIndex(each => isSame(each, version)) === index);
}

/** The outcomes of proposals, in their order, and the revisions to store. The last proposals have none where `most` was reached. */
export interface MergedChanges {
  outcomes: Settled<ChangeOutcome>[];
  revisions: readonly Revision[];
}

/** The settings of a merge. */
export interface MergeContext {
  issue: string;
  /** The installation's epoch. */
  epoch: string;
  statuses: StatusRegistry;
  /** New revisions get higher numbers than this. */
  floor?: number;
  /** Most characters of the texts that changes are merged into, beyond the first change: nothing else runs meanwhile. */
  most?: number;
}

/**
 * Applies each proposal to its own base and merges it into the newest revision. A refusal affects only its own proposal.
 * Repetitions of a client id have the same outcome.
 */
export function* mergeChanges(
  { issue, epoch, statuses, floor = 0, most = Number.POSITIVE_INFINITY }: MergeContext,
  state: State,
  proposals: readonly Proposal[],
): Sliced<MergedChanges> {
  const notice = state.copies?.notice;
  const settled = new Map<string, Settled<ChangeOutcome>>();
  const keyOf = (account: string, client: string) => JSON.stringify([account, client]);
  for (const revision of state.applied) {
    const value = outcomeOf(issue, revision, { conflicts: revision.conflicts, notice });
    settled.set(keyOf(revision.account, revision.client), { value });
  }

  let current = currentOf(state);
  let source = state.checklist?.source ?? 'NONE';
  const highest = Math.max(floor, current.epoch === epoch ? current.seq : 0);
  const revisions: Revision[] = [];
  const starts = new Map<string, Start>(
    [...state.hashed, ...state.numbered, current].map(version => [version.hash, version]),
  );
  let [merged, characters] = [0, 0];
  for (const { account, change, limit } of proposals) {
    const key = keyOf(account, change.clientId);
    if (characters > most) break;
    merged += 1;
    if (settled.has(key)) continue;
    characters += current.text.length;
    try {
      refuseOther(change.base, current);
      const start = startOf(change.base, starts, current, statuses);
      const input = { start, current, earlier: earlierThan(state, revisions), limit, statuses };
      const revision = yield* mergeChange(account, change, input, { epoch, seq: highest + revisions.length + 1 });
      if (revision) {
        revisions.push(revision);
        current = revision;
        source = 'PROPERTY';
      }
      settled.set(key, { value: outcomeOf(issue, current, { source, conflicts: revision?.conflicts ?? [], notice }) });
    } catch (error) {
      settled.set(key, { error });
    }
  }
  const outcomes = proposals
    .slice(0, merged)
    .map(({ account, change }) => settled.get(keyOf(account, change.clientId)));
  return { outcomes: outcomes.flatMap(outcome => outcome ?? []), revisions };
}
