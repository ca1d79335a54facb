import { FIELD_CAPACITY, PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { encodedSize } from '../../domain/storage.ts';
import { stateOf } from '../checklists/commit/load.ts';
import { derivation } from '../checklists/decide/derived.ts';
import { propertyPrint } from '../checklists/decide/property.ts';
import { currentOf } from '../checklists/decide/state.ts';
import type { TenantIssue } from '../checklists/read/revisions.ts';
import { sameField } from '../checklists/read/stored.ts';
import type { Watch } from '../checklists/service/site.ts';
import { TrackerDeferred, TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { keepForeign, readProject, swapProperty, writeField, writeProperty } from '../platform/tracker/issue.ts';
import { forgetCompared } from '../queue/wanted-copies.ts';
import { registryPrint } from '../statuses/registries.ts';
import { publication } from '../store/live-events.ts';
import type { Tx } from '../store/tables.ts';
import {
  beginField,
  confirmField,
  dropField,
  type FieldLookup,
  fieldMark,
  fieldNotice,
  fieldRefusal,
  lookUpField,
  refuseField,
} from './field.ts';
import { beginProperty, confirmProperty, doubtProperty, failProperty, refuseProperty, refuseRead } from './property.ts';
import { nextDue, propertyDue } from './records/due-copies.ts';
import { noteHint } from './records/hints.ts';
import { noteDenied, noteMissing } from './records/read-issue.ts';
import { type Copies, claimCopies, isOverdue, loadCopies, mustHold, type Run, readCopies } from './records/run.ts';
import { type Refreshed, refresh, type StartedRun, type SyncSite } from './refresh.ts';
import { type CopyRefusal, CopyRefused, isOfTracker, pauseAfter, refusalOf } from './refusals.ts';
import { isUnwatched, mustWatch } from './watch.ts';

const send = (site: SyncSite, run: Run, ...statements: Parameters<SyncSite['store']['batch']>[1]) =>
  site.store.batch(run.tenant, [mustHold(run), ...statements]);

/**
 * After so many compare-and-sets in a row without effect, an unchanged property is written without comparison: the tracker
 * considers its value different from the value that it returned.
 */
const MAX_SWAPS = 5;

/** Whether the tracker does not show the issue, by the answer to a call: a 404 to another call says nothing of it. */
const isNotShown = (error: TrackerRefused): boolean => error.status === 404 && issueCalls.has(error.call);
const issueCalls = new Set(['readIssue', 'readChangelog', 'writeProperty', 'writeField']);

/** Whether the project denies the app: the issue counts as missing, but as gone at no time. */
const isDenied = ({ status, call }: TrackerRefused): boolean => status === 403 && call === 'readIssue';

/** Whether the tracker refused a read, rather than gave an answer that cannot be read. */
const isReadRefused = (error: TrackerRefused): boolean => error.status >= 300 && !isNotShown(error) && !isDenied(error);

/** Whether the tracker refuses a write of an issue that it shows. A 404 may be of either, which a read tells. */
async function isRefusal(site: SyncSite, run: Run, error: TrackerRefused): Promise<boolean> {
  if (!isNotShown(error)) return true;
  return readProject(site.tracker, run.issue).then(
    () => true,
    () => false,
  );
}

/** The newest revision with its property and verdict; `undefined` where there is none. */
async function nextWrite(site: SyncSite, run: Run) {
  const { last, checklist, copies } = await stateOf(site, run);
  if (!last || !checklist) return undefined;
  const { of, listOf } = await site.registries();
  const project = checklist.project ?? undefined;
  const { property, verdict } = await site.texts.run(derivation, { version: last, statuses: listOf(project) });
  return {
    last,
    value: property,
    registry: registryPrint(of(project)),
    verdict,
    isUrgent: copies?.verdict !== verdict,
  };
}

/** Writes the newest revision to the property. Resolves with whether that was a compare-and-set, whose effect is unknown. */
async function syncProperty({ site, watch, run, copies }: StartedRun, read: Refreshed | undefined): Promise<boolean> {
  const { callers } = site;
  const next = await nextWrite(site, run);
  if (!next) return false;
  const { last, value, registry, verdict, isUrgent } = next;
  const isSwap = copies.contended && read !== undefined && copies.swaps < MAX_SWAPS;
  const tracker = isUrgent ? callers.verdict : callers.property;
  const { epoch, seq } = last;
  // In another watch, a backup may have been restored, and the last read may not be what the tracker holds.
  await send(site, run, mustWatch(watch), beginProperty({ ...run, epoch, seq }));
  const size = encodedSize(value);
  if (size > PROPERTY_CAPACITY) {
    const notice = storage.tooLarge(size, PROPERTY_CAPACITY);
    await send(site, run, refuseProperty({ ...run, refused: 'size', notice, ...pauseAfter('size') }));
    return false;
  }
  try {
    if (read?.isUnapplied) await keepForeign(tracker, run.issue, read.issue);
    if (isSwap) await swapProperty(tracker, run.issue, value, read.issue.property);
    else await writeProperty(tracker, run.issue, value);
  } catch (error) {
    if (error instanceof TrackerRefused && (await isRefusal(site, run, error))) {
      const refused = refusalOf(error);
      const notice = storage.propertyRefused(error.status);
      await send(site, run, refuseProperty({ ...run, refused, notice, ...pauseAfter(refused) }));
      if (copies.property_tries === 0)
        site.onError(new CopyRefused({ copy: 'property', issue: run.issue, refusal: error }));
      return false;
    }
    const isUndone = error instanceof TrackerRefused || (error instanceof TrackerUnavailable && error.isUndone);
    await send(site, run, isUndone ? failProperty(run) : doubtProperty({ ...run, isSwap: false }));
    throw error;
  }
  // The next read of the issue shows whether the compare-and-set had an effect.
  if (isSwap) await send(site, run, doubtProperty({ ...run, isSwap }));
  else {
    const written = { print: propertyPrint(value), registry };
    await send(site, run, confirmProperty({ ...run, epoch, seq, ...written, verdict, watch: watch.id }));
  }
  return isSwap;
}

async function enqueueProperty({ store, queue }: SyncSite, { tenant, issue }: TenantIssue): Promise<void> {
  const [due] = await store.batch(tenant, [propertyDue({ tenant, issue })]);
  const after = due.rows[0]?.after;
  if (after !== undefined) await queue.add('sync', { tenant, issue }, { after, key: issue });
}

/** Writes the newest revision to the field. */
async function syncField({ site, run, copies }: StartedRun, lookup: FieldLookup): Promise<void> {
  const { last, checklist } = await stateOf(site, run);
  const { epoch, seq, text } = last ?? currentOf({ last });
  const { id: fieldId, refusal } = lookup;
  const refuse = (refused: CopyRefusal, notice: string | null) =>
    send(site, run, refuseField({ ...run, epoch, seq, refused, notice, ...pauseAfter(refused) }));
  const confirm = (held: string, isWritten: boolean) =>
    send(site, run, confirmField({ ...run, epoch, seq, field: fieldId ?? '', text: held, isWritten }));
  /** Records that the tracker refused a call, and logs the first of such refusals in a row. */
  async function refuseFor(error: TrackerRefused): Promise<void> {
    const refused = fieldRefusal(error) ?? refusalOf(error);
    await refuse(refused, fieldNotice(error, text.length));
    if (copies.field_tries === 0 && isOfTracker(refused))
      site.onError(new CopyRefused({ copy: 'field', issue: run.issue, refusal: error }));
  }
  if (last && refusal) return refuseFor(refusal);
  if (!last || fieldId === undefined) return void (await send(site, run, dropField({ ...run, epoch, seq })));
  // It may hold a foreign text that was never read.
  if (copies.field !== fieldId || copies.field_unread) return void (await refuse('screen', storage.fieldNotOnScreen));
  // Its value was left out of the checklist.
  if (copies.field_text === null) return void (await refuse('foreign', copies.notice));
  if (sameField(copies.field_text, text)) return void (await confirm(copies.field_text, false));
  if (text.length > FIELD_CAPACITY)
    return void (await refuse('size', storage.fieldTooLarge(text.length, FIELD_CAPACITY)));
  await send(site, run, beginField({ ...run, mark: fieldMark(text) }));
  try {
    const written = { field: fieldId, value: text };
    await writeField(site.callers.field, run.issue, written, site.mailIn(checklist?.project ?? undefined));
  } catch (error) {
    if (error instanceof TrackerRefused && (await isRefusal(site, run, error))) return refuseFor(error);
    // The deferred field must not delay the property, which has a higher priority.
    if (error instanceof TrackerDeferred) await enqueueProperty(site, run);
    throw error;
  }
  await confirm(text, true);
}

/** When a compare-and-set without an event is checked. */
const SWAP_CHECK_MS = 10_000;

/** When an issue that the tracker did not show for the first time is read again. */
const MISSING_RETRY_MS = 2 * 60_000;

/** Whether the issue has to be read before a write (docs/storage.md, "Reading the copies"). */
function mustRead({ id }: Watch, copies: Copies, fieldId: string | undefined): boolean {
  const { hints, hints_read, pending_seq, property_due, contended, watch } = copies;
  const { field_due, field, field_text, field_unread } = copies;
  if (hints > hints_read || pending_seq !== null) return true;
  if (property_due && (contended || watch !== id)) return true;
  return field_due && fieldId !== undefined && (field !== fieldId || field_text === null || field_unread);
}

/** Whether a run has only to write the revision that the property holds again, with other statuses. */
async function isRewrite(site: SyncSite, run: Run, copies: Copies): Promise<boolean> {
  const { hints, hints_read, pending_seq, property_due, field_due, property_seen } = copies;
  if (!property_due || field_due || hints > hints_read || pending_seq !== null) return false;
  if (property_seen !== null) return false;
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
export async function syncIssue(site: SyncSite, place: TenantIssue): Promise<void> {
  // Before what is read from the database: a restored backup is then of a later watch.
  const watch = site.watch.now();
  const [claimed] = await site.store.batch(place.tenant, [claimCopies(place)]);
  const copies = readCopies(claimed.rows[0]);
  if (!copies) return;
  try {
    await syncClaimed(site, watch, place, copies);
  } finally {
    await publishRefusal(site, place, copies);
  }
}

/** Lets open panels read again where what they say of a refused copy has changed. */
async function publishRefusal({ store }: SyncSite, place: TenantIssue, { refused }: Copies): Promise<void> {
  const { tenant, issue } = place;
  const [loaded] = await store.batch(tenant, [loadCopies(place)]);
  const now = readCopies(loaded.rows[0]);
  if (now && now.refused !== refused) await store.batch(tenant, [publication(tenant, { kind: 'checklist', issue })]);
}

async function syncClaimed(usual: SyncSite, watch: Watch, place: TenantIssue, claimed: Copies): Promise<void> {
  let copies = claimed;
  const run: Run = { ...place, fence: copies.fence };
  const site = (await isRewrite(usual, run, copies)) ? usual.spare() : usual;
  let isSwapped = false;

  async function readAndWrite(): Promise<void> {
    // Reads before an urgent write are as urgent.
    const readsNothing = !copies.field_due && !mustRead(watch, copies, undefined);
    const isUrgent = copies.property_due && !readsNothing && (await nextWrite(site, run))?.isUrgent;
    const reader = isUrgent ? site.urgent() : site;
    let lookup = copies.field_due ? await lookUpField(reader) : undefined;
    let read: Refreshed | undefined;
    if (mustRead(watch, copies, lookup?.id)) {
      lookup ??= await lookUpField(reader);
      read = await refresh({ site: reader, watch, run, copies }, lookup);
      const [again] = await site.store.batch(place.tenant, [loadCopies(place)]);
      copies = readCopies(again.rows[0]) ?? copies;
    }
    if (copies.property_due) isSwapped = await syncProperty({ site, watch, run, copies }, read);
    // A read without the field leaves its foreign changes to the field's next try.
    if (copies.field_due || lookup?.refusal)
      await syncField({ site, watch, run, copies }, lookup ?? (await lookUpField(site)));
  }

  const refusedBy = (error: TrackerRefused) => {
    const refused = refusalOf(error);
    return { refused, notice: storage.propertyRefused(error.status), ...pauseAfter(refused) };
  };
  /** Logs the first of refusals in a row. */
  const logRefusal = (error: TrackerRefused) => {
    if (copies.property_tries === 0)
      site.onError(new CopyRefused({ copy: 'property', issue: run.issue, refusal: error }));
  };

  /** Records a refused read, after which the copies are due again later. */
  async function refuse(error: TrackerRefused): Promise<void> {
    await send(site, run, refuseRead({ ...run, newest: claimed.newest, ...refusedBy(error) }));
    logRefusal(error);
  }

  try {
    await readAndWrite().catch(error => {
      if (error instanceof TrackerRefused && isReadRefused(error)) return refuse(error);
      throw error;
    });
  } catch (error) {
    // A write of this run may have taken effect after one of the later run.
    if (isOverdue(error)) return void (await hint(site, place));
    if (isUnwatched(error)) {
      await site.watch.renew();
      return void (await site.queue.add('sync', place, { key: place.issue }));
    }
    if (!(error instanceof TrackerRefused && (isDenied(error) || isNotShown(error)))) throw error;
    const note = isDenied(error) ? noteDenied({ ...place, ...refusedBy(error) }) : noteMissing(place);
    if (isDenied(error) && (copies.property_due || copies.field_due)) logRefusal(error);
    const [noted] = await site.store.batch(place.tenant, [note]);
    if (noted.rows[0]?.isGone) await site.store.tenant(place.tenant, tx => forget(tx, place));
    // A single answer may be of a moment; afterwards sweeps look for it.
    else if (!copies.isMissing) await site.queue.add('sync', place, { after: MISSING_RETRY_MS, key: place.issue });
    return;
  }
  // Its project may have been hidden from the app while statuses or templates changed.
  if (claimed.isMissing) await site.store.tenant(place.tenant, tx => forgetCompared(tx, place.tenant));
  const [next] = await site.store.batch(place.tenant, [nextDue(place)]);
  const after = isSwapped ? SWAP_CHECK_MS : next.rows[0]?.after;
  if (after !== undefined) await site.queue.add('sync', place, { after, key: place.issue });
}

/** Tables whose rows of an issue are deleted with it. */
const forgotten = ['sync', 'assigned_item', 'status_use', 'template_use', 'notification', 'notification_mute'] as const;

/**
 * Deletes the state of the copies, the indexes, the key and the notifications of an issue that is deleted, or was not
 * visible to the app for long. Its history stays for its retention (`prune`). An issue that becomes visible again counts as
 * moved to a new project, and is indexed again.
 */
export async function forget(tx: Tx, { tenant, issue }: TenantIssue): Promise<void> {
  for (const table of forgotten) {
    await tx.deleteFrom(table).where('tenant', '=', tenant).where('issue', '=', issue).execute();
  }
  await tx
    .deleteFrom('checklist')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('seq', '=', 0)
    .execute();
  await tx
    .updateTable('conversion')
    .set({ follows: false })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
  await tx
    .updateTable('checklist')
    .set({ project: null, key: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
}
