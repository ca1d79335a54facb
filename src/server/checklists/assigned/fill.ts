import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { reading } from '../../../text/read.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist } from '../../../text/types.ts';
import { eachIssue } from '../../common/each.ts';
import { readingText } from '../../common/reading.ts';
import { inSlices } from '../../common/slices.ts';
import { eachInTurn, type OwnTurns } from '../../common/text-turns.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import { lockChecklist } from '../change/state.ts';
import { type Assigners, assigneesIn, assignersBy, indexRows } from '../indexes.ts';
import type { TenantIssue } from '../revisions.ts';
import { history, VERSION, versionShape } from '../revisions.ts';

/*
 * Fills in what index rows of earlier versions lack: section and assigner, read from the issue's history without a call to
 * the tracker. Done issues are marked, so that an interrupted run goes on, and several processes do each issue once.
 */

const BATCH_SIZE = 50;
/** How many revisions of an issue are searched for who assigned its items. */
const MAX_REVISIONS = 200;

const authored = v.array(v.object({ ...versionShape.entries, account: v.string() }));
type Authored = v.InferOutput<typeof authored>[number];

const unfilled = (tx: Tx, tenant: string) =>
  tx.selectFrom('assigned_item').where('tenant', '=', tenant).where('filled', '=', false);

const isUnfilled = async (tx: Tx, { tenant, issue }: TenantIssue): Promise<boolean> =>
  (await unfilled(tx, tenant).select('position').where('issue', '=', issue).limit(1).execute()).length > 0;

/** The newest revisions of an issue, oldest first. */
async function newestOf(tx: Tx, place: TenantIssue, most: number): Promise<Authored[]> {
  const newest = await history(tx, place)
    .select([...VERSION, 'account'])
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc')
    .limit(most)
    .execute();
  return parseAs(authored, newest).reverse();
}

/** Reads who assigned the items of the last of some revisions, each from what it has in common with the one before. */
async function assignersIn(
  turns: OwnTurns,
  [first, ...later]: readonly Authored[],
  statuses: StatusRegistry,
): Promise<Assigners> {
  if (!first) return new Map();
  let last: Checklist | undefined;
  function* step(revision: Authored): Sliced<Parameters<typeof assignersBy>[1][number]> {
    last = yield* reading(revision.text, statuses, last);
    return { account: revision.account, assignees: assigneesIn(last.rows, revision) };
  }
  const steps = await eachInTurn(turns, [first, ...later], ({ text }) => text, step);
  // What the oldest one has may have been assigned before, unless it is the issue's first.
  return first.seq === 1 ? assignersBy(undefined, steps) : assignersBy(steps[0]?.assignees, steps.slice(1));
}

/**
 * Fills in an issue from revisions that are read without its lock: a large change waits for that in its turn. Resolves with
 * whether that is done; not where the issue was changed meanwhile.
 */
async function fillIssue({ store, turns, projectOf, statusesOf }: FillOptions, place: TenantIssue): Promise<boolean> {
  const project = await projectOf(place);
  const statuses = statusesOf(project);
  const revisions = await store.tenant(place.tenant, async tx =>
    (await isUnfilled(tx, place)) ? newestOf(tx, place, MAX_REVISIONS) : undefined,
  );
  // Another process was faster.
  if (!revisions) return true;
  const assigners = await assignersIn(turns, revisions, statuses);
  const last = revisions.at(-1);
  if (last) await inSlices(readingText(last.text, statuses));
  return store.tenant(place.tenant, async tx => {
    await tx.executeQuery(lockChecklist(place));
    if (!(await isUnfilled(tx, place))) return true;
    const [now] = await newestOf(tx, place, 1);
    if (now?.epoch !== last?.epoch || now?.seq !== last?.seq) return false;
    if (last) {
      for (const each of indexRows(place, last, { project, statuses }, assigners)) await tx.executeQuery(each);
    }
    await tx
      .updateTable('assigned_item')
      .set({ filled: true })
      .where('tenant', '=', place.tenant)
      .where('issue', '=', place.issue)
      .execute();
    return true;
  });
}

export interface FillOptions {
  store: Store;
  tenant: string;
  /** The issue's project, where it is known. */
  projectOf(place: TenantIssue): Promise<string | undefined>;
  statusesOf(project: string | undefined): StatusRegistry;
  /** Whose turn the reading of large texts is. */
  turns: OwnTurns;
}

/** Fills in the sections and assigners of a tenant's assigned items. */
export async function fillAssigned(options: FillOptions): Promise<void> {
  const { store, tenant } = options;
  for (;;) {
    const found = await store.tenant(tenant, tx =>
      unfilled(tx, tenant).select('issue').distinct().orderBy('issue').limit(BATCH_SIZE).execute(),
    );
    const ids = found.map(({ issue }) => issue);
    await eachIssue('sections of assigned items', ids, async issue => {
      while (!(await fillIssue(options, { tenant, issue })));
    });
    if (found.length < BATCH_SIZE) return;
  }
}
