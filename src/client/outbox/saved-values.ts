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
const MAX_AGE = MAX_AGE_DAYS * 24 * 60 * 60_000;

/** Milliseconds after an own change in which a foreign change may still be based on an older revision. */
const CONFLICT_WINDOW = 60_000;

const savedShape = v.array(v.object({ text: v.string(), savedAt: v.number() }));

const recordShape = v.object({
  values: savedShape,
  /** The words that the user brought into these values. */
  words: v.optional(savedShape, []),
  /** Sentences about overwritten values that the user has not dismissed, and about those that rows offer a choice of. */
  messages: v.optional(v.array(v.string()), []),
  choices: v.optional(v.array(v.string()), []),
  /** The conflicts up to this revision were reported. */
  reported: v.object({ epoch: v.string(), seq: v.number() }),
});
type SavedRecord = v.InferOutput<typeof recordShape>;

/** The values that another user's change may have overwritten. */
export interface Unreported {
  /** Words and details of rows, as conflicts quote them. */
  values: ReadonlySet<string>;
  /** Words that the user typed: a conflict may quote them among those of others. */
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
  /** Returns `undefined` where nothing can have been overwritten. */
  get(): Unreported | undefined;
  report(position: Position): void;
  /** The sentences that the user has not dismissed; they are shown again after a reload. */
  messages(): readonly string[];
  keepMessages(messages: readonly string[]): void;
  /** Keeps sentences about choices at rows: after a reload they are messages. Without any, the user has decided all. */
  keepChoices(sentences: readonly string[]): void;
  /** Reports an own revision if no other one lies before it. */
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
  const isCurrent = ({ savedAt }: { savedAt: number }) => savedAt > Date.now() - MAX_AGE;
  const [values, words] = [record?.values.filter(isCurrent) ?? [], record?.words.filter(isCurrent) ?? []];
  return record && values.length > 0 ? { ...record, values, words } : undefined;
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
  const note = (values: readonly string[], base: Position, words: readonly string[] = []) => {
    const { epoch, seq } = base;
    const known = get() && read();
    const savedAt = Date.now();
    const join = (before: SavedRecord['values'] = [], texts: readonly string[]) => {
      const added = new Set(texts);
      return [...before.filter(({ text }) => !added.has(text)), ...[...added].map(text => ({ text, savedAt }))];
    };
    write({
      values: join(known?.values, values).slice(-MAX_SAVED_VALUES),
      words: join(known?.words, words).slice(-MAX_SAVED_WORDS),
      messages: known?.messages ?? [],
      choices: known?.choices ?? [],
      reported: known?.reported ?? { epoch, seq },
    });
  };
  const get = (): Unreported | undefined => {
    const record = read();
    if (!record || (record.values.length === 0 && !isRecent())) return undefined;
    return {
      values: new Set(record.values.map(({ text }) => text)),
      words: new Set(record.words.map(({ text }) => text)),
      isRecent: isRecent(),
      reported: record.reported,
    };
  };
  const report = ({ epoch, seq }: Position) => {
    const record = read();
    if (record) write({ ...record, reported: { epoch, seq } });
  };

  return {
    note: (values, base, words) => {
      note(values, base, words);
      changedAt = Date.now();
    },
    get,
    report,
    messages: () => {
      const record = read();
      if (!record || record.choices.length === 0) return record?.messages ?? [];
      const messages = [...record.messages, ...record.choices];
      write({ ...record, messages, choices: [] });
      return messages;
    },
    keepChoices: sentences => {
      const record = read();
      if (record) write({ ...record, choices: sentences.length > 0 ? [...record.choices, ...sentences] : [] });
    },
    keepMessages: messages => {
      const record = read();
      if (record) write({ ...record, messages: [...messages] });
    },
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
          early.words.map(({ text }) => text),
        );
    },
  };
}
