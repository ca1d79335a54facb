import { randomUUID } from 'node:crypto';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { OUTSIDE_ACCOUNT } from '../../../domain/person.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { encodedSize, parseChecklistProperty } from '../../../domain/storage.ts';
import { hasRows } from '../../../text/edits/rows.ts';
import { isUninstalled, mustBeInstalled, uninstalled } from '../../access/installed.ts';
import { type ReadIssue, readIssueWithChanges, type TrackerIssue } from '../../platform/tracker/issue.ts';
import { registryPrint } from '../../statuses/registries.ts';
import { statement } from '../../store/statement.ts';
import { hashText } from '../../text-workers/hash.ts';
import type { RunTask } from '../../text-workers/task.ts';
import { derivation } from '../decide/derived.ts';
import type { ReadText } from '../decide/edit.ts';
import { nearestBase } from '../decide/nearest-base.ts';
import { excess, isSameToReaders, propertyPrint } from '../decide/property.ts';
import { type KeysOfProposal, noPosition, type State, unknownState } from '../decide/state.ts';
import type { Decision, Proposal } from '../decide/types.ts';
import { addRevisions, type FieldText, type TenantIssue } from '../read/revisions.ts';
import { fieldOf, firstStored, inheritedText, sameField, storedProperty, storedSeq } from '../read/stored.ts';
import type { Site } from '../service/site.ts';
import { type ChecklistSource, NEWEST_BASE } from '../service/types.ts';
import { enqueueField } from './due.ts';
import { stateOf } from './load.ts';
import { runDecision } from './run-decision.ts';
import { putIndex } from './store.ts';

type CopyProposal = Proposal & { edit: ReadText };

/** The tracker's copies of an issue that the database does not know. */
interface TrackerCopies {
  source: ChecklistSource;
  /** The values of the copies as changes of an empty checklist, oldest first. */
  proposals: CopyProposal[];
  /** The field that mirrors the checklist. */
  field: FieldText | undefined;
}

/**
 * Reads the first copies of an issue's checklist. The checklist of the previous edition is the oldest, so that changes here
 * apply to it. The app's property wins over the field; a different value of the field stays in the history.
 */
function readFirstCopies(issue: TrackerIssue, fieldId: string | undefined): TrackerCopies {
  const { source, name, text } = firstStored(issue, fieldId);
  const inherited = inheritedText(issue);
  const field = fieldOf(issue, fieldId);
  const proposals: CopyProposal[] = [];
  let current = { name: noPosition.name, text: '' };
  const propose = (edit: ReadText, rest: Partial<Omit<Proposal, 'edit'>>) =>
    proposals.push({
      ...{ account: OUTSIDE_ACCOUNT, clientId: `foreign ${randomUUID()}`, base: NEWEST_BASE, edit },
      ...{ maxItems: Number.POSITIVE_INFINITY, ...rest },
    });
  const replace = (kind: ReadText['kind'], next: typeof current) => {
    if (next.text === current.text && next.name === current.name) return;
    propose({ kind, ...next }, { isFirstCopy: true });
    current = next;
  };
  const other = field?.text.trim() && !sameField(field.text, text) ? field.text : undefined;
  if (inherited) replace('inherited', inherited);
  if ('text' in storedProperty(issue)) {
    if (other !== undefined) replace('foreignField', { name: noPosition.name, text: other });
    replace('foreignProperty', { name, text });
  } else if (inherited && other !== undefined) {
    const base = nearestBase({ text: other, last: '', earlier: [text] });
    propose({ kind: 'foreignField', text: other }, { base: { epoch: '', seq: 0, hash: hashText(base), text: base } });
  } else if (source === 'FIELD') replace('foreignField', { name, text });
  return { source, proposals, field };
}

/** The revisions and the index of an issue that the database does not know. */
export interface FirstRevisions
  extends Pick<TrackerCopies, 'source' | 'field'>,
    Pick<Decision, 'revisions' | 'newest'> {
  /** The kind of the newest revision. */
  kind: ReadText['kind'];
  /** The message for users if the field's value was left out, and `field` therefore is undefined. */
  notice: string | undefined;
  /** Whether the app keeps the checklist in its property from now on: it has room there, and is no other app's field. */
  isTakenOver: boolean;
}

interface UnknownIssue {
  id: string;
  issue: TrackerIssue;
  /** The epoch of the installation. */
  epoch: string;
  statuses: readonly RegistryStatus[];
  fieldId: string | undefined;
}

/** Decides on the first copies of an issue's checklist as changes of an empty one. */
export async function decideFirst(
  run: RunTask,
  { id, issue, epoch, statuses, fieldId }: UnknownIssue,
): Promise<FirstRevisions> {
  const { source, proposals, field } = readFirstCopies(issue, fieldId);
  const { outcomes, revisions, newest } = await runDecision(run, {
    ...{ issue: id, epoch, state: unknownState, proposals, statuses, project: issue.project },
    // Continues the numbers that this epoch gave before a backup was restored.
    floor: Math.max(0, storedSeq(issue, epoch) - proposals.length),
  });
  const client = revisions.at(-1)?.client;
  const kind = proposals.find(({ clientId }) => clientId === client)?.edit.kind ?? 'foreignProperty';
  const last = revisions.at(-1);
  // Another app's field, and the previous edition's property, may still be written there: their own jobs import them.
  const isOwn = 'text' in storedProperty(issue) || (source === 'FIELD' && Boolean(field?.text.trim()));
  const isTakenOver =
    last !== undefined && isOwn && hasRows(last.text) && (await run(excess, { version: last, statuses })) === undefined;
  const first = { source, revisions, newest, kind, isTakenOver };
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error;
    if ('refusal' in outcome) {
      const size = outcome.refusal.size ?? encodedSize(field?.text ?? '');
      return { ...first, field: undefined, notice: storage.fieldNotTaken(size, PROPERTY_CAPACITY) };
    }
  }
  return { ...first, field, notice: undefined };
}

interface Adopted extends TenantIssue {
  epoch: string;
  seq: number;
  source: string;
  mirrored: boolean;
  project: string | null;
  key: string;
  service: boolean | null;
}

const insertChecklist = statement<Adopted, { seq: number }>(
  (db, { tenant, issue, epoch, seq, source, mirrored, project, key, service }) =>
    db
      .insertInto('checklist')
      .values({ tenant, issue, epoch, seq, source, mirrored, project, key, service })
      .onConflict(conflict => conflict.doNothing())
      .returning('seq'),
);

interface FirstCopies extends TenantIssue {
  hints: number;
  property_wanted: boolean;
  field_wanted: boolean;
  property_print: string | null;
  property_registry: string | null;
  verdict: string | null;
  confirmed_epoch: string | null;
  confirmed_seq: number | null;
  contended: boolean;
  field: string | null;
  field_text: string | null;
  field_epoch: string | null;
  field_seq: number | null;
  cursor: string | null;
  field_notice: string | null;
  watch: string | null;
}

const insertCopies = statement((db, values: FirstCopies) => {
  const { tenant, issue, hints, confirmed_epoch, confirmed_seq, contended, field, field_text, cursor, watch } = values;
  const { field_epoch, field_seq, field_notice, property_wanted, field_wanted } = values;
  const { property_print, property_registry, verdict } = values;
  const copies = {
    ...{ hints, confirmed_epoch, confirmed_seq, contended, field, field_text, cursor, field_notice, watch },
    ...{ field_epoch, field_seq, property_wanted, field_wanted, property_print, property_registry, verdict },
  };
  return db
    .insertInto('sync')
    .values({ tenant, issue, ...copies })
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet(copies));
});

const isKnown = statement((db, { tenant, issue }: TenantIssue) =>
  db.selectFrom('checklist').select('seq').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** The running adoptions of this process, by issue. */
export type Adoptions = Map<string, Promise<void>>;

async function adoptOnce(site: Site, place: TenantIssue, readIssue?: ReadIssue): Promise<void> {
  const { store, tenant, tracker, watch, queue } = site;
  const { epoch } = tenant;
  // Another request may have adopted it meanwhile.
  const [{ rows }] = await store.batch(tenant.id, [isKnown(place)]);
  if (rows.length > 0) return;
  const [{ key, issue, changes }, fieldId] = await Promise.all([
    readIssue ?? readIssueWithChanges(tracker, place.issue),
    // A failed lookup is no missing field: its text would be read as none.
    site.field(),
  ]);
  const { project } = issue;
  const registries = await site.registries();
  const statuses = registries.listOf(project);
  const first = await decideFirst(site.texts.run, { id: place.issue, issue, epoch, statuses, fieldId });
  const { revisions, newest, source, field, notice, isTakenOver } = first;
  const property = storedProperty(issue);
  const registry = registryPrint(registries.of(project));
  const last = revisions.at(-1);
  const holds = 'text' in property && last !== undefined;
  const derived = last && (await site.texts.run(derivation, { version: last, statuses }));
  const isEqual = derived !== undefined && isSameToReaders(issue.property, derived.property);
  const isDue = isTakenOver && !isEqual;
  // Written after the property, as after a change.
  const isFieldDue = isDue && field !== undefined && !sameField(field.text, last?.text ?? '');
  const isFieldEqual = isTakenOver && last !== undefined && field !== undefined && sameField(field.text, last.text);
  const checklist = insertChecklist({
    ...place,
    ...{ epoch: last?.epoch ?? '', seq: last?.seq ?? 0, project: project ?? null },
    source: isTakenOver ? 'PROPERTY' : source,
    mirrored: property.kind === 'ours' || isTakenOver,
    key,
    service: issue.service ?? null,
  });
  const copies = insertCopies({
    ...place,
    // A foreign value has to be stored before it is overwritten.
    hints: parseChecklistProperty(issue.property).kind === 'foreign' ? 1 : 0,
    ...{ confirmed_epoch: holds ? last.epoch : null, confirmed_seq: holds ? last.seq : null },
    contended: property.kind === 'text',
    ...{ property_wanted: isDue, field_wanted: isFieldDue },
    property_print: isEqual ? propertyPrint(derived.property) : null,
    property_registry: isEqual ? registry : null,
    verdict: isEqual ? derived.verdict : null,
    ...{ field: field?.id ?? null, field_text: field?.text ?? null },
    ...{ field_epoch: isFieldEqual ? last.epoch : null, field_seq: isFieldEqual ? last.seq : null },
    // The changelog holds later changes of the field, also those that are overwritten before they are read.
    cursor: field ? (changes.newest?.toString() ?? null) : null,
    ...{ field_notice: notice ?? null, watch: watch.now().id },
  });
  try {
    await store.exchange(tenant.id, [checklist], ([inserted]) => ({
      statements:
        inserted.rows.length === 0
          ? []
          : [
              mustBeInstalled(tenant),
              ...addRevisions(place, revisions),
              ...(last && newest ? putIndex(place, last, { project, registry }, newest.index) : []),
              copies,
              ...(isDue ? [queue.enqueue('write-property', place, { after: 0, key: place.issue })] : []),
              ...(isFieldDue ? [enqueueField(queue, place)] : []),
            ],
      value: undefined,
    }));
  } catch (error) {
    throw isUninstalled(error) ? uninstalled() : error;
  }
  if (isDue) queue.wake();
}

/**
 * Stores an unknown issue's checklist in the tracker as its first revisions: property, property of the previous
 * edition, field. Makes one call to the tracker, also for concurrent requests. If the
 * property lacks the checklist, or what search, gadgets and workflow rules read beside it, jobs write the copies at once. If
 * several processes adopt the issue at the same time, the first one to commit counts. `readIssue` is a read that was just
 * made.
 */
export function adopt(site: Site, place: TenantIssue, readIssue?: ReadIssue): Promise<void> {
  const { adoptions, tenant } = site;
  const key = JSON.stringify([tenant.id, tenant.epoch, place.issue]);
  const running = adoptions.get(key);
  if (running !== undefined) return running;
  const adoption = adoptOnce(site, place, readIssue).finally(() => adoptions.delete(key));
  adoptions.set(key, adoption);
  return adoption;
}

/** Loads the state of a checklist, after adopting an unknown issue. */
export async function loadAdopted(
  site: Site,
  place: TenantIssue,
  keys: readonly KeysOfProposal[] = [],
): Promise<State> {
  const state = await stateOf(site, place, keys);
  if (state.checklist) return state;
  await adopt(site, place);
  return stateOf(site, place, keys);
}
