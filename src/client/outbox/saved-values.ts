import * as v from 'valibot';
import type { Owner } from '../../bridge/bridge.ts';
import { edition } from '../../domain/edition.ts';
import { readAs, readJson } from '../../domain/shape.ts';
import { splitContent } from '../../text/merge/units.ts';
import type { Checklist } from '../../text/types.ts';
import { keyOf, safeStorage } from '../browser-storage.ts';
import type { Position } from '../live/refreshing.ts';
import type { Page } from '../page.ts';
import { createMutex } from './mutex.ts';

const MAX_SAVED_VALUES = 200;
const MAX_AGE_DAYS = 14;
const MAX_AGE = MAX_AGE_DAYS * 24 * 60 * 60_000;

/** Milliseconds after an own change in which a foreign change may still be based on an older revision. */
const CONFLICT_WINDOW = 60_000;

const recordShape = v.object({
  values: v.array(v.object({ text: v.string(), savedAt: v.number() })),
  /** The conflicts up to this revision were reported. */
  reported: v.object({ epoch: v.string(), seq: v.number() }),
});
type SavedRecord = v.InferOutput<typeof recordShape>;

/** What another user's change may have overwritten. */
export interface Unreported {
  /** Words and details of rows, as conflicts quote them. */
  values: ReadonlySet<string>;
  /** Whether the user has just made a change in this frame. */
  isRecent: boolean;
  /** The newest revision whose conflicts were reported. */
  reported: Position;
}

/** The values that a user saved in one issue, and up to which revision conflicts were reported; shared by the tabs. */
export interface SavedValues {
  /** Keeps the values of a change, which may be none, with its base. */
  note(values: readonly string[], base: Position): void;
  /** Returns `undefined` where nothing can have been overwritten. */
  get(): Unreported | undefined;
  report(position: Position): void;
  /** The same for an own revision, where no other one lies before it. */
  stored(position: Position): void;
  /** Runs work that reports, one tab after the other. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Uses the browser's storage from now on. */
  open(owner: Owner): void;
}

/** Whether a revision is the next one after another; a foreign text has none before the first. */
export const follows = (after: Position, before: Position): boolean =>
  before.epoch === after.epoch ? after.seq === before.seq + 1 : before.epoch === '' && after.seq === 1;

const valuesIn = ({ rows }: Checklist): string[] =>
  rows.flatMap(row => [
    splitContent({ row, content: row.text }).body,
    row.details.map(({ text }) => text.trim()).join('\n'),
  ]);

/** The words and details of rows that one text has and another one lacks. */
export function newValues(before: Checklist, after: Checklist): string[] {
  const known = new Set(['', ...valuesIn(before)]);
  return valuesIn(after).filter(value => !known.has(value));
}

/** A record without outdated values; `undefined` without any. */
function readRecord(kept: string | undefined): SavedRecord | undefined {
  const record = readAs(recordShape, readJson(kept ?? ''));
  const values = record?.values.filter(({ savedAt }) => savedAt > Date.now() - MAX_AGE) ?? [];
  return record && values.length > 0 ? { ...record, values } : undefined;
}

const PREFIX = `${edition.key}.saved-values`;

export function createSavedValues(issueId: string, page: Pick<Page, 'storage' | 'locks'>): SavedValues {
  const safe = safeStorage(page.storage);
  const exclusively = createMutex(page);
  let key: string | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  /** The record where it is not stored: without values, or for lack of storage. */
  let memory: SavedRecord | undefined;

  const isRecent = () => Date.now() - changedAt <= CONFLICT_WINDOW;
  const read = () => (key === undefined ? undefined : readRecord(safe.get(key))) ?? memory;
  const write = (record: SavedRecord) => {
    memory = record;
    if (key === undefined || record.values.length === 0) return;
    if (safe.set(key, JSON.stringify(record))) memory = undefined;
    else safe.remove(key);
  };
  const note = (values: readonly string[], base: Position) => {
    const { epoch, seq } = base;
    const known = get() && read();
    const others = known?.values.filter(({ text }) => !values.includes(text)) ?? [];
    const added = values.map(text => ({ text, savedAt: Date.now() }));
    write({ values: [...others, ...added].slice(-MAX_SAVED_VALUES), reported: known?.reported ?? { epoch, seq } });
  };
  const get = (): Unreported | undefined => {
    const record = read();
    if (!record || (record.values.length === 0 && !isRecent())) return undefined;
    return {
      values: new Set(record.values.map(({ text }) => text)),
      isRecent: isRecent(),
      reported: record.reported,
    };
  };
  const report = ({ epoch, seq }: Position) => {
    const record = read();
    if (record) write({ ...record, reported: { epoch, seq } });
  };

  return {
    note: (values, base) => {
      note(values, base);
      changedAt = Date.now();
    },
    get,
    report,
    stored: position => {
      const record = read();
      if (record && follows(position, record.reported)) report(position);
    },
    exclusively: work => exclusively(key ?? keyOf(PREFIX, issueId), work),
    open: ({ tenant, account }) => {
      const early = memory;
      memory = undefined;
      key = keyOf(PREFIX, tenant, account, issueId);
      for (const other of safe.keys(`${PREFIX}/`)) if (!readRecord(safe.get(other))) safe.remove(other);
      if (early)
        note(
          early.values.map(({ text }) => text),
          early.reported,
        );
    },
  };
}
