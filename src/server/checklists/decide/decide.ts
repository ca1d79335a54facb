import { asRefusal } from '../../errors/refusal.ts';
import { Refused, refusalOf } from '../../errors/refused.ts';
import { readerBy, registryBy } from '../../text-workers/reading.ts';
import { comparison, textTask } from '../../text-workers/task.ts';
import type { ChecklistSource } from '../service/types.ts';
import { consequencesOf } from './consequences.ts';
import { isReadText, sizeOf } from './edit.ts';
import { createIds } from './ids.ts';
import {
  type BaseText,
  type EarlierVersion,
  findBase,
  findItem,
  mergeChange,
  refuseOtherBase,
} from './merge-change.ts';
import { currentOf, MAX_RECENT, type Revision, type State, type Version } from './state.ts';
import type { AcceptedChange, DecideInput, Decision, Edit, Outcome, Proposal } from './types.ts';

/** The new and the loaded revisions before a change, newest first, each once. */
function earlierThan({ recent, hashed, numbered }: State, revisions: readonly Revision[]): EarlierVersion[] {
  const latest = [...revisions.toReversed(), ...recent].slice(0, Math.max(MAX_RECENT, recent.length));
  const byNumber = new Map<string, EarlierVersion>();
  for (const version of [...latest, ...numbered, ...hashed]) {
    const number = `${version.epoch} ${version.seq}`;
    if (!byNumber.has(number)) byNumber.set(number, version);
  }
  return [...byNumber.values()];
}

/** Applies each proposal to its own base, and merges it into the newest revision. A refusal affects only its own proposal. */
function mergeProposals(
  {
    issue,
    epoch,
    state,
    proposals,
    statuses: entries,
    floor = 0,
    mergeBudgetChars = Number.POSITIVE_INFINITY,
  }: DecideInput,
  newId: () => string,
): Pick<Decision, 'outcomes' | 'revisions'> {
  const statuses = registryBy(entries);
  const reader = readerBy(statuses, newId);
  const revisions: Revision[] = [];
  const outcomes: Outcome[] = [];
  /** The outcomes of changes that have a revision or left everything as it is, by author and key. */
  const decided = new Map<string, Outcome>();
  const keyOf = (account: string, clientId: string) => JSON.stringify([account, clientId]);

  let current = currentOf(state);
  let { conflictSeq } = state;
  let source: ChecklistSource = state.checklist?.source ?? 'NONE';
  const byHash = new Map<string, BaseText>(
    [...state.hashed, ...state.numbered, current].map(version => [version.hash, version]),
  );
  const lastNumber = Math.max(floor, current.epoch === epoch ? current.seq : 0);

  const outcomeOf = (
    { epoch, seq, hash, name, text, rows: rowIds }: Version,
    from: ChecklistSource,
    details: Partial<AcceptedChange> = {},
  ): AcceptedChange => ({
    checklist: { issueId: issue, epoch, seq, hash, name, text, rowIds, conflictSeq, source: from },
    conflicts: [],
    notices: state.copies?.notice ? [state.copies.notice] : [],
    ...details,
  });

  function decideOne(proposal: Proposal): AcceptedChange {
    const { base, edit } = proposal;
    refuseOtherBase(base, current);
    const input = {
      base: findBase(base, byHash, current, statuses),
      ...{ current, earlier: earlierThan(state, revisions), statuses, reader },
    };
    if (edit.kind === 'convertItemToIssue' && edit.issueKey === undefined)
      return outcomeOf(current, source, { item: findItem(edit, input) });
    const number = { epoch, seq: lastNumber + revisions.length + 1 };
    const { revision, findings } = mergeChange(proposal, input, number);
    if (revision) {
      revisions.push(revision);
      current = revision;
      if (revision.conflicts.length > 0) conflictSeq = revision.seq;
      source = 'PROPERTY';
    }
    return outcomeOf(current, source, { conflicts: revision?.conflicts ?? [], ...(proposal.findings && { findings }) });
  }

  for (const revision of state.applied) {
    const { account, client, conflicts } = revision;
    decided.set(keyOf(account, client), { value: outcomeOf(revision, 'PROPERTY', { conflicts }) });
  }
  let mergedChars = 0;
  for (const proposal of proposals) {
    if (mergedChars > mergeBudgetChars) break;
    const key = keyOf(proposal.account, proposal.clientId);
    const earlier = decided.get(key);
    if (earlier) {
      outcomes.push(earlier);
      continue;
    }
    mergedChars += current.text.length;
    const outcome = settle(() => decideOne(proposal));
    outcomes.push(outcome);
    // A conversion comes again with its key when its issue has a key.
    if (!('value' in outcome && outcome.value.item)) decided.set(key, outcome);
  }
  return { outcomes, revisions };
}

/** Turns expected errors into refusals. */
function settle(work: () => AcceptedChange): Outcome {
  try {
    return { value: work() };
  } catch (error) {
    const refused = asRefusal(error);
    return refused instanceof Refused ? { refusal: refusalOf(refused) } : { error };
  }
}

/**
 * Decides on changes of one checklist: what becomes of each, the new revisions, and what follows from them. Pure: input and
 * output are plain data, and equal input gives equal output.
 */
export function decide(input: DecideInput): Decision {
  const ids = createIds(input.seed);
  const { outcomes, revisions } = mergeProposals(input, ids.row);
  return { outcomes, revisions, ...consequencesOf(input, revisions, ids) };
}

/** A new text without a base's row ids. */
function unnamedText(edit: Edit): string {
  if (isReadText(edit)) return edit.text;
  return edit.kind === 'updateChecklistFromText' && !edit.rows ? edit.text : '';
}

/** About how many characters a proposal reads besides the newest revision. */
function ownCharacters(proposal: Proposal, { last, hashed, recent, numbered }: State): number {
  const { edit, base } = proposal;
  const isOnNewest = base.orCurrent === true || base.hash === last?.hash;
  const isKnown = isOnNewest || hashed.some(({ hash }) => hash === base.hash);
  // The base of a text from elsewhere, and one that no revision has, is looked for in all.
  const isSearched = isReadText(edit) || !isKnown;
  const searched = isSearched ? [...recent, ...numbered, ...hashed] : [];
  const comparisons = (isOnNewest ? 1 : 3) * comparison(unnamedText(edit), last?.text ?? '');
  return searched.reduce((sum, { text }) => sum + text.length, sizeOf(proposal) + comparisons);
}

/** About how many characters a decision reads. */
function charactersOf({ state, proposals, project, mergeBudgetChars = Number.POSITIVE_INFINITY }: DecideInput): number {
  const current = state.last?.text.length ?? 0;
  if (proposals.length === 0) return project === (state.checklist?.project ?? undefined) ? 0 : current;
  const merged = Math.min(current * proposals.length, mergeBudgetChars + current);
  return proposals.reduce((sum, proposal) => sum + ownCharacters(proposal, state), merged);
}

export const decision = textTask({ name: 'decide', run: decide, charactersOf });
