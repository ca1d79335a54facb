import { isDeepStrictEqual } from 'node:util';
import { FIELD_CAPACITY, PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { parseAs } from '../../domain/shape.ts';
import { encodedSize } from '../../domain/storage.ts';
import { currentOf, type MergedChanges } from '../checklists/change/merge-changes.ts';
import { loadState, RECENT, readState, type State } from '../checklists/change/state.ts';
import { applyProposals } from '../checklists/change/transaction.ts';
import { verdictOf } from '../checklists/copies/due.ts';
import { fieldMark, fieldNotice, fieldOf, sameField } from '../checklists/copies/field.ts';
import { type First, firstSteps } from '../checklists/copies/first.ts';
import { PROPERTY_FORM, propertyOf, tooLarge } from '../checklists/copies/property.ts';
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

/** The trackers for a run's classes of work. */
export interface Callers {
  event: Tracker;
  property: Tracker;
  verdict: Tracker;
  field: Tracker;
}

/** The dependencies of a run. */
export interface SyncSite extends Site {
  callers: Callers;
  /** The account of the app's calls, `undefined` where it is unknown. */
  ownAccount(): Promise<string | undefined>;
  /** The same, whose reads have the priority of writes that change a verdict. */
  urgent(): SyncSite;
  /** The same, whose reads and writes have the priority of jobs. */
  spare(): SyncSite;
}

/** The state of a run at its start. */
interface StartedRun {
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

/** Loads the revisions with which the tracker's copies are compared. */
async function knownOf({ site, watch, run, copies }: StartedRun, issue: TrackerIssue) {
  const { store, tenant } = site;
  const { id, since } = watch;
  const property = storedProperty(issue);
  const stamp = property.kind === 'ours' ? property : { epoch: null, seq: null };
  // A copy last read before this watch holds no revision of the watch: equal numbers mean that a backup was restored.
  const isRead = copies.watch === null || copies.watch === id;
  return store.tenant(tenant.id, async tx => {
    const at = (epoch: string | null, seq: number | null) =>
      epoch === null || seq === null ? undefined : versionAt(tx, run, { epoch, seq });
    const before = newestFirst(tx, run).where('created', '<', since);
    const earlier = await before.limit(1).executeTakeFirst();
    const shared = earlier && parseAs(versionShape, earlier);
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

/** Reads the field's changes since the last read. */
async function readField(
  { site, run, copies }: StartedRun,
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
    {
      ...{ field, entries, confirmed, isSince, own, fits },
      pending: copies.field_pending,
      isRefused: isSeen && copies.notice !== null,
    },
    recent,
    run.issue,
    clean,
  );
}

/** Reads an issue that was adopted and never changed here as if it were adopted now (spec §3). */
function readUnwritten({ steps }: First, last: Version, issueId: string): Finding {
  const { kind, name, text } = steps.at(-1) ?? { ...nowhere, kind: 'foreignProperty', text: '' };
  const isSame = text === last.text && name === last.name;
  const to = { name, text };
  const proposals = isSame ? [] : [proposalOf({ kind, issueId, from: last, to, account: undefined })];
  return { proposals, isForeign: false, floor: 0 };
}

/** Whether a copy's value was left out because the checklist would be too large. Throws errors other than `Refused`. */
function leftOut(outcomes: MergedChanges['outcomes']): boolean {
  for (const outcome of outcomes) if ('error' in outcome && !(outcome.error instanceof Refused)) throw outcome.error;
  return outcomes.some(outcome => 'error' in outcome);
}

/** Whether the property differs from the last read. */
function isChanged({ holds, seen }: Finding, before: Copies): boolean {
  const isOther = holds && !(holds.epoch === before.confirmed_epoch && holds.seq === before.confirmed_seq);
  return isOther === true || !isDeepStrictEqual(seen ?? null, before.property_seen);
}

/** The result of reading an issue and applying its foreign changes. */
interface Refreshed {
  issue: TrackerIssue;
  /** The property has a value that was not applied; it is stored elsewhere before it is overwritten. */
  isUnapplied: boolean;
}

/** Reads the issue and applies foreign changes, each merged from its own base. */
async function refresh(started: StartedRun): Promise<Refreshed> {
  const { site, watch, run, copies } = started;
  const { tenant } = site;
  const found = await readIssueWithChanges(site.callers.event, run.issue);
  const { issue, changes } = found;
  const property = storedProperty(issue);
  const fieldId = await site.field();
  const [state, revisions] = await Promise.all([stateOf(site, run), knownOf(started, issue)]);
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
  const inField = ours && field ? await readField(started, found, field, known) : nothing;
  let isRefused = false;

  await applyProposals(site, run, [...inProperty.proposals, ...inField.proposals], {
    floor: Math.max(inProperty.floor, storedSeq(issue, tenant.epoch)),
    ...(first && { unwritten: first.source }),
    project: issue.project,
    key: found.key,
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
      // A checklist that was adopted and never changed is not written.
      const isMirrored = now.checklist?.mirrored === true || (ours && made.length > 0);
      const isCurrent = value !== undefined && says(current, value);
      const isEqual = isDeepStrictEqual(issue.property, propertyOf(current, statuses));
      // The current text in a foreign value is rewritten once only, so that the app does not compete with another one.
      const isOnce = copies.pending_seq !== null || !copies.contended;
      const isBehind = isEqual ? false : !isCurrent || isOnce ? true : null;
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
        // A value that was left out counts as unread until it is overwritten.
        seen: inProperty.seen && !isRefused ? JSON.stringify(inProperty.seen) : null,
        form: isEqual ? PROPERTY_FORM : null,
        verdict: value ? verdictOf(readText(value.text, statuses)) : null,
        changed: isChanged(inProperty, copies),
        property: isMirrored && current.seq > 0 ? isBehind : false,
        ...{ field: field?.id ?? null, field_text: field && !isLeft ? field.text : null },
        behind: !isLeft && isMirrored && tenant.mirror !== 'none' && inField.isBehind(current.text),
        // Changes of a field that was not read, or not applied, are read again.
        cursor: field && !isLeft ? changes.newest : null,
      };
      return [mustHold(run), mustWatch(watch), recordRead(read)];
    },
  });
  const isUnapplied = isRefused || property.kind === 'foreign';
  return { issue, isUnapplied };
}

/**
 * Most consecutive compare-and-sets without effect on an unchanged property; then it is written without comparison, since
 * the tracker considers the value different from the one that it returned.
 */
const SWAPS = 5;

/** The newest revision with its verdict, for the property; `undefined` where there is none. */
async function nextWrite(site: SyncSite, run: Run) {
  const { last, checklist, copies } = await stateOf(site, run);
  if (!last || !checklist) return undefined;
  const statuses = await site.statuses(checklist.project ?? undefined);
  const verdict = verdictOf(readText(last.text, statuses));
  return { last, statuses, verdict, isUrgent: copies?.verdict !== verdict };
}

/** Writes the newest revision to the property. Resolves with whether that was a compare-and-set, whose effect is unknown. */
async function syncProperty({ site, watch, run, copies }: StartedRun, read: Refreshed | undefined): Promise<boolean> {
  const { callers } = site;
  const next = await nextWrite(site, run);
  if (!next) return false;
  const { last, statuses, verdict, isUrgent } = next;
  const isSwap = copies.contended && read !== undefined && copies.swaps < SWAPS;
  const value = propertyOf(last, statuses);
  const tracker = isUrgent ? callers.verdict : callers.property;
  const { epoch, seq } = last;
  // In another watch, a backup may have been restored, and the last read may not be what the tracker holds.
  await send(site, run, mustWatch(watch), beginProperty({ ...run, epoch, seq }));
  const size = encodedSize(value);
  if (size > PROPERTY_CAPACITY) {
    const notice = storage.tooLarge(size, PROPERTY_CAPACITY);
    await send(site, run, failProperty({ ...run, again: false, notice }));
    return false;
  }
  try {
    if (read?.isUnapplied) await keepForeign(tracker, run.issue, read.issue);
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
  // The next read of the issue shows whether the compare-and-set had an effect.
  if (isSwap) await send(site, run, doubtProperty({ ...run, isSwap }));
  else await send(site, run, confirmProperty({ ...run, epoch, seq, form: PROPERTY_FORM, verdict, watch: watch.id }));
  return isSwap;
}

async function enqueueProperty({ store, queue }: SyncSite, { tenant, issue }: TenantIssue): Promise<void> {
  const [due] = await store.batch(tenant, [propertyDue({ tenant, issue })]);
  const after = due.rows[0]?.after;
  if (after !== undefined) await queue.add('sync', { tenant, issue }, { after, key: issue });
}

/** Writes the newest revision to the field. */
async function syncField({ site, run, copies }: StartedRun, fieldId: string | undefined): Promise<void> {
  const { last } = await stateOf(site, run);
  const { epoch, seq, text } = last ?? currentOf({ last });
  const drop = (notice: string | null) => send(site, run, dropField({ ...run, epoch, seq, notice }));
  if (!last || fieldId === undefined) return void (await drop(null));
  if (copies.field !== fieldId) return void (await drop(storage.fieldNotOnScreen));
  // Its value was left out of the checklist.
  if (copies.field_text === null) return void (await drop(copies.notice));
  if (sameField(copies.field_text, text)) return void (await drop(null));
  if (text.length > FIELD_CAPACITY) return void (await drop(storage.fieldTooLarge(text.length, FIELD_CAPACITY)));
  await send(site, run, beginField({ ...run, mark: fieldMark(text) }));
  try {
    await writeField(site.callers.field, run.issue, fieldId, text);
  } catch (error) {
    if (error instanceof TrackerRefused) return void (await drop(fieldNotice(error, text.length)));
    // The deferred field must not delay the property, which has a higher priority.
    if (error instanceof TrackerDeferred) await enqueueProperty(site, run);
    throw error;
  }
  await send(site, run, confirmField({ ...run, epoch, seq, field: fieldId, text }));
}

/** Milliseconds after which a compare-and-set without an event is checked. */
const SWAPPED = 10_000;

/** Whether the issue has to be read before a write (design.md §4.2). */
function mustRead({ id }: Watch, copies: Copies, fieldId: string | undefined): boolean {
  const { hints, hints_read, pending_seq, property_due, contended, watch, field_due, field, field_text } = copies;
  if (hints > hints_read || pending_seq !== null) return true;
  if (property_due && (contended || watch !== id)) return true;
  return field_due && fieldId !== undefined && (field !== fieldId || field_text === null);
}

/** Whether a run has only to write the revision that the property holds again, in the current form. */
async function isRewrite(site: SyncSite, run: Run, copies: Copies): Promise<boolean> {
  const { hints, hints_read, pending_seq, property_due, field_due, property_form, property_seen } = copies;
  if (!property_due || field_due || hints > hints_read || pending_seq !== null) return false;
  if (property_form >= PROPERTY_FORM || property_seen !== null) return false;
  const { last } = await stateOf(site, run);
  return last?.epoch === copies.confirmed_epoch && last.seq === copies.confirmed_seq;
}

/** Enqueues a read of a known issue after `after` milliseconds. */
export async function hint({ store, queue }: SyncSite, place: TenantIssue, after = 0): Promise<void> {
  const [noted] = await store.batch(place.tenant, [noteHint(place)]);
  if (noted.rows.length > 0) await queue.add('sync', place, { after, key: place.issue });
}

/**
 * Applies foreign changes where there are hints of them, and writes the due copies of an issue's checklist. Rejects where
 * the tracker does not answer. Work stays due then, and also while the issue is missing, until it is gone.
 */
export async function syncIssue(usual: SyncSite, place: TenantIssue): Promise<void> {
  const watch = usual.watch.now();
  const [claimed] = await usual.store.batch(place.tenant, [claimCopies(place)]);
  let copies = readCopies(claimed.rows[0]);
  if (!copies) return;
  const run: Run = { ...place, fence: copies.fence };
  const site = (await isRewrite(usual, run, copies)) ? usual.spare() : usual;
  let isSwapped = false;
  try {
    // Reads before an urgent write are as urgent.
    const readsNothing = !copies.field_due && !mustRead(watch, copies, undefined);
    const isUrgent = copies.property_due && !readsNothing && (await nextWrite(site, run))?.isUrgent;
    const reader = isUrgent ? site.urgent() : site;
    const fieldId = copies.field_due ? await reader.field() : undefined;
    let read: Refreshed | undefined;
    if (mustRead(watch, copies, fieldId)) {
      read = await refresh({ site: reader, watch, run, copies });
      const [again] = await site.store.batch(place.tenant, [loadCopies(place)]);
      copies = readCopies(again.rows[0]) ?? copies;
    }
    if (copies.property_due) isSwapped = await syncProperty({ site, watch, run, copies }, read);
    if (copies.field_due) await syncField({ site, watch, run, copies }, await site.field());
  } catch (error) {
    // A write of this run may have taken effect after one of the later run.
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
