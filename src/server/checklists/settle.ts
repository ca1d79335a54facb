import { hashText } from '../../text/document.ts';
import type { TrackerIssue } from '../tracker/issue.ts';
import { settleWritten } from './commit.ts';
import { noteEchoes, propertyMark } from './echo.ts';
import type { Known } from './known.ts';
import type { Lease } from './lease.ts';
import { queueField } from './mirror.ts';
import { giveUpIntent, type Intent, type Place } from './revisions.ts';
import type { Site } from './site.ts';
import { storedProperty } from './stored.ts';

/** Whether the property holds what an intent was to bring. */
export async function wasWritten(issue: TrackerIssue, intent: Intent): Promise<boolean> {
  const property = storedProperty(issue);
  if (property.kind !== 'ours' || property.epoch !== intent.epoch || property.seq !== intent.seq) return false;
  return (await hashText(property.text)) === intent.hash;
}

/**
 * Finds out what became of a write that was cut off between our intent and our revisions, by what the tracker holds
 * now; resolves with whether it is history now. One that was not written is given up: nobody was told that it was
 * saved, so its clients send it again. Should it arrive later, and nothing else came in between, it counts after all.
 */
export async function settle(
  site: Site,
  place: Place,
  lease: Lease,
  { issue, intent }: { issue: TrackerIssue; intent: NonNullable<Known['intent']> },
): Promise<boolean> {
  const written = await wasWritten(issue, intent);
  if (!written && intent.given_up) return false;
  await site.store.tenant(site.tenant.id, async tx => {
    await lease.hold(tx);
    if (written) return settleWritten(tx, site, place, intent);
    await noteEchoes(tx, place, 'property', [{ mark: propertyMark(intent), text: null }]);
    await giveUpIntent(tx, place);
  });
  if (written && site.tenant.mirror !== 'none') queueField(site, place.issue);
  return written;
}
