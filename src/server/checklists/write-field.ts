import { FIELD_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { TrackerOvertaken } from '../tracker/client.ts';
import { readIssue, type TrackerIssue, TrackerRefused, writeField } from '../tracker/issue.ts';
import { type Echo, noteEchoes } from './echo.ts';
import { fieldMark, fieldNotice, fieldOf, sameField } from './field.ts';
import { loadKnown } from './known.ts';
import { lookAtIssue } from './look.ts';
import { type Attempt, noteAttempt, queueLook } from './mirror.ts';
import { reconcile } from './reconcile.ts';
import type { FieldText, Place, Version } from './revisions.ts';
import type { Site } from './site.ts';

/** An issue that is gone is for a look to find out. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof TrackerRefused && error.status === 404)) throw error;
}

/**
 * Writes the field and reads it back: what it holds then, tidied up, is what later texts are compared with. `undefined`
 * where somebody wrote there before it could be tried again.
 */
async function write(site: Site, place: Place, field: FieldText, text: string): Promise<Attempt | undefined> {
  const { store, tenant, tracker } = site;
  const echoOf = (each: string): Echo => ({ mark: fieldMark(each), text: each });
  const [before, now] = [echoOf(field.text), echoOf(text)];
  // Until the attempt is on record nobody knows when it arrives, or whether it did: then what stood there before stays.
  const pending = [before, { ...now, late: true }].map((echo): Echo => ({ ...echo, open: true }));
  await store.together(tenant.id, noteEchoes(place, 'field', pending));
  let late: boolean;
  try {
    const again = (now: TrackerIssue) => fieldOf(now, field.id)?.text === field.text;
    late = await writeField(tracker, place.issue, { field: field.id, value: text }, again);
  } catch (error) {
    if (error instanceof TrackerOvertaken) return undefined;
    if (error instanceof TrackerRefused) return { notice: fieldNotice(error, text.length) };
    throw error;
  }
  const echoes = [before, { ...now, late }];
  const held = fieldOf(await readIssue(tracker, place.issue), field.id);
  if (held && sameField(held.text, text)) return { held, echoes };
  // Somebody was quick, or the field keeps it in another form: either is looked at as a change of what we wrote.
  queueLook(site, place.issue);
  return { held: { id: field.id, text }, echoes };
}

/** One attempt for the last version; `undefined` when others wrote and that is to be taken in first. */
async function attempt(
  site: Site,
  place: Place,
  fieldId: string | undefined,
): Promise<{ last: Version; came: Attempt } | undefined> {
  const { store, tenant, tracker } = site;
  const issue = await readIssue(tracker, place.issue);
  // After the issue, so that nothing of ours in it is unknown.
  const { last, mirror, intent } = await loadKnown(store, place, tenant.epoch);
  if (!last || intent?.given_up === false) return undefined;
  if (fieldId === undefined) return { last, came: { notice: null } };
  const statuses = await site.statuses(issue.project);
  const { foreign, notice } = await reconcile(site, place, { issue, statuses, fieldId }, { last, mirror, intent });
  if (foreign.length > 0) return undefined;
  if (notice) return { last, came: { notice } };
  const field = fieldOf(issue, fieldId);
  if (!field) return { last, came: { notice: storage.fieldNotOnScreen } };
  if (sameField(field.text, last.text)) return { last, came: { held: field, echoes: [] } };
  const size = last.text.length;
  if (size > FIELD_CAPACITY) return { last, came: { notice: storage.fieldTooLarge(size, FIELD_CAPACITY) } };
  const came = await write(site, place, field, last.text);
  return came && { last, came };
}

/** Looks before others' texts were all taken in; then the job is tried again later. */
const ROUNDS = 3;

/**
 * Makes the field equal to the checklist, if it is behind. What the tracker refuses ends the attempt with a notice;
 * where it does not answer, this rejects and is to be tried again.
 */
export async function bringField(site: Site, issueId: string): Promise<void> {
  const { store, tenant } = site;
  const place = { tenant: tenant.id, issue: issueId };
  const fieldId = await site.field();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { mirror } = await loadKnown(store, place, tenant.epoch);
    if (!mirror?.behind) return;
    const made = await attempt(site, place, fieldId).catch(unlessGone);
    if (made) {
      await store.tenant(tenant.id, tx => noteAttempt(tx, place, made.last, made.came));
      return;
    }
    await lookAtIssue(site, issueId);
  }
  throw new Error(`Issue ${issueId} changes faster than it can be looked at.`);
}
