import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod';
import { storage } from '../../domain/messages.ts';
import { compareRows, type RowChange } from '../../text/compare.ts';
import { readChecklist } from '../../text/read.ts';
import { Refused } from '../refused.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { conflictsShape, isPlain, type Place } from './revisions.ts';
import type { History, HistoryEntry, HistoryPage, Position, Revision } from './types.ts';

/** Most versions on a page, and most changes that are told of one. */
const MOST_ENTRIES = 100;
const MOST_CHANGES = 100;
/** UTF-16 units of text that are compared for a page; it ends early where there is more. */
const MOST_TEXT = 300_000;

const COLUMNS = ['epoch', 'seq', 'created', 'account', 'kind', 'name', 'text'] as const;

const versions = (tx: Tx, { tenant, issue }: Place) =>
  tx.selectFrom('revision').where('tenant', '=', tenant).where('issue', '=', issue);

const idsShape = z.array(z.string());

/** Newest first; none when `before` is not kept any more, since nothing older is then. */
async function load(tx: Tx, place: Place, before: Position | undefined, limit: number) {
  const query = versions(tx, place).select([...COLUMNS, 'rows', 'conflicts']);
  const older = before
    ? query.where(
        sql<boolean>`(created, seq) < (select created, seq from revision where tenant = ${place.tenant}
          and issue = ${place.issue} and epoch = ${before.epoch} and seq = ${before.seq})`,
      )
    : query;
  return older.orderBy('created', 'desc').orderBy('seq', 'desc').limit(limit).execute();
}

type Loaded = Awaited<ReturnType<typeof load>>[number];

/** What became of the rows since the version before; the first one of all began with nothing. */
function changesSince(before: Loaded | undefined, { seq, text, rows }: Loaded): RowChange[] | undefined {
  if (!before) return seq === 1 ? compareRows(readChecklist(''), readChecklist(text)) : undefined;
  const ids = { before: idsShape.parse(before.rows), after: idsShape.parse(rows) };
  return compareRows(readChecklist(before.text), readChecklist(text), ids);
}

/** A page of an issue's history. */
export async function historyOf(store: Store, place: Place, { before, first }: HistoryPage): Promise<History> {
  if (before && !isPlain(before.epoch)) return { entries: [], more: false };
  const most = Math.min(Math.max(first, 1), MOST_ENTRIES);
  const found = await store.tenant(place.tenant, tx => load(tx, place, before, most + 1));
  const entries: HistoryEntry[] = [];
  let compared = 0;
  for (const [index, version] of found.slice(0, most).entries()) {
    const { text, rows, conflicts, ...about } = version;
    compared += text.length;
    if (index > 0 && compared > MOST_TEXT) break;
    const changes = changesSince(found[index + 1], version);
    entries.push({
      ...about,
      conflicts: conflictsShape.parse(conflicts),
      changes: changes?.slice(0, MOST_CHANGES),
      changeCount: changes?.length ?? 0,
    });
    // Others' requests go between.
    await turn();
  }
  return { entries, more: found.length > entries.length };
}

/** One version with its text. Throws `Refused` if it is not kept. */
export async function revisionAt(store: Store, place: Place, { epoch, seq }: Position): Promise<Revision> {
  const found = isPlain(epoch)
    ? await store.tenant(place.tenant, tx =>
        versions(tx, place).select(COLUMNS).where('epoch', '=', epoch).where('seq', '=', seq).executeTakeFirst(),
      )
    : undefined;
  if (!found) throw new Refused('NOT_FOUND', storage.revisionNotFound, 'seq');
  return found;
}
