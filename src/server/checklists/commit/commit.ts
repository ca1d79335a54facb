import type { CompiledQuery } from 'kysely';
import { api } from '../../../domain/messages.ts';
import { refusedBy } from '../../errors/refused.ts';
import { registryPrint } from '../../statuses/registries.ts';
import type { Exchanged } from '../../store/store.ts';
import { MAX_CHARACTERS_HERE, type RunTask } from '../../text-workers/task.ts';
import { currentOf, keysOf, type State } from '../decide/state.ts';
import type { AcceptedChange, Decision, Outcome, Proposal } from '../decide/types.ts';
import type { TenantIssue } from '../read/revisions.ts';
import type { Site } from '../service/site.ts';
import { adopt, loadAdopted } from './adopt.ts';
import { batchOf, createBatches, isLarge, ofFirstAuthor } from './batches.ts';
import { loadState, lockChecklist, readState } from './load.ts';
import { runDecision } from './run-decision.ts';
import { type DecisionDetails, storeDecision } from './store.ts';

/*
 * The path of a change (docs/storage.md, "A change"): a request becomes a proposal (request.ts), which is batched with
 * others of its issue; the checklist is locked and loaded (load.ts), `decide` says what becomes of it, and that is stored
 * (store.ts). A dry run is the same without a lock and without storing.
 */

/**
 * How much text one transaction may merge, in a turn and without one, before it leaves the rest to the next. Keeps the lock
 * to milliseconds. The first change always runs.
 */
const MERGE_BUDGET_CHARS = { inTurn: 32_768, without: MAX_CHARACTERS_HERE / 2 } as const;

/** Options of a commit. */
export interface CommitOptions extends Pick<DecisionDetails, 'key' | 'unwritten'> {
  /** The id of the issue's project as just read. */
  project?: string | undefined;
  /** New revisions get higher numbers than this. */
  floor?: number;
  mergeBudgetChars?: number;
  /** Decides nothing if the tracker may hold revisions that the database lacks. */
  refusesGap?: boolean;
  /** More statements for the transaction; the first may be a demand (`mustHold`). May run twice (`inTurnIfLarge`). */
  also?(decision: Decision, state: State, run: RunTask): Promise<readonly CompiledQuery<unknown>[]>;
}

/** Why nothing was decided: the issue is not adopted yet, or the tracker may hold revisions that the database lacks. */
type Missing = 'issue' | 'revisions';

/**
 * Whether a base has a number of this installation that the database did not give: a backup was restored, and the tracker
 * may hold the lost revisions.
 */
function hasGap(epoch: string, { last, copies }: State, proposals: readonly Proposal[]): boolean {
  const lastNumber = last?.epoch === epoch ? last.seq : 0;
  const isBeyond = proposals.some(({ base }) => base.epoch === epoch && base.seq > lastNumber);
  return isBeyond && copies !== null && !copies.isRead;
}

/**
 * Decides on proposals for one checklist and stores the decision, in one transaction of two round trips without a call to the
 * tracker. `run` runs tasks within the transaction: of a turn, or only small ones.
 */
export async function commit(
  site: Site,
  place: TenantIssue,
  proposals: readonly Proposal[],
  run: RunTask,
  { project: readProject, key, unwritten, floor = 0, refusesGap = false, also, ...limits }: CommitOptions = {},
): Promise<Outcome[] | Missing> {
  const { store, tenant, queue } = site;
  const { epoch } = tenant;
  const registries = await site.registries();
  const statements = [lockChecklist(place), loadState(place, epoch, keysOf(proposals))] as const;
  const committed = await store.exchange(
    tenant.id,
    statements,
    async ([, loaded]): Promise<Exchanged<Missing | { outcomes: Outcome[]; isDue: boolean }>> => {
      const state = readState(loaded.rows[0]);
      if (!state.checklist) return { statements: [], value: 'issue' };
      if (refusesGap && hasGap(epoch, state, proposals)) return { statements: [], value: 'revisions' };
      const project = readProject ?? state.checklist.project ?? undefined;
      const statuses = registries.listOf(project);
      const decision = await runDecision(run, {
        ...{ issue: place.issue, epoch, state, proposals, statuses, project, floor },
        ...limits,
      });
      const registry = registryPrint(registries.of(project));
      const stored = storeDecision(site, place, state, decision, { project, key, registry, unwritten });
      return {
        statements: [...((await also?.(decision, state, run)) ?? []), ...stored.statements],
        value: { outcomes: decision.outcomes, isDue: stored.dueAfter === 0 },
      };
    },
  );
  if (typeof committed === 'string') return committed;
  if (committed.isDue) queue.wake();
  return committed.outcomes;
}

/** Commits changes of users, after reading an unknown issue or missing revisions from the tracker. */
async function commitChanges(site: Site, place: TenantIssue, proposals: readonly Proposal[]): Promise<Outcome[]> {
  const { texts } = site;
  const attempt = (refusesGap: boolean) => {
    const inTurn = (run: RunTask) =>
      commit(site, place, ofFirstAuthor(proposals), run, { refusesGap, mergeBudgetChars: MERGE_BUDGET_CHARS.inTurn });
    const without = (run: RunTask) =>
      commit(site, place, proposals, run, { refusesGap, mergeBudgetChars: MERGE_BUDGET_CHARS.without });
    return isLarge(proposals) ? texts.inCountedTurn(inTurn) : texts.inTurnIfLarge(without, inTurn);
  };
  const first = await attempt(true);
  if (typeof first !== 'string') return first;
  if (first === 'issue') await adopt(site, place);
  // Without an answer of the tracker, the change is merged into the stored revisions.
  else await site.refresh(place.issue).catch(site.onError);
  const second = await attempt(false);
  if (typeof second === 'string') throw new Error(`Issue ${place.issue} was forgotten while it changed.`);
  return second;
}

/** Returns the result of an accepted change. Throws the refusal or error of another one. */
function madeOf(outcome: Outcome | undefined): AcceptedChange {
  if (!outcome) throw new Error('A change has no outcome.');
  if ('refusal' in outcome) throw refusedBy(outcome.refusal);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** A permitted change of a site's issue. */
export interface Work {
  site: Site;
  issue: string;
  proposal: Proposal;
}

/** Makes each change once, however often it is requested. Rejects with `Refused`. */
export type Changes = (work: Work) => Promise<AcceptedChange>;

/**
 * Concurrent changes of an issue share a transaction. Large ones wait for their author's turn; each is counted from the
 * beginning, while it waits for others of the checklist.
 */
export function createChanges(): Changes {
  const batches = createBatches<Work, Outcome>(async (place, works) => {
    const [first] = works;
    if (!first) return [];
    const proposals = batchOf(works.map(({ proposal }) => proposal));
    return commitChanges(first.site, place, proposals);
  });
  return async work => {
    const { site, issue, proposal } = work;
    const { tenant } = site;
    // Grouped by epoch: changes of an uninstalled installation are refused without those of the next one.
    const run = () => batches({ tenant: tenant.id, issue }, tenant.epoch, work);
    return madeOf(await (isLarge([proposal]) ? site.texts.count(run) : run()));
  };
}

/**
 * Decides on a change now, and stores nothing. Epoch, number and hash of the result are those of the current revision.
 * Rejects as the change would.
 */
export async function dryRun({ site, issue, proposal }: Work): Promise<AcceptedChange> {
  const { tenant } = site;
  const state = await loadAdopted(site, { tenant: tenant.id, issue }, keysOf([proposal]));
  const project = state.checklist?.project ?? undefined;
  const statuses = (await site.registries()).listOf(project);
  const current = currentOf(state);
  const input = { issue, epoch: tenant.epoch, state, proposals: [proposal], statuses, project };
  const { outcomes } = await runDecision(site.texts.run, input);
  const { checklist, notices, item, ...outcome } = madeOf(outcomes[0]);
  const { epoch, seq, hash } = current;
  return {
    ...outcome,
    checklist: { ...checklist, epoch, seq, hash },
    notices: [...notices, ...(item ? [api.wouldConvert(item.summary)] : [])],
  };
}
