import { isDeepStrictEqual } from 'node:util';
import { FIELD_CAPACITY, PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { encodedSize } from '../../domain/storage.ts';
import { currentOf, type MergedChanges } from '../checklists/change/merge-changes.ts';
import { loadState, RECENT, readState, type State } from '../checklists/change/state.ts';
import { applyProposals } from '../checklists/change/transaction.ts';
import { verdictOf } from '../checklists/copies/due.ts';
import { fieldMark, fieldNotice, fieldOf, sameField } from '../checklists/copies/field.ts';
import { type First, firstSteps } from '../checklists/copies/first.ts';
import { propertyOf, tooLarge } from '../checklists/copies/property.ts';
import { nowhere, storedProperty, storedSeq } from '../checklists/copies/stored.ts';
import { forget } from '../checklists/forget.ts';
import {
  type FieldText,
  newestFirst,
  recentVersions,
  type TenantIssue,
  type Version,
  versionAt,
  versionShape,
} from '../checklists/revisions.ts';
import type { Site, Watch } from '../checklists/site.ts';
import { readText } from '../common/reading.ts';
import { Refused } from '../errors/refused.ts';
import { TrackerDeferred, TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { entriesAfter } from '../platform/tracker/changelog-pages.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import {
  keepForeign,
  readIssueWithChanges,
  swapProperty,
  type TrackerIssue,
  writeField,
  writeProperty,
} from '../platform/tracker/issue.ts';
import {
  type FieldFinding,
  type Finding,
  type Known,
  proposalOf,
  readFieldChanges,
  readProperty,
  says,
} from './foreign.ts';
import {
  beginField,
  beginProperty,
  type Copies,
  claimCopies,
  confirmField,
  confirmProperty,
  doubtProperty,
  dropField,
  failProperty,
  isOverdue,
  loadCopies,
  mustHold,
  nextDue,
  noteHint,
  noteMissing,
  propertyDue,
  type Read,
  type Run,
  readCopies,
  recordRead,
} from './records.ts';
import { isUnwatched, mustWatch } from './watch.ts';

/** By which class of work the calls of a run wait. */
export interface Callers {
  event: Tracker;
  property: Tracker;
  verdict: Tracker;
  field: Tracker;
}

/** What a run goes through. */
export interface SyncSite extends Site {
  callers: Callers;
  /** The account of our own calls, where the tracker says. */
  ownAccount(): Promise<string | undefined>;
  /** The same, whose reads wait no longer than writes that change a verdict. */
  urgent(): SyncSite;
}

/** What a run knows when it begins. */
interface Begun {
  site: SyncSite;
  watch: Watch;
  run: Run;
  copies: Copies;
}

const send = (site: SyncSite, run: Run, ...statements: Parameters<SyncSite['store']['batch']>[1]) =>
  site.store.batch(run.tenant, [mustHold(run), ...statements]);

async function stateOf({ store, tenant }: SyncSite, place: TenantIssue): Promise<State> {
  const [loaded] = await store.batch(tenant.id, [loadState(place, tenant.epoch)]);
  return readState(loaded.rows[0]);
}

/** The revisions that what the tracker holds is compared with. */
async function knownOf({ site, watch, run, copies }: Begun, issue: TrackerIssue) {
  const { store, tenant } = site;
  const { id, since } = watch;
  const property = storedProperty(issue);
  const stamp = property.kind === 'ours' ? property : { epoch: null, seq: null };
  // What was last read before this watch holds no revision of it: where the numbers meet, a backup was restored.
  const isRead = copies.watch === null || copies.watch === id;
  return store.tenant(tenant.id, async tx => {
    const at = (epoch: string | null, seq: number | null) =>
      epoch === null || seq === null ? undefined : versionAt(tx, run, { epoch, seq });
    const before = newestFirst(tx, run).where('created', '<', since);
    const shared = versionShape.optional().parse(await before.limit(1).executeTakeFirst());
    const recent = await recentVersions(tx, run, RECENT);
    const bearing = await at(stamp.epoch, stamp.seq);
    const isEarlier =
      bearing &&
      (await before.where('epoch', '=', bearing.epoch).where('seq', '=', bearing.seq).limit(1).executeTakeFirst());
    const stamped = isRead || isEarlier ? bearing : undefined;
    const confirmed = await at(copies.confirmed_epoch, copies.confirmed_seq);
    const pending = await at(copies.pending_epoch, copies.pending_seq);
    const isLost = storedSeq(issue, tenant.epoch) > 0 && !stamped;
    return { confirmed, stamped, isLost, pending, seen: copies.property_seen ?? undefined, shared, recent };
  });
}

/** What happened to the field since the last look. */
async function lookAtField(
  { site, run, copies }: Begun,
  { issue, changes }: Awaited<ReturnType<typeof readIssueWithChanges>>,
  field: FieldText,
  { last, recent }: Known,
): Promise<FieldFinding> {
  const isSeen = copies.field === field.id;
  const isSince = isSeen && copies.cursor !== null;
  const after = isSince ? (copies.cursor ?? 0) : 0;
  const entries = isSince ? await entriesAfter(site.callers.event, run.issue, changes, after) : changes.entries;
  const own = await site.ownAccount();
  const confirmed = isSeen ? copies.field_text : null;
  const clean = (text: string) =>
    fieldOf({ ...issue, fields: [{ id: field.id, name: '', value: text }] }, field.id)?.text ?? '';
  const statuses = await site.statuses(issue.project);
  const fits = (text: string) => !tooLarge({ ...last, text }, statuses);
  return readFieldChanges(
    { field, entries, confirmed, isSince, pending: copies.field_pending, own, fits },
    recent,
    run.issue,
    clean,
  );
}

/** An issue that was adopted and never changed here is read as it would be adopted now (spec §3). */
function readUnwritten({ steps }: First, last: Version, issueId: string): Finding {
  const { kind, name, text } = steps.at(-1) ?? { ...nowhere, kind: 'foreignProperty', text: '' };
  const isSame = text === last.text && name === last.name;
  const to = { name, text };
  const proposals = isSame ? [] : [proposalOf({ kind, issueId, from: last, to, account: undefined })];
  return { proposals, isForeign: false, floor: 0 };
}

/** Whether what one of the copies holds was left out of a checklist that it would make too large. */
function leftOut(outcomes: MergedChanges['outcomes']): boolean {
  for (const outcome of outcomes) if ('error' in outcome && !(outcome.error instanceof Refused)) throw outcome.error;
  return outcomes.some(outcome => 'error' in outcome);
}

/** Whether the property holds another value than when it was read before. */
function isChanged({ holds, seen }: Finding, before: Copies): boolean {
  const isOther = holds && !(holds.epoch === before.confirmed_epoch && holds.seq === before.confirmed_seq);
  return isOther === true || !isDeepStrictEqual(seen ?? null, before.property_seen);
}

/** The issue as it was read, and what came of it. */
interface Refreshed {
  issue: TrackerIssue;
  /** The property holds what is not taken up, and is kept elsewhere before it is written over. */
  isKept: boolean;
}

/** Reads the issue and takes up foreign changes, each merged from its own base. */
async function refresh(begun: Begun): Promise<Refreshed> {
  const { site, watch, run, copies } = begun;
  const { tenant } = site;
  const found = await readIssueWithChanges(site.callers.event, run.issue);
  const { issue, changes } = found;
  const property = storedProperty(issue);
  const fieldId = await site.field();
  const [state, revisions] = await Promise.all([stateOf(site, run), knownOf(begun, issue)]);
  const statuses = await site.statuses(issue.project ?? state.checklist?.project ?? undefined);
  const last = currentOf(state);
  const known: Known = { last, ...revisions };
  const isWritten = state.checklist?.mirrored === true;
  const [author, ...others] = new Set(copies.actors);
  const context = { issueId: run.issue, account: others.length > 0 ? undefined : author };
  const ours = isWritten || copies.pending_seq !== null || 'text' in property;
  const first = ours ? undefined : firstSteps({ issue, statuses, fieldId });
  const inProperty = first ? readUnwritten(first, last, run.issue) : readProperty(property, known, context);
  const field = first ? first.field : fieldOf(issue, fieldId);
  const nothing: FieldFinding = { proposals: [], isBehind: () => false };
  const inField = ours && field ? await lookAtField(begun, found, field, known) : nothing;
  let isRefused = false;

  await applyProposals(site, run, [...inProperty.proposals, ...inField.proposals], {
    floor: Math.max(inProperty.floor, storedSeq(issue, tenant.epoch)),
    ...(first && { unwritten: first.source }),
    project: issue.project,
    also({ outcomes, revisions: made }, now) {
      const current = made.at(-1) ?? currentOf(now);
      const value = inProperty.says;
      const holds = inProperty.holds ?? made.find(revision => value && says(revision, value));
      isRefused = leftOut(outcomes.slice(0, inProperty.proposals.length));
      const isLeft = leftOut(outcomes.slice(inProperty.proposals.length)) || first?.notice !== undefined;
      const size = (text: string) => encodedSize(propertyOf({ ...current, text }, statuses));
      const notice = isLeft
        ? storage.fieldNotTaken(size(field?.text ?? ''), PROPERTY_CAPACITY)
        : isRefused
          ? storage.propertyNotTaken(size(value?.text ?? ''), PROPERTY_CAPACITY)
          : (first?.notice ?? null);
      // What was adopted and never changed is not written: it stands in the tracker as it is.
      const isMirrored = now.checklist?.mirrored === true || (ours && made.length > 0);
      const isSaid = value !== undefined && says(current, value);
      const isEqual = isDeepStrictEqual(issue.property, propertyOf(current, statuses));
      // Our text in another value is brought into shape once: an app that writes it again and again is let have its way.
      const isOnce = copies.pending_seq !== null || !copies.contended;
      const isBehind = isEqual ? false : !isSaid || isOnce ? true : null;
      const read: Read = {
        ...{
          tenant: run.tenant,
          issue: run.issue,
          hints: copies.hints,
          named: copies.actors.length,
          notice,
          watch: watch.id,
        },
        ...{ epoch: holds?.epoch ?? null, seq: holds?.seq ?? null, contended: inProperty.isForeign },
        // What was left out is so again until ours is written over it.
        seen: inProperty.seen && !isRefused ? JSON.stringify(inProperty.seen) : null,
        verdict: value ? verdictOf(readText(value.text, statuses).rows) : null,
        changed: isChanged(inProperty, copies),
        property: isMirrored && current.seq > 0 ? isBehind : false,
        ...{ field: field?.id ?? null, field_text: field && !isLeft ? field.text : null },
        behind: !isLeft && isMirrored && tenant.mirror !== 'none' && inField.isBehind(current.text),
        // Where the field was not read, or not taken up, its changes are still to be.
        cursor: field && !isLeft ? changes.newest : null,
      };
      return [mustHold(run), mustWatch(watch), recordRead(read)];
    },
  });
  const isKept = isRefused || property.kind === 'foreign';
  return { issue, isKept };
}

/**
 * Compare-and-sets in a row that changed nothing though nobody else wrote the property either, after which it is written
 * plainly: the tracker does not take its value for the one that it gave to us.
 */
const SWAPS = 5;

/** The newest revision, as the property is to hold it; `undefined` where there is none. */
async function nextWrite(site: SyncSite, run: Run) {
  const { last, checklist, copies } = await stateOf(site, run);
  if (!last || !checklist) return undefined;
  const statuses = await site.statuses(checklist.project ?? undefined);
  const verdict = verdictOf(readText(last.text, statuses).rows);
  return { last, statuses, verdict, isUrgent: copies?.verdict !== verdict };
}

/** Writes the property, with the newest revision. Resolves with whether that was asked for only, by a compare-and-set. */
async function bringProperty({ site, watch, run, copies }: Begun, read: Refreshed | undefined): Promise<boolean> {
  const { callers } = site;
  const next = await nextWrite(site, run);
  if (!next) return false;
  const { last, statuses, verdict, isUrgent } = next;
  const isSwap = copies.contended && read !== undefined && copies.swaps < SWAPS;
  const value = propertyOf(last, statuses);
  const tracker = isUrgent ? callers.verdict : callers.property;
  const { epoch, seq } = last;
  // What was last read may not be what the tracker holds where this database is not the one of then.
  await send(site, run, mustWatch(watch), beginProperty({ ...run, epoch, seq }));
  const size = encodedSize(value);
  if (size > PROPERTY_CAPACITY) {
    const notice = storage.tooLarge(size, PROPERTY_CAPACITY);
    await send(site, run, failProperty({ ...run, again: false, notice }));
    return false;
  }
  try {
    if (read?.isKept) await keepForeign(tracker, run.issue, read.issue);
    if (isSwap) await swapProperty(tracker, run.issue, value, read.issue.property);
    else await writeProperty(tracker, run.issue, value);
  } catch (error) {
    const isRefused = error instanceof TrackerRefused;
    const notice = isRefused ? storage.propertyRefused(error.status) : null;
    const record =
      isRefused || (error instanceof TrackerUnavailable && error.isUndone)
        ? failProperty({ ...run, again: !isRefused, notice })
        : doubtProperty({ ...run, isSwap: false });
    await send(site, run, record);
    if (!isRefused || error.status === 404) throw error;
    return false;
  }
  // Whether a compare-and-set found what it compared with shows when the issue is read again.
  if (isSwap) await send(site, run, doubtProperty({ ...run, isSwap }));
  else await send(site, run, confirmProperty({ ...run, epoch, seq, verdict, watch: watch.id }));
  return isSwap;
}

async function enqueueProperty({ store, queue }: SyncSite, { tenant, issue }: TenantIssue): Promise<void> {
  const [due] = await store.batch(tenant, [propertyDue({ tenant, issue })]);
  const after = due.rows[0]?.after;
  if (after !== undefined) await queue.add('sync', { tenant, issue }, { after, key: issue });
}

/** Writes the field, with the newest revision. */
async function bringField({ site, run, copies }: Begun, fieldId: string | undefined): Promise<void> {
  const { last } = await stateOf(site, run);
  const { epoch, seq, text } = last ?? currentOf({ last });
  const drop = (notice: string | null) => send(site, run, dropField({ ...run, epoch, seq, notice }));
  if (!last || fieldId === undefined) return void (await drop(null));
  if (copies.field !== fieldId) return void (await drop(storage.fieldNotOnScreen));
  // What it holds was left out.
  if (copies.field_text === null) return void (await drop(copies.notice));
  if (sameField(copies.field_text, text)) return void (await drop(null));
  if (text.length > FIELD_CAPACITY) return void (await drop(storage.fieldTooLarge(text.length, FIELD_CAPACITY)));
  await send(site, run, beginField({ ...run, mark: fieldMark(text) }));
  try {
    await writeField(site.callers.field, run.issue, fieldId, text);
  } catch (error) {
    if (error instanceof TrackerRefused) return void (await drop(fieldNotice(error, text.length)));
    // Where the field has to wait for points, the property, which waits less, is written at its own time.
    if (error instanceof TrackerDeferred) await enqueueProperty(site, run);
    throw error;
  }
  await send(site, run, confirmField({ ...run, epoch, seq, field: fieldId, text }));
}

/** Milliseconds after which a compare-and-set is looked at whose event did not come. */
const SWAPPED = 10_000;

/** Whether the issue is to be read before anything of it is written (design.md §4.2). */
function mustRead({ id }: Watch, copies: Copies, fieldId: string | undefined): boolean {
  const { hints, hints_read, pending_seq, property_due, contended, watch, field_due, field, field_text } = copies;
  if (hints > hints_read || pending_seq !== null) return true;
  if (property_due && (contended || watch !== id)) return true;
  return field_due && fieldId !== undefined && (field !== fieldId || field_text === null);
}

/** Has an issue that the database knows read, `after` so many milliseconds. */
export async function hint({ store, queue }: SyncSite, place: TenantIssue, after = 0): Promise<void> {
  const [noted] = await store.batch(place.tenant, [noteHint(place)]);
  if (noted.rows.length > 0) await queue.add('sync', place, { after, key: place.issue });
}

/**
 * Brings the tracker's copies of an issue's checklist up to date as far as they are due, and takes up foreign changes where
 * something told of them. Rejects where the tracker does not answer: what was to be done stays so, as it does where the
 * tracker does not show us the issue, until that is gone.
 */
export async function syncIssue(site: SyncSite, place: TenantIssue): Promise<void> {
  const watch = site.watch.now();
  const [claimed] = await site.store.batch(place.tenant, [claimCopies(place)]);
  let copies = readCopies(claimed.rows[0]);
  if (!copies) return;
  const run: Run = { ...place, fence: copies.fence };
  let isSwapped = false;
  try {
    // What stands before a write that is urgent is as urgent.
    const isAlone = !copies.field_due && !mustRead(watch, copies, undefined);
    const isUrgent = copies.property_due && !isAlone && (await nextWrite(site, run))?.isUrgent;
    const reader = isUrgent ? site.urgent() : site;
    const fieldId = copies.field_due ? await reader.field() : undefined;
    let read: Refreshed | undefined;
    if (mustRead(watch, copies, fieldId)) {
      read = await refresh({ site: reader, watch, run, copies });
      const [again] = await site.store.batch(place.tenant, [loadCopies(place)]);
      copies = readCopies(again.rows[0]) ?? copies;
    }
    if (copies.property_due) isSwapped = await bringProperty({ site, watch, run, copies }, read);
    if (copies.field_due) await bringField({ site, watch, run, copies }, await site.field());
  } catch (error) {
    // A later run may have written before a write of this one took effect.
    if (isOverdue(error)) return void (await hint(site, place));
    if (isUnwatched(error)) {
      await site.watch.renew();
      return void (await site.queue.add('sync', place, { key: place.issue }));
    }
    if (!(error instanceof TrackerRefused && error.status === 404)) throw error;
    const [noted] = await site.store.batch(place.tenant, [noteMissing(place)]);
    if (noted.rows[0]?.isGone) await site.store.tenant(place.tenant, tx => forget(tx, place));
    return;
  }
  const [next] = await site.store.batch(place.tenant, [nextDue(place)]);
  const after = isSwapped ? SWAPPED : next.rows[0]?.after;
  if (after !== undefined) await site.queue.add('sync', place, { after, key: place.issue });
}
