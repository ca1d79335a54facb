import { parseChecklistProperty } from '../../../domain/storage.ts';
import { isGone, mustBeInstalled, uninstalled } from '../../auth/installed.ts';
import { type ReadIssue, readIssueWithChanges } from '../../platform/tracker/issue.ts';
import { registryPrint } from '../../statuses/registries.ts';
import { statement } from '../../store/statement.ts';
import { storedProperty } from '../copies/stored.ts';
import type { KeysOfProposal, State } from '../decide/state.ts';
import { addRevisions, type TenantIssue } from '../revisions.ts';
import type { Site } from '../site.ts';
import { decideFirst } from './first-copies.ts';
import { putIndex } from './indexes.ts';
import { stateOf } from './load.ts';

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
  confirmed_epoch: string | null;
  confirmed_seq: number | null;
  contended: boolean;
  field: string | null;
  field_text: string | null;
  cursor: string | null;
  notice: string | null;
  watch: string | null;
}

const insertCopies = statement((db, values: FirstCopies) => {
  const { tenant, issue, hints, confirmed_epoch, confirmed_seq, contended, field, field_text, cursor, notice, watch } =
    values;
  const copies = { hints, confirmed_epoch, confirmed_seq, contended, field, field_text, cursor, notice, watch };
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

async function adoptOnce(site: Site, place: TenantIssue, found?: ReadIssue): Promise<void> {
  const { store, tenant, tracker, watch } = site;
  const { epoch } = tenant;
  // Another request may have adopted it meanwhile.
  const [known] = await store.batch(tenant.id, [isKnown(place)]);
  if (known.rows.length > 0) return;
  const [{ key, issue, changes }, fieldId] = await Promise.all([
    found ?? readIssueWithChanges(tracker, place.issue),
    // A failed lookup is no missing field: its text would be read as none.
    site.field(),
  ]);
  const { project } = issue;
  const registries = await site.registries();
  const statuses = registries.listOf(project);
  const { revisions, newest, source, field, notice } = await decideFirst({
    ...{ id: place.issue, issue, epoch, statuses, fieldId },
  });
  const property = storedProperty(issue);
  const registry = registryPrint(registries.of(project));
  const last = revisions.at(-1);
  const holds = 'text' in property && last !== undefined;
  const checklist = insertChecklist({
    ...place,
    ...{ epoch: last?.epoch ?? '', seq: last?.seq ?? 0, source, project: project ?? null },
    mirrored: property.kind === 'ours',
    key,
    service: issue.service ?? null,
  });
  const copies = insertCopies({
    ...place,
    // A foreign value has to be stored before it is overwritten.
    hints: parseChecklistProperty(issue.property).kind === 'foreign' ? 1 : 0,
    ...{ confirmed_epoch: holds ? last.epoch : null, confirmed_seq: holds ? last.seq : null },
    contended: property.kind === 'text',
    ...{ field: field?.id ?? null, field_text: field?.text ?? null },
    // The changelog holds later changes of the field, also those that are overwritten before they are read.
    ...{ cursor: field ? (changes.newest?.toString() ?? null) : null, notice: notice ?? null, watch: watch.now().id },
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
            ],
      value: undefined,
    }));
  } catch (error) {
    throw isGone(error) ? uninstalled() : error;
  }
}

/**
 * Stores an unknown issue's checklist in the tracker as its first revisions: property, property of the previous
 * edition, field. Makes one call to the tracker, also for concurrent requests, and writes nothing there. Where several
 * processes adopt the issue at the same time, the first one to commit counts. `found` is a read that was just made.
 */
export function adopt(site: Site, place: TenantIssue, found?: ReadIssue): Promise<void> {
  const { adoptions, tenant } = site;
  const key = JSON.stringify([tenant.id, tenant.epoch, place.issue]);
  const running = adoptions.get(key);
  if (running !== undefined) return running;
  const adoption = adoptOnce(site, place, found).finally(() => adoptions.delete(key));
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
