import { randomUUID } from 'node:crypto';
import { parseChecklistProperty } from '../../domain/storage.ts';
import { isGone, mustBeInstalled, uninstalled } from '../auth/installed.ts';
import { hashText } from '../common/hash.ts';
import { inSlices } from '../common/slices.ts';
import { type ReadIssue, readIssueWithChanges } from '../platform/tracker/issue.ts';
import { statement } from '../store/statement.ts';
import { firstSteps } from './copies/first.ts';
import { storedProperty, storedSeq } from './copies/stored.ts';
import { indexRows } from './indexes.ts';
import { addRevisions, type Revision, type TenantIssue } from './revisions.ts';
import type { Site } from './site.ts';

/** The author of a foreign change where the tracker does not name one. */
export const UNKNOWN_AUTHOR = 'tracker';

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
  // Another request may have adopted it meanwhile.
  const [known] = await store.batch(tenant.id, [isKnown(place)]);
  if (known.rows.length > 0) return;
  const [{ key, issue, changes }, fieldId] = await Promise.all([
    found ?? readIssueWithChanges(tracker, place.issue),
    // A failed lookup is no missing field: its text would be read as none.
    site.field(),
  ]);
  const statuses = await site.statuses(issue.project);
  const { steps, source, field, notice } = await inSlices(firstSteps({ issue, statuses, fieldId }));
  const property = storedProperty(issue);
  // Continues the numbers that this epoch gave before a backup was restored.
  const before = Math.max(0, storedSeq(issue, tenant.epoch) - steps.length);
  const revisions = steps.map(({ kind, name, text, rows, conflicts }, index): Revision => {
    const version = { epoch: tenant.epoch, seq: before + index + 1, hash: hashText(text), name, text, rows: [...rows] };
    return { ...version, account: UNKNOWN_AUTHOR, client: `foreign ${randomUUID()}`, kind, conflicts };
  });
  const last = revisions.at(-1);
  const holds = 'text' in property && last !== undefined;
  const checklist = insertChecklist({
    ...place,
    ...{ epoch: last?.epoch ?? '', seq: last?.seq ?? 0, source, project: issue.project ?? null },
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
              ...(last ? indexRows(place, last, { project: issue.project, statuses }) : []),
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
