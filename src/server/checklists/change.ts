import { hashText } from '../hash.ts';
import { TrackerOvertaken } from '../tracker/client.ts';
import { commit, repair } from './commit.ts';
import { type Known, loadingKnown, loadKnown, RECENT } from './known.ts';
import type { Lease, Leases } from './lease.ts';
import { markBehind, queueField, queueLook } from './mirror.ts';
import { tooLarge } from './property.ts';
import type { Place, Revision, Version } from './revisions.ts';
import type { Site } from './site.ts';
import { foreignRevisions, lookAround, type Situation } from './situation.ts';
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

/** Kinds of changes that make no row. */
const rowless: readonly Change['kind'][] = ['deleteChecklistItem', 'clearChecklist', 'moveChecklistItem'];

const askedOf = (works: readonly Work[]) =>
  works.map(({ account, change: { clientId: client, base, keepsRows, kind } }) => ({
    ...{ account, client, base },
    addsRows: !keepsRows && !rowless.includes(kind),
  }));

/** What an answer says besides the checklist. */
interface Told {
  source?: ChecklistSource;
  conflicts?: readonly Conflict[];
  notice: string | null | undefined;
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

/** What came of each change. One that is asked for twice at once is made once. */
class Answers {
  private readonly settled = new Map<string, Settled<ChangeOutcome>>();
  private readonly issueId: string;
  private readonly notice: string | null | undefined;

  constructor({ issue }: Place, { mirror, made }: Known) {
    this.issueId = issue;
    this.notice = mirror?.notice;
    this.madeBefore(made);
  }

  private key = (account: string, client: string) => JSON.stringify([account, client]);

  has = ({ account, change }: Work): boolean => this.settled.has(this.key(account, change.clientId));

  madeBefore(revisions: readonly Revision[]): void {
    for (const revision of revisions) {
      const { account, client, conflicts } = revision;
      const value = outcomeOf(this.issueId, revision, { conflicts, notice: this.notice });
      this.settled.set(this.key(account, client), { value });
    }
  }

  made({ account, change }: Work, version: Version, told: Omit<Told, 'notice'>): void {
    const value = outcomeOf(this.issueId, version, { ...told, notice: this.notice });
    this.settled.set(this.key(account, change.clientId), { value });
  }

  refused({ account, change }: Work, error: unknown): void {
    this.settled.set(this.key(account, change.clientId), { error });
  }

  inOrder = (works: readonly Work[]): Settled<ChangeOutcome>[] =>
    works.map(({ account, change }) => {
      const settled = this.settled.get(this.key(account, change.clientId));
      if (!settled) throw new Error('A change was passed over.');
      return settled;
    });
}

/** The texts from which these changes may have started, by hash: ours, and what the tracker shows. */
function startsOf({ issue, known }: Situation, current: Version, works: readonly Work[]) {
  const starts = new Map<string, Start>(known.bases.map(version => [version.hash, version]));
  if (works.every(({ change }) => starts.has(change.base.hash))) return starts;
  const texts = [firstStored(issue, undefined), storedProperty(issue)].flatMap(found => ('text' in found ? found : []));
  for (const start of [current, ...texts.map(({ text }): Start => ({ text }))]) {
    const hash = hashText(start.text);
    if (!starts.has(hash)) starts.set(hash, start);
  }
  return starts;
}

/** Versions before a change, the newest first: those of this turn and the latest ones, at most so many, and the bases. */
function earlierThan({ recent, bases }: Known, revisions: readonly Revision[]): Version[] {
  const isIn = (versions: readonly Version[], { epoch, seq }: Version) =>
    versions.some(version => version.epoch === epoch && version.seq === seq);
  const latest = [...revisions.toReversed(), ...recent].slice(0, RECENT);
  return [...latest, ...bases.filter(base => !isIn(latest, base))];
}

/** Where nothing else is written: the property and the field may still have to be put right. */
async function putRight(site: Site, place: Place, lease: Lease, here: Situation): Promise<void> {
  const { issue, statuses, known, differs } = here;
  const { last, mirror } = known;
  if (!last) return;
  if (here.repair) await repair(site, place, lease, { issue, statuses, version: last });
  if (!differs || mirror?.behind) return;
  await site.store.together(site.tenant.id, [markBehind(site, place)]);
  queueField(site, place.issue);
}

/** What a turn is to do, and what was known of the issue when it came. */
interface Turn {
  before: Known;
  works: readonly Work[];
}

/** One attempt; rejects with `TrackerOvertaken` where somebody wrote before ours could be tried again. */
async function takeTurn(
  site: Site,
  place: Place,
  lease: Lease,
  { before, works }: Turn,
): Promise<Settled<ChangeOutcome>[]> {
  const answers = new Answers(place, before);
  if (works.length > 0 && works.every(answers.has)) return answers.inOrder(works);

  const here = await lookAround(site, place, lease, { before, asked: askedOf(works) });
  answers.madeBefore(here.known.made);
  const open = works.filter(work => !answers.has(work));
  const { issue, statuses, known, current, source } = here;
  const { epoch } = site.tenant;
  const highest = Math.max(known.highest, storedSeq(issue, epoch));
  const revisions = await foreignRevisions(site, place, here, highest + 1);

  const found = revisions.at(-1) ?? known.last;
  let version = found ?? { ...here.place, ...current, hash: hashText(current.text), rows: [...current.rows] };
  const unsaved = found ? undefined : version;
  const starts = startsOf(here, version, open);
  for (const work of open) {
    if (answers.has(work)) continue;
    const { account, change } = work;
    try {
      const start = startOf(change.base, starts, version);
      const number = { epoch, seq: highest + revisions.length + 1 };
      const earlier = earlierThan(known, revisions);
      const ground = { start, current: version, earlier, limit: site.itemLimit, statuses };
      const step = stepOf(account, change, ground, number);
      if (step) revisions.push(step);
      version = step ?? version;
      answers.made(work, version, step ?? (version === unsaved ? { source } : {}));
    } catch (error) {
      answers.refused(work, error);
    }
  }

  if (works.length > 0 && answers.inOrder(open).every(settled => 'error' in settled)) {
    // A refused change changes nothing; what others wrote is taken in on its own.
    if (known.last && (here.repair || revisions.length > 0)) queueLook(site, place.issue);
    return answers.inOrder(works);
  }
  const full = revisions.length > 0 ? tooLarge(version, statuses) : undefined;
  // Somebody else filled the property to the brim, and nobody made room.
  if (full) for (const work of open) answers.refused(work, full);
  else if (revisions.length > 0)
    await commit(site, place, lease, { issue, statuses, revisions, taken: here.taken, found: here.found });
  else await putRight(site, place, lease, here);
  return answers.inOrder(works);
}

/** Most attempts of one turn. */
const ATTEMPTS = 3;

/**
 * Makes the changes that wait for an issue, each on its own base and merged in turn, as one write of the property and
 * a revision each; one that is refused refuses only itself. Without changes it takes in what others wrote.
 */
export async function workOff(site: Site, place: Place, lease: Lease, turn: Turn): Promise<Settled<ChangeOutcome>[]> {
  const { store, tenant } = site;
  let { before } = turn;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await takeTurn(site, place, lease, { ...turn, before });
    } catch (error) {
      if (!(error instanceof TrackerOvertaken) || attempts === ATTEMPTS) throw error;
      before = await loadKnown(store, place, tenant.epoch, askedOf(turn.works));
    }
  }
}

/** Makes changes once each, however often they are asked for (design.md §4). */
export type Changes = (work: Work) => Promise<ChangeOutcome>;

export function createChanges(leases: Leases): Changes {
  const turns = createTurns<Work, Known, ChangeOutcome>(leases, {
    load: (place, works) => loadingKnown(place, works[0]?.site.tenant.epoch ?? '', askedOf(works)),
    async work(place, works, lease, before) {
      const site = works[0]?.site;
      return site ? workOff(site, place, lease, { before, works }) : [];
    },
  });
  // What an installation asked for that is gone by now is refused, and nothing of the next one along with it.
  return work => {
    const { id, epoch } = work.site.tenant;
    return turns({ tenant: id, issue: work.change.issueId }, epoch, work);
  };
}
