import { isDeepStrictEqual } from 'node:util';
import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { parseAs } from '../../domain/shape.ts';
import { decideFirst, type FirstRevisions } from '../checklists/commit/adopt.ts';
import { type CommitOptions, commit } from '../checklists/commit/commit.ts';
import { stateOf } from '../checklists/commit/load.ts';
import { derivation } from '../checklists/decide/derived.ts';
import { excess, isSameProperty, propertyPrint } from '../checklists/decide/property.ts';
import { currentOf, MAX_RECENT, noPosition, type Version, versionShape } from '../checklists/decide/state.ts';
import type { Outcome } from '../checklists/decide/types.ts';
import {
  explainingVersion,
  type FieldText,
  newestFirst,
  recentVersions,
  type TenantIssue,
  versionAt,
} from '../checklists/read/revisions.ts';
import { fieldOf, sameField, storedProperty, storedSeq } from '../checklists/read/stored.ts';
import type { Site, Watch } from '../checklists/service/site.ts';
import type { Position } from '../checklists/service/types.ts';
import type { Refusal } from '../errors/refused.ts';
import { entriesAfter } from '../platform/tracker/changelog-pages.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { type MailSuppression, readIssueWithChanges, type TrackerIssue } from '../platform/tracker/issue.ts';
import { registryPrint } from '../statuses/registries.ts';
import type { FieldLookup } from './field.ts';
import {
  type FieldFinding,
  type FieldProposal,
  type Finding,
  isSameContent,
  type KnownRevisions,
  proposalOf,
  readFieldChanges,
  readProperty,
} from './foreign.ts';
import { type Copies, mustHold, noteRead, putCopies, type Run, type Writes } from './records/run.ts';
import { copyAfter, type Field, isDue, type KnownCopies, type Property } from './state.ts';
import { mustWatch } from './watch.ts';

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
  /** The account of the app's calls, `undefined` if it is unknown. */
  ownAccount(): Promise<string | undefined>;
  /** Whether an account is the app's; `undefined` while the app's is not cached. */
  isOwn(account: string): boolean | undefined;
  /** Whether field writes in a project may leave out the mail to watchers. */
  mailIn(project: string | undefined): MailSuppression;
  /** The same, whose reads have the priority of writes that change a verdict. */
  urgent(): SyncSite;
  /** The same, whose reads and writes have the priority of jobs. */
  spare(): SyncSite;
}

/** The state of a run at its start. */
export interface StartedRun {
  site: SyncSite;
  watch: Watch;
  run: Run;
  copies: Copies;
}

/** Loads the revisions with which the tracker's copies are compared. */
async function knownOf({ site, watch, run, copies }: StartedRun, issue: TrackerIssue) {
  const { store, tenant } = site;
  const { id, since } = watch;
  const property = storedProperty(issue);
  const stamp = property.kind === 'ours' ? property : null;
  // A copy last read before this watch holds no revision of the watch: equal numbers mean that a backup was restored.
  const isRead = copies.property.watch === null || copies.property.watch === id;
  return store.tenant(tenant.id, async tx => {
    const at = (position: Position | null) => (position === null ? undefined : versionAt(tx, run, position));
    const before = newestFirst(tx, run).where('created', '<', since);
    const earlier = await before.limit(1).executeTakeFirst();
    const shared = earlier && parseAs(versionShape, earlier);
    const recent = await recentVersions(tx, run, MAX_RECENT);
    const bearing = await at(stamp);
    const isEarlier =
      bearing &&
      (await before.where('epoch', '=', bearing.epoch).where('seq', '=', bearing.seq).limit(1).executeTakeFirst());
    const stamped = isRead || isEarlier ? bearing : undefined;
    const { state } = copies.property;
    const confirmed = await at(copies.property.confirmed);
    const pending = state.name === 'pending' ? await at(state.write) : undefined;
    const isLost = storedSeq(issue, tenant.epoch) > 0 && !stamped;
    const seenVersion = copies.property.seen ?? undefined;
    const text = !stamped && !isLost && 'text' in property ? property.text : undefined;
    const isNew = text !== undefined && ![confirmed, pending, seenVersion, recent[0]].some(each => each?.text === text);
    const explaining = isNew && confirmed ? await explainingVersion(tx, run, text, confirmed) : undefined;
    return { confirmed, stamped, isLost, pending, seen: seenVersion, shared, recent, explaining };
  });
}

/** Reads the field's changes since the last read. */
async function readField(
  { site, run, copies }: StartedRun,
  { issue, changes }: Awaited<ReturnType<typeof readIssueWithChanges>>,
  field: FieldText,
  { last, recent }: KnownRevisions,
): Promise<FieldFinding> {
  const stored = copies.field;
  const isSeen = stored.id === field.id;
  const isSince = isSeen && stored.cursor !== null;
  const after = isSince ? (stored.cursor ?? 0) : 0;
  const entries = isSince ? await entriesAfter(site.callers.event, run.issue, changes, after) : changes.entries;
  const ownAccount = await site.ownAccount();
  const confirmed = isSeen ? stored.text : null;
  const clean = (text: string) =>
    fieldOf({ ...issue, fields: [{ id: field.id, name: '', value: text }] }, field.id)?.text ?? '';
  const statuses = (await site.registries()).listOf(issue.project);
  const { run: runTask } = site.texts;
  const fits = async (text: string) => (await runTask(excess, { version: { ...last, text }, statuses })) === undefined;
  // Needed if the changelog does not say which text the author of the field's value has read.
  const isLogged = entries.some(({ fields }) => fields.some(({ field: id, to }) => id === field.id && to !== null));
  const isKnown = [confirmed, ...recent.map(version => version.text)].some(
    text => text !== null && sameField(text, field.text),
  );
  const at = stored.confirmed;
  const explaining =
    isLogged || isKnown || at === null
      ? undefined
      : await site.store.tenant(site.tenant.id, tx => explainingVersion(tx, run, field.text, at));
  return readFieldChanges(
    runTask,
    {
      ...{ field, entries, confirmed, isSince, own: ownAccount, fits, explaining },
      pending: stored.state.name === 'pending' ? stored.state.write : null,
      isRefused: isSeen && stored.notice !== null,
    },
    recent,
    clean,
  );
}

/** Reads an issue without a checklist of the app as if it were adopted now. */
function readUnwritten({ kind, revisions }: FirstRevisions, last: Version): Finding {
  const { name, text } = revisions.at(-1) ?? { ...noPosition, text: '' };
  const isSame = text === last.text && name === last.name;
  const to = { name, text };
  const proposals = isSame ? [] : [proposalOf({ kind, from: last, to, account: undefined })];
  return { proposals, isForeign: false, floor: 0 };
}

/** Finds the refusal of a copy's value that was left out because the checklist would be too large. Throws unexpected errors. */
function refusalIn(outcomes: readonly Outcome[]): Refusal | undefined {
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
  return outcomes.flatMap(outcome => ('refusal' in outcome ? outcome.refusal : [])).at(-1);
}

/** Whether the property differs from the last read. */
function isChanged({ holds, seen }: Finding, { confirmed, seen: before }: Property): boolean {
  const isOther = holds && !(holds.epoch === confirmed?.epoch && holds.seq === confirmed.seq);
  return isOther === true || !isDeepStrictEqual(seen ?? null, before);
}

/** The result of reading an issue and applying its foreign changes. */
export interface Refreshed {
  issue: TrackerIssue;
  /** The property has a value that was not applied; it is stored elsewhere before it is overwritten. */
  isUnapplied: boolean;
  /** The copies that have to be written after the read. */
  behind: Writes;
}

/** A transaction applies at most so many changes of the field: it holds the checklist's lock, and its merge has a time limit. */
const MAX_FIELD_CHANGES = 5;

/** Parts of a list, the last of which may be shorter, and is empty if the list is. */
function inParts<Item>(items: readonly Item[], count: number): (readonly Item[])[] {
  const parts = [items.slice(0, count)];
  for (let from = count; from < items.length; from += count) parts.push(items.slice(from, from + count));
  return parts;
}

/**
 * The state of the field after its changes up to one entry. If a run ends at the entry, the next run continues there.
 */
const readUntil = (stored: Field, field: FieldText | undefined, entry: FieldProposal['entry']): Field =>
  field && entry ? { ...stored, id: field.id, text: entry.text, cursor: entry.id } : stored;

/** Reads the issue and applies foreign changes, each merged from its own base. The field stays unread if its lookup was refused. */
export async function refresh(started: StartedRun, lookup: FieldLookup): Promise<Refreshed> {
  const { site, watch, run, copies } = started;
  const { tenant } = site;
  const place: TenantIssue = { tenant: run.tenant, issue: run.issue };
  const issueWithChanges = await readIssueWithChanges(site.callers.event, run.issue);
  const { issue, changes } = issueWithChanges;
  const property = storedProperty(issue);
  const { id: fieldId, refusal } = lookup;
  const [state, revisions] = await Promise.all([stateOf(site, run), knownOf(started, issue)]);
  const project = issue.project ?? state.checklist?.project ?? undefined;
  const registries = await site.registries();
  const statuses = registries.listOf(project);
  const last = currentOf(state);
  const knownRevisions: KnownRevisions = { last, ...revisions };
  const isWritten = state.checklist?.mirrored === true;
  // An own write is no author. The app's account costs a call, once.
  if (copies.actors.length > 0) await site.ownAccount();
  const [author, ...otherActors] = new Set(copies.actors.filter(actor => site.isOwn(actor) !== true));
  const writer = otherActors.length > 0 ? undefined : author;
  const isPending = copies.property.state.name === 'pending';
  const ours = isWritten || isPending || 'text' in property;
  // The field may hold the checklist's text.
  if (!ours && refusal) throw refusal;
  const first = ours
    ? undefined
    : await decideFirst(site.texts.run, { id: run.issue, issue, epoch: tenant.epoch, statuses, fieldId });
  const inProperty = first
    ? readUnwritten(first, last)
    : await readProperty(site.texts.run, property, knownRevisions, writer);
  const field = first ? first.field : fieldOf(issue, fieldId);
  const nothing: FieldFinding = { proposals: [], isBehind: () => false };
  const inField = ours && field ? await readField(started, issueWithChanges, field, knownRevisions) : nothing;
  // An own write may have been over the foreign value before it was read.
  const hasForeignEvent = copies.actors.some(actor => site.isOwn(actor) === false);
  let { scheduled } = copies;
  let after: KnownCopies = copies;
  let behind: Writes = { property: false, field: false };

  const floor = Math.max(inProperty.floor, storedSeq(issue, tenant.epoch));
  const parts = inParts(inField.proposals, MAX_FIELD_CHANGES);
  const ofField: Outcome[] = [];
  /** The result of the parts so far. A part may be decided again: the last decision is the one that is stored. */
  let done = { holds: inProperty.holds, isRefused: false, hasRevisions: false };
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const propertyProposals = index === 0 ? inProperty.proposals : [];
    let step = done;
    const options: CommitOptions = {
      ...{ floor, project: issue.project, key: issueWithChanges.key },
      ...(first && !first.isTakenOver && { unwritten: first.source }),
      async also({ outcomes, revisions: made }, now, runTask) {
        const current = made.at(-1) ?? currentOf(now);
        const value = inProperty.says;
        const refusalOfProperty = refusalIn(outcomes.slice(0, propertyProposals.length));
        const refusalOfField = refusalIn([...ofField, ...outcomes.slice(propertyProposals.length)]);
        step = {
          holds: done.holds ?? made.find(revision => value && isSameContent(revision, value)),
          isRefused: done.isRefused || refusalOfProperty !== undefined,
          hasRevisions: done.hasRevisions || made.length > 0,
        };
        const { holds, isRefused, hasRevisions } = step;
        const isFieldRefused = refusalOfField !== undefined || first?.notice !== undefined;
        const propertyNotice = refusalOfProperty
          ? storage.propertyNotTaken(refusalOfProperty.size ?? 0, PROPERTY_CAPACITY)
          : null;
        const notice = refusalOfField
          ? storage.fieldNotTaken(refusalOfField.size ?? 0, PROPERTY_CAPACITY)
          : (first?.notice ?? propertyNotice);
        // A checklist that is only shown here is not written.
        const isMirrored = now.checklist?.mirrored === true || (hasRevisions && (ours || first?.isTakenOver === true));
        const isCurrent = value !== undefined && isSameContent(current, value);
        const { property: expectedProperty } = await runTask(derivation, { version: current, statuses });
        const isEqual = isSameProperty(issue.property, expectedProperty);
        const { epoch, seq } = current;
        const before = copies.property;
        const isWanted = isMirrored && seq > 0;
        // The current text in a foreign value is rewritten once only, so that the app does not compete with another one.
        const isLeft = isCurrent && !isPending && before.contended && !hasRevisions;
        const foundProperty = isEqual || !isWanted ? 'equal' : isLeft ? 'kept' : 'behind';
        const isFieldRead = field !== undefined && !isFieldRefused;
        const isFieldBehind = isMirrored && tenant.mirror !== 'none' && inField.isBehind(current.text);
        const isFieldEqual = isFieldRead && isWanted && sameField(field.text, current.text);
        const foundField = isFieldEqual ? 'equal' : isFieldRead && isFieldBehind ? 'behind' : 'kept';
        const verdict = value && (await runTask(derivation, { version: { ...current, ...value }, statuses })).verdict;
        const confirmed = foundProperty === 'kept' ? current : (holds ?? before.confirmed);
        const readField = copyAfter(
          copies.field,
          { kind: 'read', found: foundField },
          {
            ...(field && { id: field.id, text: isFieldRead ? field.text : null }),
            ...(isFieldEqual && { confirmed: { epoch, seq } }),
            isUnread: field === undefined && copies.field.id !== null,
            // Changes of a field that was not read, or not applied, are read again.
            cursor: (isFieldRead ? changes.newest : null) ?? copies.field.cursor,
            notice: notice ?? (isFieldEqual && isDue(copies.field.state) ? null : copies.field.notice),
          },
        );
        after = {
          property: copyAfter(
            before,
            { kind: 'read', found: foundProperty },
            {
              // A value that was left out counts as unread until it is overwritten.
              seen: (!isRefused && inProperty.seen) || null,
              ...{ verdict: verdict ?? null, watch: watch.id },
              confirmed: confirmed && { epoch: confirmed.epoch, seq: confirmed.seq },
              ...(isEqual && {
                print: propertyPrint(expectedProperty),
                registry: registryPrint(registries.of(project)),
              }),
              ...(isChanged(inProperty, before) && { swaps: 0 }),
              contended: before.contended || inProperty.isForeign || hasForeignEvent,
              ...(foundProperty === 'equal' && { notice: null }),
            },
          ),
          field: isLast ? readField : readUntil(copies.field, field, part.at(-1)?.entry),
        };
        behind = { property: foundProperty === 'behind', field: foundField === 'behind' };
        // A revision comes with jobs that write it.
        if (hasRevisions) scheduled = { property: true, field: true };
        const noted = noteRead({ ...place, hints: copies.hints, named: copies.actors.length, isPending });
        return [mustHold(run), mustWatch(watch), putCopies(run, copies, after), ...(isLast ? [noted] : [])];
      },
    };
    const proposals = [...propertyProposals, ...part.map(({ proposal }) => proposal)];
    const outcomes = await site.texts.inTurnIfLarge(runTask => commit(site, place, proposals, runTask, options));
    if (typeof outcomes !== 'string') ofField.push(...outcomes.slice(propertyProposals.length));
    done = step;
  }
  Object.assign(copies, { property: after.property, field: after.field, scheduled });
  const isUnapplied = done.isRefused || property.kind === 'foreign';
  return { issue, isUnapplied, behind };
}
