import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { MAX_CONFLICT_ENTRIES } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { apiAccount, automationAccount, ruleAccount } from '../../domain/person.ts';
import { parseAs } from '../../domain/shape.ts';
import { comparing } from '../../text/compare.ts';
import { reading } from '../../text/read.ts';
import type { Sliced } from '../../text/sliced.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import { inSlices } from '../common/slices.ts';
import { Refused } from '../errors/refused.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { conflictsShape, rowIdsShape } from './decide/state.ts';
import { isPlain, type TenantIssue } from './revisions.ts';
import type {
  ConflictEntry,
  History,
  HistoryEntry,
  HistoryFilter,
  HistoryPage,
  IdentifiedChange,
  Position,
  Revision,
  RowTouch,
} from './types.ts';

/** How many revisions a page has, and how many changes of a revision it lists. */
const MAX_ENTRIES = 100;
const MAX_CHANGES = 100;
/** How much text is compared, and read, for a page (UTF-16 units). A page with more text ends early. */
const MAX_COMPARED_CHARS = 300_000;
const MAX_READ_CHARS = 3_000_000;
/** How many revisions are read at once if a filter may leave few of them. */
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

type Loaded = Awaited<ReturnType<typeof load>>[number];

/** Reads the texts of neighbouring revisions one after the other: each once, and only where it differs from the last. */
function createReading(statuses: StatusRegistry): (text: string) => Sliced<Checklist> {
  let last: Checklist | undefined;
  return function* (text) {
    last = yield* reading(text, statuses, last);
    return last;
  };
}
type Reading = ReturnType<typeof createReading>;

/** The changes of rows since the previous revision; the first one starts from an empty text. */
function* changesSince(
  before: Loaded | undefined,
  { seq, text, rows }: Loaded,
  read: Reading,
): Sliced<IdentifiedChange[] | undefined> {
  if (!before && seq !== 1) return undefined;
  const ids = { before: before ? parseAs(rowIdsShape, before.rows) : [], after: parseAs(rowIdsShape, rows) };
  yield;
  const after = yield* read(text);
  const changes = yield* comparing(yield* read(before?.text ?? ''), after, ids);
  return changes.map(change => ({
    ...change,
    rowId: ids[change.kind === 'deleted' ? 'before' : 'after'][change.index],
  }));
}

/** The entry of a revision; `undefined` when the filter leaves nothing of it. */
function* entryOf(
  version: Loaded,
  before: Loaded | undefined,
  { kind, rowId }: HistoryFilter,
  read: Reading,
): Sliced<HistoryEntry | undefined> {
  const { text: _text, rows: _rows, conflicts, ...about } = version;
  const since = yield* changesSince(before, version, read);
  const changes = since?.filter(
    change => (kind === undefined || change.kind === kind) && (rowId === undefined || change.rowId === rowId),
  );
  const filtered = kind !== undefined || rowId !== undefined;
  if (filtered && !changes?.length) return undefined;
  return {
    ...about,
    previous: before && { epoch: before.epoch, seq: before.seq },
    previousName: before?.name === version.name ? undefined : before?.name,
    conflicts: parseAs(conflictsShape, conflicts),
    changes: changes?.slice(0, MAX_CHANGES),
    changeCount: changes?.length ?? 0,
  };
}

/**
 * A page of an issue's history. It may hold fewer entries than requested, or none, and still have a `next`: the limit of
 * text was reached first.
 */
export async function historyOf(
  store: Store,
  place: TenantIssue,
  { before, first, filter }: HistoryPage,
  statuses: StatusRegistry,
): Promise<History> {
  const entries: HistoryEntry[] = [];
  if (before && !isPlain(before.epoch)) return { entries };
  const most = Math.min(Math.max(first, 1), MAX_ENTRIES);
  const filtered = Object.values(filter).some(value => value !== undefined);
  const readingOf = createReading(statuses);
  let next = before;
  let [read, compared] = [0, 0];
  const full = () => entries.length >= most || compared > MAX_COMPARED_CHARS || read > MAX_READ_CHARS;
  while (!full()) {
    const batch = filtered ? BATCH_SIZE : most;
    const found = await store.tenant(place.tenant, tx => load(tx, place, next, batch + 1));
    for (const [index, version] of found.slice(0, batch).entries()) {
      if (full()) return { entries, next };
      next = { epoch: version.epoch, seq: version.seq };
      read += version.text.length;
      if (filter.account !== undefined && filter.account !== version.account) continue;
      compared += version.text.length;
      const entry = await inSlices(entryOf(version, found[index + 1], filter, readingOf));
      if (entry) entries.push(entry);
      // A short entry has not let others run.
      await turn();
    }
    if (found.length <= batch) return { entries };
  }
  return { entries, next };
}

/**
 * The revision that last changed each row of the newest one, in the rows' order; without rows that the stored history
 * does not change.
 */
export async function touchesOf(store: Store, place: TenantIssue, statuses: StatusRegistry): Promise<RowTouch[]> {
  const touches: RowTouch[] = [];
  const readingOf = createReading(statuses);
  let untouched: Map<string, Pick<RowTouch, 'index' | 'row' | 'header'>> | undefined;
  let at: Position | undefined;
  let [read, more] = [0, true];
  while (more && read <= MAX_READ_CHARS) {
    const found = await store.tenant(place.tenant, tx => load(tx, place, at, BATCH_SIZE + 1));
    more = found.length > BATCH_SIZE;
    for (const [index, version] of found.slice(0, BATCH_SIZE).entries()) {
      untouched ??= await inSlices(rowsOf(version, readingOf));
      if (untouched.size === 0) {
        more = false;
        break;
      }
      const { epoch, seq, account, created } = version;
      at = { epoch, seq };
      read += version.text.length;
      for (const { kind, rowId } of (await inSlices(changesSince(found[index + 1], version, readingOf))) ?? []) {
        const row = rowId === undefined ? undefined : untouched.get(rowId);
        if (rowId === undefined || !row) continue;
        untouched.delete(rowId);
        touches.push({ ...row, rowId, kind, epoch, seq, account, created });
      }
      await turn();
    }
  }
  return touches.toSorted((one, other) => one.index - other.index);
}

/** The rows of a revision by their persistent ids. */
function* rowsOf(
  { text, rows }: Loaded,
  read: Reading,
): Sliced<Map<string, Pick<RowTouch, 'index' | 'row' | 'header'>>> {
  const ids = parseAs(rowIdsShape, rows);
  const checklist = yield* read(text);
  return new Map(
    checklist.rows.flatMap(({ text, words, kind }, index) => {
      const id = ids[index];
      const header = kind === 'header';
      return id === undefined ? [] : [[id, { index, row: header ? words : text, header }] as const];
    }),
  );
}

/**
 * The revisions with conflicts after a position, oldest first; all that are stored where the position is not. Walks the
 * index of the newest revisions, as far as retention leaves them, and reads no text.
 */
export async function conflictsAfter(
  store: Store,
  place: TenantIssue,
  { epoch, seq }: Position,
): Promise<ConflictEntry[]> {
  const found = await store.tenant(place.tenant, tx => {
    const all = versions(tx, place)
      .select(['epoch', 'seq', 'created', author, 'conflicts'])
      .where(sql<boolean>`conflicts <> '[]'::jsonb`);
    const newer = isPlain(epoch)
      ? all.where(
          sql<boolean>`(created, seq) > (select coalesce(max(created), '-infinity'), coalesce(max(seq), 0) from revision
            where tenant = ${place.tenant} and issue = ${place.issue} and epoch = ${epoch} and seq = ${seq})`,
        )
      : all;
    return newer.orderBy('created').orderBy('seq').limit(MAX_CONFLICT_ENTRIES).execute();
  });
  return found.map(({ conflicts, ...entry }) => ({ ...entry, conflicts: parseAs(conflictsShape, conflicts) }));
}

/** One revision with its text. Throws `Refused` if it is not stored. */
export async function revisionAt(store: Store, place: TenantIssue, { epoch, seq }: Position): Promise<Revision> {
  const found = isPlain(epoch)
    ? await store.tenant(place.tenant, tx =>
        versions(tx, place)
          .select([...COLUMNS, author])
          .where('epoch', '=', epoch)
          .where('seq', '=', seq)
          .executeTakeFirst(),
      )
    : undefined;
  if (!found) throw new Refused('NOT_FOUND', storage.revisionNotFound, 'seq');
  return found;
}
