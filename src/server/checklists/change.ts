import { randomUUID } from 'node:crypto';
import { hashText } from '../../text/document.ts';
import type { Tx } from '../store/tables.ts';
import { readIssue, type TrackerIssue } from '../tracker/issue.ts';
import { actorOf } from './actor.ts';
import { commit, repair } from './commit.ts';
import type { Lease, Leases } from './lease.ts';
import { markBehind, queueField } from './mirror.ts';
import { tooLarge } from './property.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { type Known, loadKnown, type Place, type Revision, revisionsOf, type Version, versionsOf } from './revisions.ts';
import { settle } from './settle.ts';
import { fieldIfKnown, type Site } from './site.ts';
import { type Start, startOf, stepOf } from './step.ts';
import { firstStored, storedProperty, storedSeq } from './stored.ts';
import { createTurns, type Settled } from './turns.ts';
import type { Change, ChangeOutcome, ChecklistSource, Conflict } from './types.ts';

/** Somebody's change, and what it goes through. */
export interface Work {
  site: Site;
  account: string;
  change: Change;
}

/** What our own tables say before the tracker is asked. */
export interface Loaded {
  known: Known;
  /** What was made already of the changes that are asked for. */
  made: readonly Revision[];
  /** The versions that they start from. */
  bases: readonly Version[];
}

export async function loadFor(tx: Tx, place: Place, epoch: string, works: readonly Work[]): Promise<Loaded> {
  const clients = works.map(({ account, change }) => ({ account, client: change.clientId }));
  return {
    known: await loadKnown(tx, place, epoch),
    made: await revisionsOf(tx, place, clients),
    bases: await versionsOf(
      tx,
      place,
      works.map(({ change }) => change.base),
    ),
  };
}

/** What was found of an issue once its turn has come. */
interface Situation extends Loaded, Reconciled {
  issue: TrackerIssue;
}

/** Reads the tracker, settles what was left open, and finds out what others wrote. */
async function lookAround(
  site: Site,
  place: Place,
  lease: Lease,
  { loaded, works }: { loaded: Loaded; works: readonly Work[] },
): Promise<Situation> {
  const { store, tenant, tracker } = site;
  const [issue, fieldId] = await Promise.all([readIssue(tracker, place.issue), fieldIfKnown(site)]);
  const { intent } = loaded.known;
  const settled = intent !== null && (await settle(site, place, lease, { issue, intent }));
  const now = settled ? await store.tenant(tenant.id, tx => loadFor(tx, place, tenant.epoch, works)) : loaded;
  return { ...now, ...(await reconcile(site, place, { issue, fieldId }, now.known)), issue };
}

/** What others wrote, as revisions from that number on. */
async function foreignRevisions(site: Site, place: Place, { foreign }: Reconciled, seq: number): Promise<Revision[]> {
  if (foreign.length === 0) return [];
  const account = await actorOf(site, place);
  const { epoch } = site.tenant;
  return Promise.all(
    foreign.map(async ({ kind, name, text, rows, conflicts }, index) => {
      const version = { epoch, seq: seq + index, hash: await hashText(text), name, text, rows: [...rows] };
      // With a blank, which no client's id has.
      return { ...version, account, client: `foreign ${randomUUID()}`, kind, conflicts };
    }),
  );
}

/** The texts from which a client may have started, by hash: ours, and what the tracker shows. */
async function startsOf({ issue, current, bases }: Situation): Promise<ReadonlyMap<string, Start>> {
  const texts = [firstStored(issue, undefined), storedProperty(issue)].flatMap(found => ('text' in found ? found : []));
  const seen = [...texts.map(({ text }): Start => ({ text })), current];
  const hashed = await Promise.all(seen.map(async start => [await hashText(start.text), start] as const));
  return new Map<string, Start>([...hashed, ...bases.map(version => [version.hash, version] as const)]);
}

const outcomeOf = (
  issueId: string,
  { epoch, seq, hash, name, text }: Omit<Version, 'rows'>,
  { source = 'PROPERTY', conflicts = [], notice }: Told,
): ChangeOutcome => ({
  checklist: { issueId, epoch, seq, hash, name, text, source },
  conflicts: [...conflicts],
  notices: notice ? [notice] : [],
});

/** What an answer says besides the checklist. */
interface Told {
  source?: ChecklistSource;
  conflicts?: readonly Conflict[];
  notice: string | null | undefined;
}

/** Where nothing else is written: the property and the field may still have to be put right. */
async function putRight(site: Site, place: Place, lease: Lease, here: Situation): Promise<void> {
  const { issue, known, differs } = here;
  const { last, mirror } = known;
  if (!last) return;
  if (here.repair) await repair(site, place, lease, { issue, last });
  if (!differs || mirror?.behind) return;
  await site.store.tenant(site.tenant.id, tx => markBehind(tx, place));
  queueField(site, place.issue);
}

/**
 * Makes the changes that wait for an issue, each on its own base and merged in turn, as one write of the property and
 * a revision each; one that is refused refuses only itself. Without changes it takes in what others wrote.
 */
export async function workOff(
  site: Site,
  place: Place,
  lease: Lease,
  { loaded, works }: { loaded: Loaded; works: readonly Work[] },
): Promise<Settled<ChangeOutcome>[]> {
  const { issue: issueId } = place;
  const notice = loaded.known.mirror?.notice;
  const answers = new Map<string, Settled<ChangeOutcome>>();
  const keyOf = (account: string, client: string) => JSON.stringify([account, client]);
  const answer = (made: readonly Revision[]) => {
    for (const revision of made) {
      const { account, client, conflicts } = revision;
      answers.set(keyOf(account, client), { value: outcomeOf(issueId, revision, { conflicts, notice }) });
    }
  };
  const inOrder = () =>
    works.map(({ account, change }) => answers.get(keyOf(account, change.clientId)) ?? { error: new Error('lost') });

  answer(loaded.made);
  const open = works.some(({ account, change }) => !answers.has(keyOf(account, change.clientId)));
  if (works.length && !open) return inOrder();

  const here = await lookAround(site, place, lease, { loaded, works });
  answer(here.made);
  const { issue, known, current, source } = here;
  const { epoch } = site.tenant;
  const highest = Math.max(known.highest, storedSeq(issue, epoch));
  const revisions = await foreignRevisions(site, place, here, highest + 1);
  const unsaved = { ...here.place, ...current, hash: await hashText(current.text), rows: [...current.rows] };
  let version: Version = revisions.at(-1) ?? known.last ?? unsaved;
  const starts = await startsOf(here);

  for (const { account, change } of works) {
    const key = keyOf(account, change.clientId);
    if (answers.has(key)) continue;
    try {
      const start = startOf(change.base, starts);
      const seq = highest + revisions.length + 1;
      const step = await stepOf(account, change, { start, current: version, limit: site.itemLimit }, { epoch, seq });
      if (step) revisions.push(step);
      version = step ?? version;
      const told = step ? { conflicts: step.conflicts } : version === unsaved && { source };
      answers.set(key, { value: outcomeOf(issueId, version, { ...told, notice }) });
    } catch (error) {
      answers.set(key, { error });
    }
  }

  if (works.length > 0 && inOrder().every(settled => 'error' in settled)) return inOrder();
  const refusal = revisions.length > 0 ? tooLarge(version) : undefined;
  // Somebody else filled the property to the brim, and nobody made room.
  if (refusal) return inOrder().map(settled => ('error' in settled ? settled : { error: refusal }));
  if (revisions.length > 0) await commit(site, place, lease, { issue, revisions, taken: here.taken });
  else await putRight(site, place, lease, here);
  return inOrder();
}

/** Makes changes once each, however often they are asked for (design.md §4). */
export type Changes = (work: Work) => Promise<ChangeOutcome>;

export function createChanges(leases: Leases): Changes {
  const turns = createTurns<Work, Loaded, ChangeOutcome>(leases, {
    load: (tx, place, works) => loadFor(tx, place, works[0]?.site.tenant.epoch ?? '', works),
    async work(place, works, lease, loaded) {
      const site = works[0]?.site;
      return site ? workOff(site, place, lease, { loaded, works }) : [];
    },
  });
  return work => turns({ tenant: work.site.tenant.id, issue: work.change.issueId }, work);
}
