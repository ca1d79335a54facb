import { expect, test } from 'vitest';
import { isAsOfOlder, overrun, ownWrites } from './gap.ts';
import type { Entry, Storage } from './journal.ts';
import { rowsOf } from './rows.ts';

/** What counts as the one stated limit, and what does not. */

const read = (time: number, reader = 'turn', process = '1'): Entry => ({
  ...{ by: 'addon', did: 'read', arrived: time, served: time, reader, process },
});
const ours = (arrived: number, served = arrived, storage: Storage = 'property', process = '1'): Entry => ({
  ...{ by: 'addon', did: 'write', storage, text: '', arrived, served, reader: 'other', process },
});
const theirs = (time: number, storage: Storage = 'property'): Entry => ({
  ...{ by: 'people', did: 'write', storage, text: '', arrived: time, served: time, reader: '', process: '' },
});
/** Whether ours took the place of theirs unseen; entries as they took effect. */
const unseen = (...entries: Entry[]) => {
  const sorted = entries.sort((a, b) => a.served - b.served);
  const at = sorted.findIndex(({ by }) => by === 'people');
  const [storage] = sorted.flatMap(entry => (entry.by === 'people' && entry.did === 'write' ? [entry.storage] : []));
  return overrun({ storage: storage ?? 'property', at }, ownWrites(sorted)) !== undefined;
};

test('somebody wrote after we had read, and before we wrote', () => {
  expect(unseen(read(1), theirs(2), ours(3))).toBe(true);
  expect(unseen(read(1, 'copy'), theirs(2, 'field'), ours(3, 3, 'field'))).toBe(true);
});

test('somebody wrote before we read: we knew', () => {
  expect(unseen(read(0), theirs(1), read(2), ours(3))).toBe(false);
});

test('nobody wrote of ours since', () => {
  expect(unseen(read(1), ours(2), theirs(3), read(4))).toBe(false);
});

test('a later write of ours does not count', () => {
  expect(unseen(read(0), theirs(1), read(2), ours(3), ours(4))).toBe(false);
});

test('what others read of us, for people, for the copy or in another process, is not what the write was made from', () => {
  expect(unseen(read(1), theirs(2), read(3, 'other'), read(3, 'copy'), read(3, 'turn', '2'), ours(4))).toBe(true);
});

test('a write that arrives late was made from what was read before it was sent', () => {
  expect(unseen(read(1), theirs(3), read(4), ours(2, 5))).toBe(true);
});

test('another storage is another matter', () => {
  expect(unseen(read(0, 'copy'), read(1), theirs(2), read(3), ours(4), ours(5, 5, 'field'))).toBe(false);
});

test('a write without a reading is a mistake of the judge', () => {
  expect(() => ownWrites([ours(1)])).toThrow('without having read');
});

/** Whether what somebody did to row 9100001 looks as if he had gone on from an older text. */
const older = (before: readonly string[], after: string, row: string, time = 60_000) => {
  const written = (by: Entry['by'], text: string, time: number): Entry => ({
    ...{ by, did: 'write', storage: 'property', text, arrived: time, served: time, reader: 'turn', process: '1' },
  });
  const entries = [
    ...before.map((text, time) => written('addon', text, time)),
    written('people', after, time),
    read(time),
  ];
  const write = { storage: 'property' as const, at: before.length, number: '9100001', row: rowsOf(row).get('9100001') };
  return isAsOfOlder(write, entries);
};
const [open, done] = ['- Row 9100001 x', '+ Row 9100001 x'];

test('who takes back a tick and adds a row looks as if he had not seen the tick', () => {
  expect(older([open, done], `${open}\n- Row 9100002 y`, open)).toBe(true);
  // It is taken as it was meant where nothing was added, or there was no such text.
  expect(older([open, done], open, open)).toBe(false);
  expect(older([done], `${open}\n- Row 9100002 y`, open)).toBe(false);
});

test('who brings back the very text that we wrote a moment ago looks like a reading that lags', () => {
  expect(older([open, done], open, open, 9_000)).toBe(true);
  expect(older([open, done], open, open, 11_000)).toBe(false);
});
