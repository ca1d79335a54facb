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
import type { Position } from '../checklists/service/types.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { keepForeign, readProject, swapProperty, writeField, writeProperty } from '../platform/tracker/issue.ts';
import { forgetCompared } from '../queue/wanted-copies.ts';
import { registryPrint } from '../statuses/registries.ts';
import { publication } from '../store/live-events.ts';
import type { Tx } from '../store/tables.ts';
import { type FieldLookup, fieldMark, fieldNotice, fieldRefusal, lookUpField } from './field.ts';
import { noteHint } from './records/hints.ts';
import {
  type Copies,
  claimCopies,
  expectEcho,
  expectNoEcho,
  isOverdue,
  mustHold,
  noteDoubt,
  noteFieldWrite,
  noteMissing,
  noteShown,
  putCopies,
  type Run,
  readCopies,
  type Writes,
} from './records/run.ts';
import { type Refreshed, refresh, type StartedRun, type SyncSite } from './refresh.ts';
import { type CopyName, type CopyRefusal, CopyRefused, isOfTracker, refusalOf } from './refusals.ts';
import {
  type CopyEvent,
  copyAfter,
  type Field,
  isDue,
  type KnownCopies,
  type Property,
  refusalIn,
  refusedNotice,
} from './state.ts';
import { isUnwatched, mustWatch } from './watch.ts';

type Statements = Parameters<SyncSite['store']['batch']>[1];

const send = (site: SyncSite, run: Run, ...statements: Statements) =>
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

/** The newest revision with its property and verdict; `undefined` if there is none. */
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

/** Records the new states of the copies. If the given copy was refused, enqueues its next try. */
async function record(
  { site, run, copies }: StartedRun,
  copy: CopyName,
  after: Partial<KnownCopies>,
  ...statements: Statements
): Promise<void> {
  const before = { ...copies };
  const { state } = Object.assign(copies, after)[copy];
  const allStatements = [putCopies(run, before, copies), ...statements];
  if (state.name === 'refused') {
    const pause = Math.max(0, state.refusal.retry.getTime() - copies.now.getTime());
    allStatements.push(enqueueWrite(site, run, copy, pause));
  }
  await send(site, run, ...allStatements);
}

const enqueueWrite = ({ queue }: SyncSite, { tenant, issue }: TenantIssue, copy: CopyName, after: number) =>
  queue.enqueue(`write-${copy}`, { tenant, issue }, { after, key: issue });

/** Logs a refusal before it is recorded, if it is the first of a copy in a row. */
function logFirst({ site, run, copies }: StartedRun, copy: CopyName, refusal: TrackerRefused): void {
  if (refusalIn<unknown>(copies[copy].state) === undefined)
    site.onError(new CopyRefused({ copy, issue: run.issue, refusal }));
}

/** A compare-and-set is checked after this time if no event arrives. */
const SWAP_CHECK_MS = 10_000;

/** Writes the newest revision to the property. */
async function syncProperty(started: StartedRun, refreshed: Refreshed | undefined): Promise<void> {
  const { site, watch, run, copies } = started;
  const next = await nextWrite(site, run);
  if (!next) return;
  const { last, value, registry, verdict, isUrgent } = next;
  const { contended, swaps } = copies.property;
  const note = (event: CopyEvent<Position>, changedValues: Partial<Property>, ...statements: Statements) =>
    record(started, 'property', { property: copyAfter(copies.property, event, changedValues) }, ...statements);
  const isSwap = contended && refreshed !== undefined && swaps < MAX_SWAPS;
  const tracker = isUrgent ? site.callers.verdict : site.callers.property;
  const { epoch, seq } = last;
  // In another watch, a backup may have been restored. Then the tracker may hold another value than the last read.
  await note({ kind: 'begun', write: { epoch, seq } }, {}, mustWatch(watch), expectEcho(run));
  const size = encodedSize(value);
  if (size > PROPERTY_CAPACITY) {
    const notice = storage.tooLarge(size, PROPERTY_CAPACITY);
    return note({ kind: 'refused', reason: 'size', now: copies.now }, { notice }, expectNoEcho(run));
  }
  try {
    if (refreshed?.isUnapplied) await keepForeign(tracker, run.issue, refreshed.issue);
    if (isSwap) await swapProperty(tracker, run.issue, value, refreshed.issue.property);
    else await writeProperty(tracker, run.issue, value);
  } catch (error) {
    if (error instanceof TrackerRefused && (await isRefusal(site, run, error))) {
      logFirst(started, 'property', error);
      return note(...refusedBy(error, copies), expectNoEcho(run));
    }
    const isUndone = error instanceof TrackerRefused || (error instanceof TrackerUnavailable && error.isUndone);
    if (isUndone) await note({ kind: 'undone' }, {}, expectNoEcho(run));
    else await send(site, run, noteDoubt(run));
    throw error;
  }
  if (isSwap) {
    const check = enqueueWrite(site, run, 'property', SWAP_CHECK_MS);
    const property = { ...copies.property, swaps: swaps + 1 };
    return record(started, 'property', { property }, noteDoubt(run), check);
  }
  const written = { confirmed: { epoch, seq }, print: propertyPrint(value), registry, verdict, watch: watch.id };
  const settledState = { ...written, seen: null, swaps: 0, notice: null };
  return note({ kind: 'settled' }, settledState, noteShown({ ...run, missing: null }));
}

/** Writes the newest revision to the field. */
async function syncField(started: StartedRun, lookup: FieldLookup): Promise<void> {
  const { site, run, copies } = started;
  const { last, checklist } = await stateOf(site, run);
  const { epoch, seq, text } = last ?? currentOf({ last });
  const { id: fieldId, refusal } = lookup;
  const { field } = copies;
  const note = (event: CopyEvent<string>, changedValues: Partial<Field>, ...statements: Statements) =>
    record(started, 'field', { field: copyAfter(copies.field, event, changedValues) }, ...statements);
  const refuse = (reason: CopyRefusal, notice: string | null) =>
    note({ kind: 'refused', reason, now: copies.now }, { notice });
  /** Records that the tracker refused a call, and logs the first of such refusals in a row. */
  async function refuseFor(error: TrackerRefused): Promise<void> {
    const reason = fieldRefusal(error) ?? refusalOf(error);
    if (isOfTracker(reason)) logFirst(started, 'field', error);
    await refuse(reason, fieldNotice(error, text.length));
  }
  if (last && refusal) return refuseFor(refusal);
  if (!last || fieldId === undefined) return note({ kind: 'settled' }, { notice: null });
  // It may hold a foreign text that was never read.
  if (field.id !== fieldId || field.isUnread) return refuse('screen', storage.fieldNotOnScreen);
  // Its value was left out of the checklist.
  if (field.text === null) return refuse('foreign', field.notice);
  const settledState = { confirmed: { epoch, seq }, id: fieldId, notice: null };
  if (sameField(field.text, text)) return note({ kind: 'settled' }, { ...settledState, text: field.text });
  if (text.length > FIELD_CAPACITY) return refuse('size', storage.fieldTooLarge(text.length, FIELD_CAPACITY));
  await note({ kind: 'begun', write: fieldMark(text) }, {});
  try {
    const written = { field: fieldId, value: text };
    await writeField(site.callers.field, run.issue, written, site.mailIn(checklist?.project ?? undefined));
  } catch (error) {
    if (error instanceof TrackerRefused && (await isRefusal(site, run, error))) return refuseFor(error);
    throw error;
  }
  await note({ kind: 'settled' }, { ...settledState, text }, noteFieldWrite(run));
}

/** After a first read that did not show the issue, the issue is read again after this time. */
const MISSING_RETRY_MS = 2 * 60_000;

/** Whether the issue has to be read before a write (docs/storage.md, "Reading the copies"). */
function mustRead({ id }: Watch, { isUnread, property, field }: Copies, writes: Writes, fieldId?: string): boolean {
  if (isUnread) return true;
  if (property.state.name === 'pending' && writes.property) return true;
  if (writes.property && (property.contended || property.watch !== id)) return true;
  return writes.field && fieldId !== undefined && (field.id !== fieldId || field.text === null || field.isUnread);
}

/** Whether a run has only to write the revision that the property holds again, with other statuses. */
async function isRewrite(site: SyncSite, run: Run, { isUnread, property }: Copies, writes: Writes): Promise<boolean> {
  if (!writes.property || writes.field || isUnread || property.state.name === 'pending') return false;
  // Without a verdict, it has nothing that search and workflow rules read: a user waits for that.
  if (property.seen !== null || property.verdict === null) return false;
  const { last } = await stateOf(site, run);
  return last?.epoch === property.confirmed?.epoch && last?.seq === property.confirmed?.seq;
}

/** Enqueues a read of a known issue after `after` milliseconds. */
export async function enqueueRead({ store, queue }: SyncSite, place: TenantIssue, after = 0): Promise<void> {
  const [noted] = await store.batch(place.tenant, [noteHint(place)]);
  if (noted.rows.length > 0) await queue.add('sync', place, { after, key: place.issue });
}

/**
 * Applies foreign changes if there are hints of them, and writes the due copies of an issue's checklist, but leaves one
 * that is not given to its own job. Rejects if the tracker does not answer. Work stays due then, and also while the issue
 * is missing, until it is gone.
 */
export async function syncIssue(
  site: SyncSite,
  place: TenantIssue,
  writes: Writes = { property: false, field: false },
): Promise<void> {
  // Before what is read from the database: a restored backup is then of a later watch.
  const watch = site.watch.now();
  const [claimed] = await site.store.batch(place.tenant, [claimCopies(place)]);
  const copies = readCopies(claimed.rows[0]);
  if (!copies) return;
  const notice = refusedNotice(copies);
  try {
    await syncClaimed(site, watch, place, copies, writes);
  } finally {
    // Open panels read again if what they say of a refused copy has changed.
    if (refusedNotice(copies) !== notice)
      await site.store.batch(place.tenant, [publication(place.tenant, { kind: 'checklist', issue: place.issue })]);
  }
}

/** The copies that a run writes if they are due: the given ones, and others without a job. */
const writesOf = ({ property, field, scheduled }: Copies, jobWrites: Writes): Writes => ({
  property: isDue(property.state) && (jobWrites.property || !scheduled.property),
  field: isDue(field.state) && (jobWrites.field || !scheduled.field),
});

const refusedBy = (error: TrackerRefused, { now }: Copies) => {
  const event = { kind: 'refused', reason: refusalOf(error), now } as const;
  return [event, { notice: storage.propertyRefused(error.status) }] as const;
};

async function syncClaimed(
  usual: SyncSite,
  watch: Watch,
  place: TenantIssue,
  copies: Copies,
  jobWrites: Writes,
): Promise<void> {
  let writes = writesOf(copies, jobWrites);
  const run: Run = { ...place, fence: copies.fence };
  const site = (await isRewrite(usual, run, copies, writes)) ? usual.spare() : usual;
  const started: StartedRun = { site, watch, run, copies };

  async function readAndWrite(): Promise<void> {
    // Reads before an urgent write are as urgent.
    const readsNothing = !writes.field && !mustRead(watch, copies, writes);
    const isUrgent = writes.property && !readsNothing && (await nextWrite(site, run))?.isUrgent;
    const reader = isUrgent ? site.urgent() : site;
    let lookup = writes.field ? await lookUpField(reader) : undefined;
    let refreshed: Refreshed | undefined;
    if (mustRead(watch, copies, writes, lookup?.id)) {
      lookup ??= await lookUpField(reader);
      refreshed = await refresh({ ...started, site: reader }, lookup);
      const { behind } = refreshed;
      const { property, field } = copies;
      // A refused copy that is behind is tried before its time, and a contended property is read before each write.
      writes = writesOf(copies, {
        property: writes.property || property.contended || (behind.property && property.state.name === 'refused'),
        field: writes.field || (behind.field && field.state.name === 'refused'),
      });
    }
    if (writes.property) await syncProperty(started, refreshed);
    // A read without the field leaves its foreign changes to the field's next try.
    if (writes.field || lookup?.refusal) await syncField(started, lookup ?? (await lookUpField(site)));
  }

  /** Records that the tracker refused to show the issue, which keeps the copies from being written. */
  async function refuse(error: TrackerRefused, ...statements: Statements): Promise<void> {
    const [event, refusedState] = refusedBy(error, copies);
    logFirst(started, 'property', error);
    const property = copyAfter(copies.property, event, refusedState);
    const field = copyAfter(copies.field, event, {});
    // One read serves both.
    await record(started, 'property', { property, ...(isDue(copies.field.state) && { field }) }, ...statements);
  }

  try {
    await readAndWrite().catch(error => {
      if (error instanceof TrackerRefused && isReadRefused(error)) return refuse(error);
      throw error;
    });
  } catch (error) {
    // A write of this run may have taken effect after one of the later run.
    if (isOverdue(error)) return enqueueRead(site, place);
    if (isUnwatched(error)) {
      await site.watch.renew();
      return site.queue.add('sync', place, { key: place.issue });
    }
    if (!(error instanceof TrackerRefused && (isDenied(error) || isNotShown(error)))) throw error;
    if (isDenied(error)) {
      const isWaiting = isDue(copies.property.state) || isDue(copies.field.state);
      const denied = noteShown({ ...place, missing: 'now' });
      await (isWaiting ? refuse(error, denied) : send(site, run, denied));
    } else {
      const [noted] = await site.store.batch(place.tenant, [noteMissing(place)]);
      if (noted.rows[0]?.isGone) return site.store.tenant(place.tenant, tx => forget(tx, place));
    }
    // A single answer may be of a moment; afterwards sweeps look for it.
    if (!copies.isMissing) await enqueueRead(site, place, MISSING_RETRY_MS);
    return;
  }
  // Its project may have been hidden from the app while statuses or templates changed.
  if (copies.isMissing) await site.store.tenant(place.tenant, tx => forgetCompared(tx, place.tenant));
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
