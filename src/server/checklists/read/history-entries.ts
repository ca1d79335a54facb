import { parseAs } from '../../../domain/shape.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { compareRows } from '../../../text/compare.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Checklist } from '../../../text/types.ts';
import { registryBy } from '../../text-workers/reading.ts';
import { textTask } from '../../text-workers/task.ts';
import { conflictsShape, rowIdsShape } from '../decide/state.ts';
import type { HistoryEntry, HistoryFilter, IdentifiedChange, Position, Revision, RowTouch } from '../service/types.ts';

/** Applies to the listed changes of one revision. */
const MAX_CHANGES = 100;

/** A revision as it is stored. */
interface LoadedRevision extends Revision {
  rows: unknown;
  conflicts: unknown;
}

/** Revisions, newest first, of which the last may only be the one before the `count` others. */
interface Loaded {
  revisions: readonly LoadedRevision[];
  count: number;
  statuses: readonly RegistryStatus[];
}

const charactersOf = ({ revisions }: Pick<Loaded, 'revisions'>): number =>
  revisions.reduce((sum, { text }) => sum + text.length, 0);

type Reading = (text: string) => Checklist;

/** Reads the texts of neighbouring revisions one after the other: each once, and only if it differs from the last. */
function createReading(statuses: readonly RegistryStatus[]): Reading {
  const registry = registryBy(statuses);
  let last: Checklist | undefined;
  return text => {
    last = readChecklist(text, registry, last);
    return last;
  };
}

/** The changes of rows since the previous revision; the first one starts from an empty text. */
function changesSince(
  before: LoadedRevision | undefined,
  { seq, text, rows }: LoadedRevision,
  read: Reading,
): IdentifiedChange[] | undefined {
  if (!before && seq !== 1) return undefined;
  const ids = { before: before ? parseAs(rowIdsShape, before.rows) : [], after: parseAs(rowIdsShape, rows) };
  const after = read(text);
  return compareRows(read(before?.text ?? ''), after, ids).map(change => ({
    ...change,
    rowId: ids[change.kind === 'deleted' ? 'before' : 'after'][change.index],
  }));
}

/** The entry of a revision; `undefined` when the filter leaves nothing of it. */
function entryOf(
  version: LoadedRevision,
  before: LoadedRevision | undefined,
  { kind, rowId }: HistoryFilter,
  read: Reading,
): HistoryEntry | undefined {
  const { text: _text, rows: _rows, conflicts, ...about } = version;
  const changes = changesSince(before, version, read)?.filter(
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

/** How much of a page is left: entries, and characters that are read and compared. */
export interface PageLimits {
  entries: number;
  readChars: number;
  comparedChars: number;
}

export const isExhausted = ({ entries, readChars, comparedChars }: PageLimits): boolean =>
  entries <= 0 || readChars < 0 || comparedChars < 0;

interface EntriesInput extends Loaded {
  filter: HistoryFilter;
  limits: PageLimits;
}

/**
 * The entries of revisions as far as the limits reach, and the rest of the limits. `next` is the last revision that was
 * read.
 */
function entriesOf({ revisions, count, filter, limits, statuses }: EntriesInput) {
  const read = createReading(statuses);
  const entries: HistoryEntry[] = [];
  const remainingLimits = { ...limits };
  let next: Position | undefined;
  for (const [index, version] of revisions.slice(0, count).entries()) {
    if (isExhausted(remainingLimits)) return { entries, next, rest: remainingLimits, isCut: true };
    next = { epoch: version.epoch, seq: version.seq };
    remainingLimits.readChars -= version.text.length;
    if (filter.account !== undefined && filter.account !== version.account) continue;
    remainingLimits.comparedChars -= version.text.length;
    const entry = entryOf(version, revisions[index + 1], filter, read);
    if (!entry) continue;
    entries.push(entry);
    remainingLimits.entries -= 1;
  }
  return { entries, next, rest: remainingLimits, isCut: false };
}

/** Computes entries of a history from its revisions. */
export const historyEntries = textTask({ name: 'history-entries', run: entriesOf, charactersOf });

/** Rows of the newest revision by their persistent ids. */
export type TouchedRows = ReadonlyMap<string, Pick<RowTouch, 'index' | 'row' | 'header'>>;

interface TouchesInput extends Loaded {
  /** The rows without a known change; the first revision's if it is the newest one. */
  untouched?: TouchedRows;
}

function rowsIn({ text, rows }: LoadedRevision, read: Reading): TouchedRows {
  const ids = parseAs(rowIdsShape, rows);
  return new Map(
    read(text).rows.flatMap(({ text, words, kind }, index) => {
      const id = ids[index];
      const header = kind === 'header';
      return id === undefined ? [] : [[id, { index, row: header ? words : text, header }] as const];
    }),
  );
}

/** The last changes of rows in revisions, and the rows that these do not change. */
function touchesIn({ revisions, count, statuses, untouched }: TouchesInput) {
  const read = createReading(statuses);
  const touches: RowTouch[] = [];
  const [newest] = revisions;
  const untouchedRows = new Map(untouched ?? (newest && rowsIn(newest, read)));
  for (const [index, version] of revisions.slice(0, count).entries()) {
    if (untouchedRows.size === 0) break;
    const { epoch, seq, account, created } = version;
    for (const { kind, rowId } of changesSince(revisions[index + 1], version, read) ?? []) {
      const row = rowId === undefined ? undefined : untouchedRows.get(rowId);
      if (rowId === undefined || !row) continue;
      untouchedRows.delete(rowId);
      touches.push({ ...row, rowId, kind, epoch, seq, account, created });
    }
  }
  return { touches, untouched: untouchedRows };
}

/** Finds the last change of each row in the revisions of a history. */
export const lastTouches = textTask({ name: 'last-touches', run: touchesIn, charactersOf });
