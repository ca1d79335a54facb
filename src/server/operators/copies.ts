import { fieldOf, sameField } from '../checklists/copies/field.ts';
import { storedProperty } from '../checklists/copies/stored.ts';
import { withNewest } from '../checklists/revisions.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import type { Tenant } from '../platform/tenants.ts';
import { readIssues } from '../platform/tracker/bulk-issues.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { findOwnField } from '../platform/tracker/fields.ts';
import type { TrackerIssue } from '../platform/tracker/issue.ts';
import type { Store } from '../store/store.ts';
import { Declined } from './result.ts';
import { type CopyState, copyStates, said, table } from './texts.ts';

/** A stored checklist and what is known of its copies. */
async function loadCopies(store: Store, tenant: string, issue: string) {
  return store.tenant(tenant, tx =>
    withNewest(tx)
      .leftJoin('sync', join =>
        join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
      )
      .select([
        ...(['checklist.issue', 'checklist.key', 'checklist.seq', 'checklist.mirrored', 'revision.name'] as const),
        ...(['revision.text', 'sync.property_due', 'sync.property_notice', 'sync.pending_seq'] as const),
        ...([
          'sync.field_due',
          'sync.field_text',
          'sync.notice',
          'sync.read_at',
          'sync.hints',
          'sync.hints_read',
        ] as const),
      ])
      .where('checklist.tenant', '=', tenant)
      .where(({ or, eb }) => or([eb('checklist.issue', '=', issue), eb('checklist.key', '=', issue)]))
      .executeTakeFirst(),
  );
}
type Copies = NonNullable<Awaited<ReturnType<typeof loadCopies>>>;

/** Whether an event named the issue since it was last read. */
const isHinted = ({ hints, hints_read: read }: Copies): boolean => (hints ?? 0) > (read ?? 0);

/** `waits` where a copy that differs is read or written soon. */
const unequal = (due: boolean): CopyState => (due ? 'waits' : 'differs');

function propertyState(copies: Copies, issue: TrackerIssue): CopyState {
  if (!copies.mirrored) return 'off';
  const property = storedProperty(issue);
  if (property.kind === 'ours' && property.text === (copies.text ?? '') && property.name === copies.name)
    return 'equal';
  const due = copies.property_due !== null || copies.pending_seq !== null || isHinted(copies);
  return property.kind === 'absent' && !due ? 'missing' : unequal(due);
}

function fieldState(copies: Copies, issue: TrackerIssue, field: string | undefined): CopyState {
  const found = field === undefined || !copies.mirrored ? undefined : fieldOf(issue, field);
  if (!found) return 'off';
  const isEqual = copies.field_text !== null && sameField(found.text, copies.field_text);
  const due = copies.field_due !== null;
  return isEqual && !due ? 'equal' : unequal(due || isHinted(copies));
}

/** The state of an issue's copies, without a text. */
export interface FoundCopies {
  issue: string;
  key: string | null;
  version: number;
  property: CopyState;
  propertyDue: Date | null;
  field: CopyState;
  fieldDue: Date | null;
  read: Date | null;
  notice: boolean;
}

/** Id of the field that a tenant's checklists are mirrored in. */
export async function fieldIn({ mirror }: Tenant, tracker: Tracker): Promise<string | undefined> {
  if (mirror === 'own') return findOwnField(tracker);
  return mirror === 'none' ? undefined : mirror.field;
}

/**
 * Compares the tracker's copies of an issue, by its id or key, with the newest version. Says states and times, no text.
 * Code 1 where a copy differs and nothing is due that mends it. Rejects with `Declined` where that cannot be said.
 */
export async function checkCopies(
  store: Store,
  tenant: Tenant,
  tracker: Tracker,
  given: string,
): Promise<{ found: FoundCopies; text: string; code: number }> {
  const copies = await loadCopies(store, tenant.id, given);
  if (!copies) throw new Declined(said.unknownIssue(given));
  const asked = async () => {
    const field = await fieldIn(tenant, tracker);
    const fields = field === undefined ? [] : [{ id: field, name: '' }];
    return { field, issue: (await readIssues(tracker, [copies.issue], fields)).get(copies.issue) };
  };
  const { field, issue } = await asked().catch((error: unknown) => {
    const known = error instanceof TrackerUnavailable || error instanceof TrackerRefused;
    throw known ? new Declined(said.trackerFailed(error.message)) : error;
  });
  if (!issue) throw new Declined(said.notShown);
  const found: FoundCopies = {
    issue: copies.issue,
    key: copies.key,
    version: copies.seq,
    property: propertyState(copies, issue),
    propertyDue: copies.property_due,
    field: fieldState(copies, issue, field),
    fieldDue: copies.field_due,
    read: copies.read_at,
    // The notices of the panel may quote the checklist.
    notice: copies.property_notice !== null || copies.notice !== null,
  };
  const time = (value: Date | null) => value?.toISOString() ?? '';
  return {
    found,
    text: [
      table(
        ['Copy', 'State', 'Due'],
        [
          ['property', copyStates[found.property], time(found.propertyDue)],
          ['field', copyStates[found.field], time(found.fieldDue)],
        ],
      ),
      ...(found.notice ? [said.notice] : []),
    ].join('\n'),
    code: [found.property, found.field].some(state => state === 'differs' || state === 'missing') ? 1 : 0,
  };
}
