import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { limitReached, storage } from '../../domain/messages.ts';
import { type ChecklistProperty, encodedSize } from '../../domain/storage.ts';
import { cleanText, hashText } from '../../text/document.ts';
import { merge } from '../../text/merge.ts';
import { progressOf } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import { Refused } from '../refused.ts';
import { keepForeign, readIssue, writeProperty } from '../tracker/issue.ts';
import { itemCount } from './count.ts';
import { mirrorField } from './field.ts';
import type { Lease } from './lease.ts';
import { notOvertaken } from './overtaken.ts';
import {
  addIntent,
  addNotices,
  findIntent,
  highest,
  type Intent,
  latest,
  outcomeOf,
  type Place,
  settleIntent,
  textOf,
} from './revisions.ts';
import { settle } from './settle.ts';
import type { Site } from './site.ts';
import { storedChecklist } from './stored.ts';
import type { Base, Change, ChangeOutcome, ChecklistView } from './types.ts';

const tooLarge = (size: number) => new Refused('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), 'text');

/** What our own tables say before the tracker is asked. */
function lookUp(site: Site, place: Place, account: string, { base, clientId }: Change) {
  return site.store.tenant(place.tenant, async tx => ({
    open: await findIntent(tx, place),
    outcome: await outcomeOf(tx, place, account, clientId),
    last: await latest(tx, place),
    highest: await highest(tx, place, site.tenant.epoch),
    baseText: await textOf(tx, place, base),
  }));
}

function baseText(base: Base, known: string | undefined, stored: ChecklistView): string {
  if (known !== undefined) return known;
  if (base.hash === stored.hash) return stored.text;
  if (base.text !== undefined) return cleanText(base.text).text;
  throw new Refused('BASE_UNKNOWN', storage.baseUnknown, 'base');
}

/** An edition's limit refuses growth only: whoever ticks, deletes or merges is never stopped by it. */
function refuseGrowth(limit: number, base: string, mine: string, theirs: string, merged: string): void {
  const count = itemCount(merged);
  if (count > limit && count > itemCount(theirs) && itemCount(mine) > itemCount(base)) {
    throw new Refused('LIMIT_REACHED', limitReached.items, 'text');
  }
}

const propertyOf = ({ epoch, seq, name, text }: Intent): ChecklistProperty => ({
  v: 1,
  epoch,
  seq,
  name,
  text,
  progress: progressOf(readChecklist(text).rows),
});

/** Intent, property, revision, field: whatever the process dies between is found out by `settle`. */
async function write(site: Site, place: Place, lease: Lease, intent: Intent): Promise<void> {
  const property = propertyOf(intent);
  const size = encodedSize(property);
  if (size > PROPERTY_CAPACITY) throw tooLarge(size);
  await site.store.tenant(place.tenant, async tx => {
    await lease.hold(tx);
    await addIntent(tx, place, intent);
  });
  await writeProperty(site.tracker, place.issue, property);
  await site.store.tenant(place.tenant, async tx => {
    await lease.hold(tx);
    await settleIntent(tx, place, intent);
  });
}

async function changeLeased(site: Site, account: string, change: Change, lease: Lease): Promise<ChangeOutcome> {
  const { tenant, tracker, store } = site;
  const { issueId, clientId, base } = change;
  const place = { tenant: tenant.id, issue: issueId };

  let known = await lookUp(site, place, account, change);
  if (known.open) {
    await settle(site, issueId, lease);
    known = await lookUp(site, place, account, change);
  }
  if (known.outcome) return known.outcome;

  const [issue, ownField] = await Promise.all([readIssue(tracker, issueId), site.ownField()]);
  const found = await storedChecklist(issueId, issue, ownField, known.last);
  const stored = await notOvertaken(site, found, known.last);
  const start = baseText(base, known.baseText, stored);
  const mine = change.apply(start);
  const name = change.name ?? stored.name;
  const ours = stored.source === 'PROPERTY' && stored.epoch !== '' && stored === found;
  if (ours && mine === start && name === stored.name) return { checklist: stored, conflicts: [], notices: [] };

  const { text, conflicts } = merge(start, mine, stored.text);
  refuseGrowth(site.itemLimit, start, mine, stored.text, text);
  const seq = Math.max(known.highest, stored.epoch === tenant.epoch ? stored.seq : 0) + 1;
  const version = { epoch: tenant.epoch, seq, hash: await hashText(text), name, text };
  await keepForeign(tracker, issueId, issue);
  await write(site, place, lease, { ...version, account, client: clientId, kind: change.kind, conflicts });

  const notices = await mirrorField(tracker, issueId, issue, ownField, text);
  if (notices.length) await store.tenant(tenant.id, tx => addNotices(tx, place, version, notices));
  return { checklist: { issueId, ...version, source: 'PROPERTY' }, conflicts, notices };
}

/** Makes one change of one checklist, once, however often it is asked for (design.md §4). */
export const changeChecklist = (site: Site, account: string, change: Change): Promise<ChangeOutcome> =>
  site.leases.run(site.tenant.id, change.issueId, lease => changeLeased(site, account, change, lease));
