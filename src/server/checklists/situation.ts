import { randomUUID } from 'node:crypto';
import { hashText } from '../../text/document.ts';
import type { Tx } from '../store/tables.ts';
import { readIssue, type TrackerIssue } from '../tracker/issue.ts';
import { actorOf } from './actor.ts';
import type { Lease } from './lease.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import {
  type ClientChange,
  type Known,
  loadKnown,
  type Place,
  type Revision,
  revisionsOf,
  type Version,
  versionsOf,
} from './revisions.ts';
import { settle } from './settle.ts';
import { fieldIfKnown, type Site } from './site.ts';
import type { Base } from './types.ts';

/** What is asked for of an issue: whose changes, on which bases. */
export type Asked = readonly (ClientChange & { base: Base })[];

/** What our own tables say before the tracker is asked. */
export interface Loaded {
  known: Known;
  /** What was made already of the changes that are asked for. */
  made: readonly Revision[];
  /** The versions that they start from. */
  bases: readonly Version[];
}

export const loadFor = async (tx: Tx, place: Place, epoch: string, asked: Asked): Promise<Loaded> => ({
  known: await loadKnown(tx, place, epoch),
  made: await revisionsOf(tx, place, asked),
  bases: await versionsOf(
    tx,
    place,
    asked.map(({ base }) => base),
  ),
});

/** What was found of an issue once its turn has come. */
export interface Situation extends Loaded, Reconciled {
  issue: TrackerIssue;
}

/** Reads the tracker, settles what was left open, and finds out what others wrote. */
export async function lookAround(
  site: Site,
  place: Place,
  lease: Lease,
  { loaded, asked }: { loaded: Loaded; asked: Asked },
): Promise<Situation> {
  const { store, tenant, tracker } = site;
  const [issue, fieldId] = await Promise.all([readIssue(tracker, place.issue), fieldIfKnown(site)]);
  const { intent } = loaded.known;
  const settled = intent !== null && (await settle(site, place, lease, { issue, intent }));
  const now = settled ? await store.tenant(tenant.id, tx => loadFor(tx, place, tenant.epoch, asked)) : loaded;
  return { ...now, ...(await reconcile(site, place, { issue, fieldId }, now.known)), issue };
}

/** What others wrote, as revisions from that number on. */
export async function foreignRevisions(
  site: Site,
  place: Place,
  { foreign }: Reconciled,
  seq: number,
): Promise<Revision[]> {
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
