import type { CompiledQuery } from 'kysely';
import { namedAuthor } from '../../../domain/person.ts';
import { readText } from '../../common/reading.ts';
import type { Exchanged } from '../../store/store.ts';
import { adopt } from '../adopt.ts';
import { markDue, verdictOf } from '../copies/due.ts';
import { announceAssigned, clearStatuses, indexRows } from '../indexes.ts';
import { putProject } from '../project.ts';
import { addRevisions, putForeignPosition, putPosition, type TenantIssue } from '../revisions.ts';
import type { Site } from '../site.ts';
import type { ChangeOutcome, ChecklistSource, PreparedChange } from '../types.ts';
import { createBatches, type Settled } from './batches.ts';
import { type MergedChanges, mergeChanges, type Proposal, requestedOf } from './merge-changes.ts';
import { loadState, lockChecklist, readState, type State } from './state.ts';

/** People named in what is told of a change, which has room for little. */
const MOST_NAMED = 10;

/** What a transaction does besides its changes. */
export interface Extras {
  /** No number up to this one is given. */
  floor?: number;
  /** What stands in the tracker changed, at that source: where nothing of ours is written yet, nothing is written now either. */
  unwritten?: ChecklistSource;
  /** Nothing is applied where the tracker may hold revisions that the database does not. */
  notBehind?: boolean;
  /** The project in which the issue was found just now. */
  project?: string | undefined;
  /** Statements of the same transaction, the first of which may be a demand, by what was decided. */
  also?(decision: MergedChanges, state: State): readonly CompiledQuery<unknown>[];
}

/** Stores revisions of a checklist whose lock is held, what is looked up by them, and that the copies are due. */
function storing(
  site: Site,
  place: TenantIssue,
  { revisions }: MergedChanges,
  state: State,
  rows: Rows,
  unwritten: Unwritten,
) {
  const { tenant, queue } = site;
  const last = revisions.at(-1);
  if (!last) return { statements: [], after: undefined };
  const { epoch, seq } = last;
  const by = [...new Set(revisions.map(({ account }) => namedAuthor(account)))].slice(0, MOST_NAMED);
  const statements = [
    announceAssigned(place, { kind: 'checklist', issue: place.issue, by }, rows.of(last.text)),
    ...addRevisions(place, revisions),
    ...indexRows(place, last, rows),
  ];
  if (unwritten && !state.checklist?.mirrored) {
    return {
      statements: [...statements, putForeignPosition({ ...place, epoch, seq, source: unwritten })],
      after: undefined,
    };
  }
  const due = markDue(place, verdictOf(rows.of(last.text)), state, tenant.mirror !== 'none');
  const enqueued = queue.enqueue('sync', place, { after: due.after, key: place.issue });
  return {
    statements: [...statements, putPosition({ ...place, epoch, seq }), due.statement, enqueued],
    after: due.after,
  };
}
type Unwritten = Extras['unwritten'];

/** How a text's rows are read. */
interface Rows {
  project: string | undefined;
  statuses: Parameters<typeof readText>[1];
  of(text: string): ReturnType<typeof readText>['rows'];
}

/** Stores that the issue is in another project now, and what is looked up by the newest revision. */
const moving = (place: TenantIssue, { last }: State, rows: Rows): CompiledQuery<unknown>[] => [
  ...(rows.project === undefined ? [] : [putProject({ ...place, project: rows.project })]),
  // The project that it left may have had statuses of its own, and this one none.
  clearStatuses(place),
  ...(last ? indexRows(place, last, rows) : []),
];

/** Why nothing was applied: the issue was not adopted yet, or the tracker may hold revisions that the database does not. */
type Missing = 'issue' | 'revisions';

interface Applied {
  outcomes: Settled<ChangeOutcome>[];
  /** A copy is to be written at once. */
  isDue: boolean;
}

/**
 * A change starts from a number of this installation that the database did not give: a backup was restored, and the tracker
 * may hold what was lost.
 */
const isBehind = (epoch: string, { last, copies }: State, proposals: readonly Proposal[]): boolean => {
  const given = last?.epoch === epoch ? last.seq : 0;
  const isBeyond = proposals.some(({ change: { base } }) => base.epoch === epoch && base.seq > given);
  return isBeyond && copies !== null && !copies.isRead;
};

/** Applies proposals to one checklist in one transaction of two round trips, without a call to the tracker (design.md §4.1). */
export async function applyProposals(
  site: Site,
  place: TenantIssue,
  proposals: readonly Proposal[],
  { floor = 0, unwritten, notBehind = false, project: found, also }: Extras = {},
): Promise<Settled<ChangeOutcome>[] | Missing> {
  const { store, tenant, queue } = site;
  const registries = await site.registries();
  const load = loadState(place, tenant.epoch, requestedOf(proposals));
  const done = await store.exchange(
    tenant.id,
    [lockChecklist(place), load],
    ([, loaded]): Exchanged<Missing | Applied> => {
      const state = readState(loaded.rows[0]);
      if (!state.checklist) return { statements: [], value: 'issue' };
      if (notBehind && isBehind(tenant.epoch, state, proposals)) return { statements: [], value: 'revisions' };
      const project = found ?? state.checklist.project ?? undefined;
      const statuses = registries.of(project);
      const rows: Rows = { project, statuses, of: text => readText(text, statuses).rows };
      const decision = mergeChanges({ issue: place.issue, epoch: tenant.epoch, statuses, floor }, state, proposals);
      const stored = storing(site, place, decision, state, rows, unwritten);
      const more = also?.(decision, state) ?? [];
      const moved = project === (state.checklist.project ?? undefined) ? [] : moving(place, state, rows);
      return {
        statements: [...more, ...moved, ...stored.statements],
        value: { outcomes: decision.outcomes, isDue: stored.after === 0 },
      };
    },
  );
  if (typeof done === 'string') return done;
  if (done.isDue) queue.wake();
  return done.outcomes;
}

/** The same for users: what the database does not know of an issue it is told by the tracker first. */
async function applyAll(
  site: Site,
  place: TenantIssue,
  proposals: readonly Proposal[],
): Promise<Settled<ChangeOutcome>[]> {
  const done = await applyProposals(site, place, proposals, { notBehind: true });
  if (typeof done !== 'string') return done;
  if (done === 'issue') await adopt(site, place);
  // Where the tracker does not answer, the change is merged with what is known.
  else await site.refresh(place.issue).catch(site.onError);
  const again = await applyProposals(site, place, proposals);
  if (typeof again === 'string') throw new Error(`Issue ${place.issue} was forgotten while it changed.`);
  return again;
}

/** A change, and what it goes through. */
export interface Work {
  site: Site;
  account: string;
  change: PreparedChange;
}

/** Makes changes once each, however often they are requested (design.md §4.1). */
export type Changes = (work: Work) => Promise<ChangeOutcome>;

/** Applies changes once each, however often they are requested, those that come together in one transaction. */
export function createTransactions(): Changes {
  const batches = createBatches<Work, ChangeOutcome>(async (place, works) => {
    const [first] = works;
    if (!first) return [];
    const { site } = first;
    return applyAll(
      site,
      place,
      works.map(({ account, change }) => ({ account, change, limit: site.itemLimit })),
    );
  });
  // A change that an installation requested that is gone by now is refused, and none of the next one along with it.
  return work => {
    const { id, epoch } = work.site.tenant;
    return batches({ tenant: id, issue: work.change.issueId }, epoch, work);
  };
}
