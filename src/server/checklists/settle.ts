import type { StatusRegistry } from '../../text/statuses.ts';
import type { TrackerIssue } from '../tracker/issue.ts';
import { settleWritten } from './commit.ts';
import { noteEchoes, propertyMark } from './echo.ts';
import type { Known } from './known.ts';
import type { Lease } from './lease.ts';
import { isNearer } from './likeliest.ts';
import { queueField } from './mirror.ts';
import { giveUpIntent, type Intent, type Place } from './revisions.ts';
import type { Site } from './site.ts';
import { storedProperty } from './stored.ts';

/**
 * Whether the property holds what an intent was to bring, or what somebody made of that since: a number is given once,
 * and a bare text that is nearer to the intent's than to those before was written over that. Where nothing tells it was
 * not: what is given up is sent again, what is taken for written counts as deleted by whoever wrote that text.
 */
export function wasWritten(issue: TrackerIssue, { epoch, seq, revisions, found }: Intent, before: string): boolean {
  const property = storedProperty(issue);
  if (property.kind === 'ours') return property.epoch === epoch && property.seq === seq;
  const text = revisions.at(-1)?.text;
  if (property.kind !== 'text' || text === undefined) return false;
  return [before, ...(found === null ? [] : [found])].every(other => isNearer(property.text, text, other));
}

/** The issue as it was found, whose project has these statuses, and what we know of it. */
interface Found {
  issue: TrackerIssue;
  statuses: StatusRegistry;
  intent: NonNullable<Known['intent']>;
  last: Known['last'];
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
  { issue, statuses, intent, last }: Found,
): Promise<boolean> {
  const written = wasWritten(issue, intent, last?.text ?? '');
  if (!written && intent.given_up) return false;
  const text = intent.revisions.at(-1)?.text ?? '';
  const found = intent.found === null ? null : { text: intent.found, base: intent.found_base };
  const late = { mark: propertyMark(intent), text, late: found !== null, found };
  await lease.write(
    written
      ? settleWritten(site, place, intent, { issue, statuses })
      : [...noteEchoes(place, 'property', [late]), giveUpIntent({ tenant: place.tenant, issue: place.issue })],
  );
  if (written && site.tenant.mirror !== 'none') queueField(site, place.issue);
  return written;
}
