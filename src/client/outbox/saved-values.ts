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
const MAX_SAVED_WORDS = 1_000;
const MAX_AGE_DAYS = 14;
const MAX_AGE_MS = MAX_AGE_DAYS * 24 * 60 * 60_000;

/** After an own change, a foreign change may still be based on an older revision for this time. */
const CONFLICT_WINDOW_MS = 60_000;

const savedShape = v.array(v.object({ text: v.string(), savedAt: v.number() }));

const conflictShape = v.object({
  row: v.string(),
  attribute: v.string(),
  mine: v.string(),
  theirs: v.string(),
  rowId: v.optional(v.nullable(v.string())),
  /** Whose value was stored. */
  stored: v.picklist(['mine', 'theirs']),
  /** Account of the author of the other value, if it is known. */
  by: v.exactOptional(v.string()),
  /** The revision that stored it, if it is known. */
  seq: v.exactOptional(v.number()),
});
/** A conflict that the server has recorded and that the user has neither decided nor dismissed. */
export type UndecidedConflict = v.InferOutput<typeof conflictShape>;

const recordShape = v.object({
  values: savedShape,
  /** The words that the user brought into these values. */
  words: v.optional(savedShape, []),
  conflicts: v.optional(v.array(v.object({ ...conflictShape.entries, savedAt: v.number() })), []),
  /** The conflicts up to this revision were reported. */
  reported: v.object({ epoch: v.string(), seq: v.number() }),
});
type SavedRecord = v.InferOutput<typeof recordShape>;

/** The values that another user's change may have overwritten. */
export interface Unreported {
  /** Words and details of rows, as conflicts quote them. */
  values: ReadonlySet<string>;
  /** Words that the user typed: a conflict may quote them among words of other users. */
  words: ReadonlySet<string>;
  /** Whether the user has just made a change in this frame. */
  isRecent: boolean;
  /** The newest revision whose conflicts were reported. */
  reported: Position;
}

/** The values that a user saved in one issue, and up to which revision conflicts were reported; shared by the tabs. */
export interface SavedValues {
  /** Keeps the values of a change, which may be none, and its new words, with its base. */
  note(values: readonly string[], base: Position, words?: readonly string[]): void;
  /** Returns `undefined` if nothing can have been overwritten. */
  get(): Unreported | undefined;
  report(position: Position): void;
  /** The conflicts that the user has not decided: the editor and the panel offer them, also after a reload. */
  conflicts(): readonly UndecidedConflict[];
  /** Keeps conflicts until they are settled. The newest conflict about a value replaces earlier ones. */
  keepConflicts(conflicts: readonly UndecidedConflict[]): void;
  /** Keeps the account of the author of the other value, once it is known. */
  nameAuthor(conflict: SameConflict, by: string): void;
  /** Removes conflicts that the user has decided or dismissed, or that are over. */
  settleConflicts(conflicts: readonly SameValue[]): void;
  /** Reports an own revision if no other one lies before it. */
  stored(position: Position): void;
  /** Runs work that reports, one tab after the other. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Uses the browser's storage from now on. */
  open(owner: Owner): void;
}

/** The parts of a conflict by which another one is about the same value. */
type SameValue = Pick<UndecidedConflict, 'row' | 'rowId' | 'attribute'>;

/** Whether two conflicts are about the same value of the same row. */
export const isSameValue = (a: SameValue, b: SameValue): boolean =>
  a.attribute === b.attribute && (a.rowId && b.rowId ? a.rowId === b.rowId : a.row === b.row);

type SameConflict = SameValue & Pick<UndecidedConflict, 'mine' | 'theirs'>;
export const isSameConflict = (a: SameConflict, b: SameConflict): boolean =>
  isSameValue(a, b) && a.mine === b.mine && a.theirs === b.theirs;

/** Whether a revision is the next one after another; a foreign text has none before the first. */
export const followsRevision = (after: Position, before: Position): boolean =>
  before.epoch === after.epoch ? after.seq === before.seq + 1 : before.epoch === '' && after.seq === 1;

const valuesIn = ({ rows }: Checklist): string[] =>
  rows.flatMap(row => [
    splitContent({ row, content: row.text }).body,
    row.details.map(({ text }) => text.trim()).join('\n'),
  ]);

/** The words and details of rows that one text has and another one lacks. */
export function newValues(before: Checklist, after: Checklist): string[] {
  const knownValues = new Set(['', ...valuesIn(before)]);
  return valuesIn(after).filter(value => !knownValues.has(value));
}

/** The words of a text, each as often as it occurs. */
const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words that one text has more often than another. */
export function newWords(before: string, after: string): string[] {
  const counts = new Map<string, number>();
  for (const word of wordsIn(before)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return wordsIn(after).filter(word => {
    const count = counts.get(word) ?? 0;
    counts.set(word, count - 1);
    return count <= 0;
  });
}

/** A record without outdated values; `undefined` without any. */
function readRecord(kept: string | undefined): SavedRecord | undefined {
  const record = readAs(recordShape, readJson(kept ?? ''));
  const isCurrent = ({ savedAt }: { savedAt: number }) => savedAt > Date.now() - MAX_AGE_MS;
  if (!record) return undefined;
  const [values, words] = [record.values.filter(isCurrent), record.words.filter(isCurrent)];
  const conflicts = record.conflicts.filter(isCurrent);
  return values.length > 0 || conflicts.length > 0 ? { ...record, values, words, conflicts } : undefined;
}

const KEY_PREFIX = `${edition.key}.saved-values`;

export function createSavedValues(issueId: string, page: Pick<Page, 'storage' | 'locks'>): SavedValues {
  const safe = safeStorage(page.storage);
  const exclusively = createMutex(page);
  let key: string | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  /** The record if it is not stored: it is empty, or there is no storage. */
  let memory: SavedRecord | undefined;

  const isRecent = () => Date.now() - changedAt <= CONFLICT_WINDOW_MS;
  const readSaved = () => (key === undefined ? undefined : readRecord(safe.get(key))) ?? memory;
  const write = (record: SavedRecord) => {
    memory = record;
    if (key === undefined) return;
    const isEmpty = record.values.length === 0 && record.conflicts.length === 0;
    if (!isEmpty && safe.set(key, JSON.stringify(record))) memory = undefined;
    else safe.remove(key);
  };
  const note = (values: readonly string[], base: Position, words: readonly string[] = []) => {
    const { epoch, seq } = base;
    const before = readSaved();
    const memoryBefore = get() && before;
    const savedAt = Date.now();
    const join = (before: SavedRecord['values'] = [], texts: readonly string[]) => {
      const added = new Set(texts);
      return [...before.filter(({ text }) => !added.has(text)), ...[...added].map(text => ({ text, savedAt }))];
    };
    write({
      values: join(memoryBefore?.values, values).slice(-MAX_SAVED_VALUES),
      words: join(memoryBefore?.words, words).slice(-MAX_SAVED_WORDS),
      conflicts: before?.conflicts ?? [],
      reported: memoryBefore?.reported ?? { epoch, seq },
    });
  };
  const get = (): Unreported | undefined => {
    const record = readSaved();
    if (!record || (record.values.length === 0 && !isRecent())) return undefined;
    return {
      values: new Set(record.values.map(({ text }) => text)),
      words: new Set(record.words.map(({ text }) => text)),
      isRecent: isRecent(),
      reported: record.reported,
    };
  };
  const report = ({ epoch, seq }: Position) => {
    const record = readSaved();
    if (record) write({ ...record, reported: { epoch, seq } });
  };

  return {
    note: (values, base, words) => {
      note(values, base, words);
      changedAt = Date.now();
    },
    get,
    report,
    conflicts: () => readSaved()?.conflicts.map(({ savedAt: _, ...conflict }) => conflict) ?? [],
    keepConflicts: conflicts => {
      const record = readSaved();
      if (!record || conflicts.length === 0) return;
      const savedAt = Date.now();
      const otherConflicts = record.conflicts.filter(each => !conflicts.some(other => isSameValue(each, other)));
      const keptConflicts = [...otherConflicts, ...conflicts.map(each => ({ ...each, savedAt }))].slice(
        -MAX_SAVED_VALUES,
      );
      write({ ...record, conflicts: keptConflicts });
    },
    nameAuthor: (conflict, by) => {
      const record = readSaved();
      const named = record?.conflicts.map(each => (isSameConflict(each, conflict) ? { ...each, by } : each));
      if (record && named) write({ ...record, conflicts: named });
    },
    settleConflicts: conflicts => {
      const record = readSaved();
      const remainingConflicts = record?.conflicts.filter(each => !conflicts.some(other => isSameValue(each, other)));
      if (record && remainingConflicts && remainingConflicts.length < record.conflicts.length)
        write({ ...record, conflicts: remainingConflicts });
    },
    stored: position => {
      const record = readSaved();
      if (record && followsRevision(position, record.reported)) report(position);
    },
    exclusively: work => exclusively(key ?? keyOf(KEY_PREFIX, issueId), work),
    open: ({ tenant, account }) => {
      const early = memory;
      memory = undefined;
      key = keyOf(KEY_PREFIX, tenant, account, issueId);
      for (const other of safe.keys(`${KEY_PREFIX}/`)) if (!readRecord(safe.get(other))) safe.remove(other);
      if (early)
        note(
          early.values.map(({ text }) => text),
          early.reported,
          early.words.map(({ text }) => text),
        );
    },
  };
}
