import { decide } from '../../../src/server/checklists/decide/decide.ts';
import {
  currentOf,
  type KeysOfProposal,
  keysOf,
  MAX_RECENT,
  type Revision,
  type State,
  type Version,
} from '../../../src/server/checklists/decide/state.ts';
import type { AcceptedChange, Decision, Proposal } from '../../../src/server/checklists/decide/types.ts';
import type { ChangeBase, ChangeOutcome } from '../../../src/server/checklists/service/types.ts';
import { refusedBy } from '../../../src/server/errors/refused.ts';
import { hashText } from '../../../src/server/text-workers/hash.ts';
import { readerBy } from '../../../src/server/text-workers/reading.ts';
import { carry, type Identified } from '../../../src/text/identity.ts';
import { builtIn } from '../../../src/text/status-registry.ts';

export const ISSUE = '10001';
const EPOCH = 'e';
const STATUSES: readonly [] = [];

/** A seed of ids for each decision of a test. */
export const seedOf = (number: number): string => number.toString(16).padStart(32, '0');

/** The rows' ids after a change; a new row's id is its number. */
export function carryRows(before: Identified, after: string, firstId = before.rows.length): string[] {
  let next = firstId;
  const newId = () => `row-${String(next++).padStart(4, '0')}`;
  return carry(before, after, [], readerBy(builtIn, newId));
}

/** A revision of the history. */
export const versionOf = (seq: number, text: string, rows: readonly string[]): Version => ({
  ...{ epoch: EPOCH, seq, hash: hashText(text), name: 'Checklist', text, rows: [...rows] },
});

/** A proposal of an account on the newest revision, with defaults for what a test does not care about. */
export const proposalOf = (edit: Proposal['edit'], values: Partial<Proposal> = {}): Proposal => ({
  account: 'me',
  clientId: 'change',
  base: { epoch: '', seq: 0, hash: '-', orCurrent: true },
  edit,
  maxItems: Number.POSITIVE_INFINITY,
  ...values,
});

/** A state with the given revisions, newest first, all of them loaded. */
export const stateOf = (versions: readonly Version[], values: Partial<State> = {}): State => ({
  checklist: { source: 'PROPERTY', mirrored: true, project: null },
  last: versions[0] ?? null,
  ...{ copies: null, conflictSeq: 0, applied: [], hashed: [...versions], numbered: [], webhooks: [] },
  recent: versions.map(version => ({ ...version, account: 'me' })),
  ...values,
});

/** The result of a change. Throws the refusal or error of another one. */
export function madeOf(outcome: Decision['outcomes'][number] | undefined): AcceptedChange {
  if (!outcome) throw new Error('A change has no outcome.');
  if ('refusal' in outcome) throw refusedBy(outcome.refusal);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** How many revisions are newer than a base, as far as a decision is given them. */
const newerThanBases = ([last]: readonly Revision[], keys: readonly KeysOfProposal[]) =>
  Math.max(0, Math.min(MAX_RECENT, (last?.seq ?? 0) - Math.min(...keys.map(({ base }) => base.seq))));

/** The revisions of one checklist in memory, and decisions on changes of it. */
export function createHistory() {
  const revisions: Revision[] = [];
  let decisions = 0;

  /** The number of the newest revision with conflicts; 0 without one. */
  const conflictSeq = () => revisions.findLast(({ conflicts }) => conflicts.length > 0)?.seq ?? 0;

  /** Finds the state that the database would load for some proposals. */
  function load(keys: readonly KeysOfProposal[]): State {
    const newest = revisions.toReversed();
    const found = <Key>(all: Iterable<Key>, is: (revision: Revision, key: Key) => boolean) =>
      [...all].flatMap(key => newest.find(revision => is(revision, key)) ?? []);
    const hashes = new Set(keys.flatMap(key => key.hashes));
    return {
      checklist: { source: 'PROPERTY', mirrored: true, project: null },
      last: newest[0] ?? null,
      copies: null,
      conflictSeq: conflictSeq(),
      applied: found(keys, ({ account, client }, key) => account === key.account && client === key.clientId),
      hashed: found(hashes, ({ hash }, wanted) => hash === wanted),
      numbered: found(keys, ({ epoch, seq }, { base }) => epoch === base.epoch && seq === base.seq),
      recent: newest.slice(0, Math.max(newerThanBases(newest, keys), ...keys.map(({ recent }) => recent))),
      webhooks: [],
    };
  }

  return {
    /** Oldest first. */
    revisions: revisions as readonly Revision[],
    conflictSeq,
    newest: (): Version => currentOf({ last: revisions.at(-1) ?? null }),
    /** Decides on changes in one transaction, and stores the revisions. */
    decide(proposals: readonly Proposal[]): Decision {
      const decision = decide({
        ...{ issue: ISSUE, epoch: EPOCH, state: load(keysOf(proposals)), proposals, statuses: STATUSES },
        ...{ project: undefined, seed: seedOf(++decisions), now: 0 },
      });
      revisions.push(...decision.revisions);
      return decision;
    },
  };
}

/** A base that is known, or one that is sent with its text. */
type Base = ChangeBase & { rowIds?: readonly string[] };

/** A checklist in memory, whose users change it one after the other. */
export function createIssue() {
  const { conflictSeq, decide, newest, revisions } = createHistory();
  let asked = 0;
  function change(edit: Proposal['edit'], base: Base, account = 'me'): ChangeOutcome {
    const { epoch, seq, hash } = base;
    asked += 1;
    const known = base.rowIds ? { epoch, seq, hash } : base;
    return madeOf(decide([proposalOf(edit, { account, clientId: String(asked), base: known })]).outcomes[0]);
  }
  const read = () => {
    const { rows, ...version } = newest();
    return { ...version, rowIds: rows, conflictSeq: conflictSeq() };
  };
  return {
    revisions,
    read,
    change,
    edit: (edit: Proposal['edit']) => change(edit, read()),
    /** Restores the revision of a number. */
    restore: (seq: number, base: Base) => {
      const source = revisions.find(revision => revision.seq === seq);
      if (!source) throw new Error('No revision.');
      return change({ kind: 'restoreChecklistRevision', epoch: EPOCH, seq, source }, base);
    },
    lines: () => newest().text.trim().split('\n'),
  };
}
