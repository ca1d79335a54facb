import { randomUUID } from 'node:crypto';
import type { StatusRegistry } from '../../text/statuses.ts';
import { hashText } from '../hash.ts';
import { readIssue, type TrackerIssue } from '../tracker/issue.ts';
import { actorOf } from './actor.ts';
import { type Asked, type Known, loadKnown } from './known.ts';
import type { Lease } from './lease.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import type { Place, Revision } from './revisions.ts';
import { settle } from './settle.ts';
import { fieldIfKnown, type Site } from './site.ts';

/** What was found of an issue once its turn has come. */
export interface Situation extends Reconciled {
  issue: TrackerIssue;
  statuses: StatusRegistry;
  known: Known;
}

/** Reads the tracker, settles what was left open, and finds out what others wrote. */
export async function lookAround(
  site: Site,
  place: Place,
  lease: Lease,
  { before, asked }: { before: Known; asked: Asked },
): Promise<Situation> {
  const { store, tenant, tracker } = site;
  const [issue, fieldId] = await Promise.all([readIssue(tracker, place.issue), fieldIfKnown(site)]);
  const statuses = await site.statuses(issue.project);
  const { intent, last } = before;
  const settled = intent !== null && (await settle(site, place, lease, { issue, statuses, intent, last }));
  const known = settled ? await loadKnown(store, place, tenant.epoch, asked) : before;
  return { ...(await reconcile(site, place, { issue, statuses, fieldId }, known)), issue, statuses, known };
}

/** What others wrote, as revisions from that number on. */
export async function foreignRevisions(
  site: Site,
  place: Place,
  { foreign }: Situation,
  seq: number,
): Promise<Revision[]> {
  if (foreign.length === 0) return [];
  const account = await actorOf(site, place);
  const { epoch } = site.tenant;
  return foreign.map(({ kind, name, text, rows, conflicts }, index) => {
    const version = { epoch, seq: seq + index, hash: hashText(text), name, text, rows: [...rows] };
    // With a blank, which no client's id has.
    return { ...version, account, client: `foreign ${randomUUID()}`, kind, conflicts };
  });
}
