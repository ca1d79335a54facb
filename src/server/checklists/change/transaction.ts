import type { CompiledQuery } from 'kysely';
import { namedAuthor } from '../../../domain/person.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { Turns } from '../../common/mutex.ts';
import { readText } from '../../common/reading.ts';
import { inSlices } from '../../common/slices.ts';
import type { Exchanged } from '../../store/store.ts';
import { adopt } from '../adopt.ts';
import { markDue, verdictOf } from '../copies/due.ts';
import { announceAssigned, assignersOf, clearStatuses, indexRows } from '../indexes.ts';
import { putProject } from '../project.ts';
import { addRevisions, putForeignPosition, putPosition, type TenantIssue } from '../revisions.ts';
import type { Site } from '../site.ts';
import type { ChangeOutcome, ChecklistSource, PreparedChange } from '../types.ts';
import { announcing } from './announce.ts';
import { batchOf, createBatches, isLarge, type Settled } from './batches.ts';
import { currentOf, type MergedChanges, mergeChanges, type Proposal, requestedOf } from './merge-changes.ts';
import { loadState, lockChecklist, readState, type State } from './state.ts';

/** How many authors an event names: its size is limited. */
const MAX_NAMED_AUTHORS = 10;

/**
 * How much text one transaction may merge before it leaves the rest to the next. Keeps the lock to milliseconds. The first
 * change always runs.
 */
const MERGE_BUDGET_CHARS = 32_768;

/** Options of a transaction. */
export interface Extras {
  /** New revisions get higher numbers than this. */
  floor?: number;
  /** The source of a foreign change. Where the app has written nothing to the issue yet, it does not start to. */
  unwritten?: ChecklistSource;
  /** Applies nothing where the tracker may hold revisions that the database lacks. */
  notBehind?: boolean;
  /** Leaves the last proposals without an outcome where there are many of a large checklist. */
  inParts?: boolean;
  /** The issue's project and key as just read. */
  project?: string | undefined;
  key?: string | undefined;
  /** More statements for the transaction, by its decision; the first may be a demand. */
  also?(decision: MergedChanges, state: State): readonly CompiledQuery<unknown>[];
}

/** The statements that store revisions, update the indexes and mark the copies due. Needs the checklist's lock. */
function* storing(
  site: Site,
  place: TenantIssue,
  { revisions }: MergedChanges,
  state: State,
  rows: Rows,
  unwritten: Unwritten,
): Sliced<{ statements: CompiledQuery<unknown>[]; after: number | undefined }> {
  const { tenant, queue } = site;
  const last = revisions.at(-1);
  if (!last) return { statements: [], after: undefined };
  const { epoch, seq } = last;
  const by = [...new Set(revisions.map(({ account }) => namedAuthor(account)))].slice(0, MAX_NAMED_AUTHORS);
  const statements: CompiledQuery<unknown>[] = [
    announceAssigned(place, { kind: 'checklist', issue: place.issue, by, epoch, seq }, rows.of(last.text)),
    ...addRevisions(place, revisions),
  ];
  yield;
  statements.push(...indexRows(place, last, rows, assignersOf(state.last, revisions, rows.of)));
  yield;
  statements.push(
    ...announcing(queue, place, { ...rows, webhooks: state.webhooks, before: currentOf(state), revisions }),
  );
  yield;
  if (unwritten && !state.checklist?.mirrored) {
    return {
      statements: [...statements, putForeignPosition({ ...place, epoch, seq, source: unwritten })],
      after: undefined,
    };
  }
  const due = markDue(place, verdictOf(readText(last.text, rows.statuses)), state, tenant.mirror !== 'none');
  const enqueued = queue.enqueue('sync', place, { after: due.after, key: place.issue });
  return {
    statements: [...statements, putPosition({ ...place, epoch, seq }), due.statement, enqueued],
    after: due.after,
  };
}
type Unwritten = Extras['unwritten'];

/** Reads the rows of texts. */
interface Rows {
  project: string | undefined;
  key?: string | undefined;
  statuses: Parameters<typeof readText>[1];
  of(text: string): ReturnType<typeof readText>['rows'];
}

/** The statements that store the issue's new project and index the newest revision again. */
const moving = (place: TenantIssue, { last }: State, rows: Rows): CompiledQuery<unknown>[] => [
  ...(rows.project === undefined ? [] : [putProject({ ...place, project: rows.project, key: rows.key ?? null })]),
  // The old project may have had custom statuses, and the new one none.
  clearStatuses(place),
  ...(last ? indexRows(place, last, rows) : []),
];

/** Why nothing was applied: the issue is not adopted yet, or the tracker may hold revisions that the database lacks. */
type Missing = 'issue' | 'revisions';

interface Applied {
  outcomes: Settled<ChangeOutcome>[];
  /** Whether a copy is due immediately. */
  isDue: boolean;
}

/**
 * Whether a base has a number of this installation that the database did not give: a backup was restored, and the tracker
 * may hold the lost revisions.
 */
const isBehind = (epoch: string, { last, copies }: State, proposals: readonly Proposal[]): boolean => {
  const given = last?.epoch === epoch ? last.seq : 0;
  const isBeyond = proposals.some(({ change: { base } }) => base.epoch === epoch && base.seq > given);
  return isBeyond && copies !== null && !copies.isRead;
};

/** Applies proposals to one checklist in one transaction of two round trips, without a call to the tracker (docs/storage.md, "A change"). */
export async function applyProposals(
  site: Site,
  place: TenantIssue,
  proposals: readonly Proposal[],
  { floor = 0, unwritten, notBehind = false, inParts = false, project: found, key, also }: Extras = {},
): Promise<Settled<ChangeOutcome>[] | Missing> {
  const { store, tenant, queue } = site;
  const registries = await site.registries();
  const load = loadState(place, tenant.epoch, requestedOf(proposals));
  const done = await store.exchange(
    tenant.id,
    [lockChecklist(place), load],
    async ([, loaded]): Promise<Exchanged<Missing | Applied>> => {
      const state = readState(loaded.rows[0]);
      if (!state.checklist) return { statements: [], value: 'issue' };
      if (notBehind && isBehind(tenant.epoch, state, proposals)) return { statements: [], value: 'revisions' };
      const project = found ?? state.checklist.project ?? undefined;
      const statuses = registries.of(project);
      const rows: Rows = { project, key, statuses, of: text => readText(text, statuses).rows };
      const context = {
        issue: place.issue,
        epoch: tenant.epoch,
        statuses,
        floor,
        ...(inParts && { most: MERGE_BUDGET_CHARS }),
      };
      const decision = await inSlices(mergeChanges(context, state, proposals));
      const stored = await inSlices(storing(site, place, decision, state, rows, unwritten));
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

/** The same for changes of users, after reading an unknown issue or missing revisions from the tracker. */
async function applyAll(
  site: Site,
  place: TenantIssue,
  proposals: readonly Proposal[],
  inTurn: Turns,
): Promise<Settled<ChangeOutcome>[]> {
  const owner = { tenant: site.tenant, account: proposals[0]?.account ?? '' };
  const apply = (extras: Extras) => {
    const work = () => applyProposals(site, place, proposals, { ...extras, inParts: true });
    return isLarge(proposals) ? inTurn.waited(owner, work) : work();
  };
  const done = await apply({ notBehind: true });
  if (typeof done !== 'string') return done;
  if (done === 'issue') await adopt(site, place);
  // Without an answer of the tracker, the change is merged into the known revisions.
  else await site.refresh(place.issue).catch(site.onError);
  const again = await apply({});
  if (typeof again === 'string') throw new Error(`Issue ${place.issue} was forgotten while it changed.`);
  return again;
}

/** A change with its author and dependencies. */
export interface Work {
  site: Site;
  account: string;
  change: PreparedChange;
}

/** Makes each change once, however often it is requested (docs/storage.md, "A change"). */
export type Changes = (work: Work) => Promise<ChangeOutcome>;

/**
 * Applies each change once, however often it is requested; concurrent changes share a transaction, and large ones wait for
 * their author's turn: each is counted from the beginning, while it waits for others of the checklist.
 */
export function createTransactions(inTurn: Turns): Changes {
  const batches = createBatches<Work, ChangeOutcome>(async (place, works) => {
    const batch = batchOf(works);
    const [first] = batch;
    if (!first) return [];
    const { site } = first;
    return applyAll(
      site,
      place,
      batch.map(({ account, change }) => ({ account, change, limit: site.itemLimit })),
      inTurn,
    );
  });
  // Grouped by epoch: changes of an uninstalled installation are refused without those of the next one.
  return work => {
    const { tenant } = work.site;
    const run = () => batches({ tenant: tenant.id, issue: work.change.issueId }, tenant.epoch, work);
    return isLarge([work]) ? inTurn.waiting({ tenant, account: work.account }, run) : run();
  };
}
