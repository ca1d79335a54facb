import { likeliestBase } from '../../src/server/checklists/likeliest.ts';
import type { ForeignWrite } from './foreign.ts';
import type { Entry, Storage } from './journal.ts';
import { rowsOf, sameRow } from './rows.ts';

/** A write of ours, and from which reading it was made. */
export interface OwnWrite {
  storage: Storage;
  /** Places in the journal. */
  read: number;
  written: number;
  /** Milliseconds from the one to the other, as the tracker saw them. */
  time: number;
}

/** For what the add-on reads an issue before it writes that storage (readers.mjs). */
const readerOf = { property: 'turn', field: 'copy' } as const;

/**
 * The writes of ours, in the order in which they took effect. A write was made from the last reading for it by its
 * process that had come before the write was sent: turns come one after the other. One that arrives late was still
 * made from what was read before it was sent.
 */
export function ownWrites(entries: readonly Entry[]): OwnWrite[] {
  return entries.flatMap((ours, written) => {
    if (ours.by !== 'addon' || ours.did !== 'write') return [];
    const { storage } = ours;
    const isFor = (entry: Entry) =>
      entry.did === 'read' && entry.reader === readerOf[storage] && entry.process === ours.process;
    let read = -1;
    entries.forEach((entry, index) => {
      const isLater = entry.arrived > (entries[read]?.arrived ?? Number.NEGATIVE_INFINITY);
      if (isFor(entry) && entry.served <= ours.arrived && isLater) read = index;
    });
    const reading = entries[read];
    if (!reading) throw new Error('The add-on wrote without having read.');
    return [{ storage, read, written, time: ours.served - reading.served }];
  });
}

/**
 * The write of ours that took the place of somebody's without his having been there when we read: the one stated limit,
 * since the tracker offers no compare-and-set. `undefined` where the first write of ours that followed knew of it.
 */
export function overrun({ storage, at }: Pick<ForeignWrite, 'storage' | 'at'>, writes: readonly OwnWrite[]) {
  const next = writes.find(ours => ours.storage === storage && ours.written > at);
  return next && next.read < at ? next : undefined;
}

/** Milliseconds that somebody may take between reading a storage and writing it back. */
const EDITING = 15 * 60_000;
/** Milliseconds in which a reading may lag behind, so that a text of ours that is there again is nobody's will. */
const LAGGING = 10_000;

/**
 * Whether what we read next is the very text that we had written there a moment ago, or says of that row what an older
 * text in that storage said, and is nearer to that than to what we knew to stand there: whoever went on from the older
 * text without having seen the newer one would have written the same. That is the other stated limit; to take it
 * otherwise would undo what was written meanwhile.
 */
export function isAsOfOlder(
  { storage, at, number, row }: Pick<ForeignWrite, 'storage' | 'at' | 'number' | 'row'>,
  entries: readonly Entry[],
): boolean {
  const isWrite = (entry: Entry) => entry.did === 'write' && entry.storage === storage;
  const textOf = (entry: Entry) => ('text' in entry ? entry.text : '');
  const isReading = (entry: Entry) => entry.did === 'read' && entry.reader === 'turn';
  const next = entries.findIndex((entry, index) => index > at && isReading(entry));
  const found = entries.slice(at, next < 0 ? undefined : next).findLast(isWrite);
  const before = entries.slice(0, at).filter(isWrite);
  // What we knew to stand there: what we had written, or read.
  const seen = entries
    .slice(0, at)
    .findLastIndex(entry => entry.by === 'addon' && (isWrite(entry) || isReading(entry)));
  const last = entries.slice(0, seen + 1).findLast(isWrite);
  if (!found || !last) return false;
  const isSame = (entry: Entry) => entry.by === 'addon' && textOf(entry) === textOf(found);
  if (before.some(entry => isSame(entry) && found.served - entry.served < LAGGING)) return true;
  const alike = before.filter(entry => {
    const isRecent = found.served - entry.served < EDITING;
    return isRecent && textOf(entry) !== textOf(found) && sameRow(rowsOf(textOf(entry)).get(number), row);
  });
  return likeliestBase(textOf(found), textOf(last), alike.map(textOf)) !== textOf(last);
}
