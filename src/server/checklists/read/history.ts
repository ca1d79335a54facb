import { sql } from 'kysely';
import { MAX_CONFLICT_ENTRIES } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { apiAccount, automationAccount, ruleAccount } from '../../../domain/person.ts';
import { parseAs } from '../../../domain/shape.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { Refused } from '../../errors/refused.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import type { RunTask } from '../../text-workers/task.ts';
import { conflictsShape } from '../decide/state.ts';
import type {
  ConflictEntry,
  History,
  HistoryEntry,
  HistoryPage,
  Position,
  Revision,
  RowTouch,
} from '../service/types.ts';
import { historyEntries, isExhausted, lastTouches, type PageLimits, type TouchedRows } from './history-entries.ts';
import { hasConflicts, isPlain, type TenantIssue } from './revisions.ts';

/** Applies to the revisions of one page. */
const MAX_ENTRIES = 100;
/** A page that compares or reads more text ends early. */
const MAX_COMPARED_CHARS = 300_000;
const MAX_READ_CHARS = 3_000_000;
/** Revisions are read in batches if an answer may need many of them. */
const BATCH_SIZE = 50;

const COLUMNS = ['epoch', 'seq', 'hash', 'created', 'kind', 'name', 'text'] as const;

/**
 * The author of a revision. A rule is named by its template unless either has changed since, an API token and a webhook by
 * its name.
 */
const author =
  sql<string>`case when starts_with(revision.account, ${ruleAccount('')}) then ${ruleAccount('')}::text || coalesce((
    select template.name from template_rule
    join template on template.tenant = template_rule.tenant and template.id = template_rule.template
    where template_rule.tenant = revision.tenant and ${ruleAccount('')}::text || template_rule.id = revision.account
      and template_rule.since <= revision.created and template.deleted is null
      and (template.project is null or jsonb_exists(template_rule.projects, template.project))), '')
  when starts_with(revision.account, ${apiAccount('')}) then ${apiAccount('')}::text || coalesce((
    select api_token.name from api_token
    where api_token.tenant = revision.tenant and ${apiAccount('')}::text || api_token.id = revision.account), '')
  when starts_with(revision.account, ${automationAccount('')}) then ${automationAccount('')}::text || coalesce((
    select webhook.name from webhook
    where webhook.tenant = revision.tenant and ${automationAccount('')}::text || webhook.id = revision.account), '')
  else revision.account end`.as('account');

const versions = (tx: Tx, { tenant, issue }: TenantIssue) =>
  tx.selectFrom('revision').where('tenant', '=', tenant).where('issue', '=', issue);

/** Newest first; none when `before` is no longer stored, since then nothing older is. */
async function load(tx: Tx, place: TenantIssue, before: Position | undefined, limit: number) {
  const query = versions(tx, place).select([...COLUMNS, author, 'rows', 'conflicts']);
  const older = before
    ? query.where(
        sql<boolean>`(created, seq) < (select created, seq from revision where tenant = ${place.tenant}
          and issue = ${place.issue} and epoch = ${before.epoch} and seq = ${before.seq})`,
      )
    : query;
  return older.orderBy('created', 'desc').orderBy('seq', 'desc').limit(limit).execute();
}

/** The services that read a history. */
export interface HistorySite {
  store: Store;
  run: RunTask;
  /** The statuses of the issue's project. */
  statuses: readonly RegistryStatus[];
}

/**
 * A page of an issue's history. It may hold fewer entries than requested, or none, and still have a `next`: the limit of
 * text was reached first.
 */
export async function historyOf(
  { store, run, statuses }: HistorySite,
  place: TenantIssue,
  { before, first, filter }: HistoryPage,
): Promise<History> {
  const entries: HistoryEntry[] = [];
  if (before && !isPlain(before.epoch)) return { entries };
  const most = Math.min(Math.max(first, 1), MAX_ENTRIES);
  const filtered = Object.values(filter).some(value => value !== undefined);
  const count = filtered ? BATCH_SIZE : most;
  let limits: PageLimits = { entries: most, readChars: MAX_READ_CHARS, comparedChars: MAX_COMPARED_CHARS };
  for (let next = before; ; ) {
    const revisions = await store.tenant(place.tenant, tx => load(tx, place, next, count + 1));
    const part = await run(historyEntries, { revisions, count, filter, limits, statuses });
    entries.push(...part.entries);
    [next, limits] = [part.next ?? next, part.rest];
    if (!part.isCut && revisions.length <= count) return { entries };
    if (isExhausted(limits)) return { entries, next };
  }
}

/**
 * The revision that last changed each row of the newest one, in the rows' order; without rows that the stored history
 * does not change.
 */
export async function touchesOf({ store, run, statuses }: HistorySite, place: TenantIssue): Promise<RowTouch[]> {
  const touches: RowTouch[] = [];
  let untouched: TouchedRows | undefined;
  let readChars = 0;
  for (let at: Position | undefined; ; ) {
    const revisions = await store.tenant(place.tenant, tx => load(tx, place, at, BATCH_SIZE + 1));
    const part = await run(lastTouches, {
      revisions,
      count: BATCH_SIZE,
      statuses,
      ...(untouched && { untouched }),
    });
    touches.push(...part.touches);
    untouched = part.untouched;
    readChars += revisions.reduce((sum, { text }) => sum + text.length, 0);
    at = revisions[BATCH_SIZE - 1];
    if (revisions.length <= BATCH_SIZE || untouched.size === 0 || readChars > MAX_READ_CHARS) break;
  }
  return touches.toSorted((one, other) => one.index - other.index);
}

/**
 * The revisions with conflicts after a position, oldest first; all that are stored if the position is not. Walks the
 * index of the newest revisions, as far as retention leaves them, and reads no text.
 */
export async function conflictsAfter(
  store: Store,
  place: TenantIssue,
  { epoch, seq }: Position,
): Promise<ConflictEntry[]> {
  const conflictRows = await store.tenant(place.tenant, tx => {
    const revisionsWithConflicts = versions(tx, place)
      .select(['epoch', 'seq', 'created', author, 'conflicts'])
      .where(hasConflicts);
    const newer = isPlain(epoch)
      ? revisionsWithConflicts.where(
          sql<boolean>`(created, seq) > (select coalesce(max(created), '-infinity'), coalesce(max(seq), 0) from revision
            where tenant = ${place.tenant} and issue = ${place.issue} and epoch = ${epoch} and seq = ${seq})`,
        )
      : revisionsWithConflicts;
    return newer.orderBy('created').orderBy('seq').limit(MAX_CONFLICT_ENTRIES).execute();
  });
  return conflictRows.map(({ conflicts, ...entry }) => ({ ...entry, conflicts: parseAs(conflictsShape, conflicts) }));
}

/** One revision with its text. Throws `Refused` if it is not stored. */
export async function revisionAt(store: Store, place: TenantIssue, { epoch, seq }: Position): Promise<Revision> {
  const revision = isPlain(epoch)
    ? await store.tenant(place.tenant, tx =>
        versions(tx, place)
          .select([...COLUMNS, author])
          .where('epoch', '=', epoch)
          .where('seq', '=', seq)
          .executeTakeFirst(),
      )
    : undefined;
  if (!revision) throw new Refused('NOT_FOUND', storage.revisionNotFound, 'seq');
  return revision;
}
