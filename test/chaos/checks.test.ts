import { expect, test } from 'vitest';
import { check, type Evidence, isRepeated, isStated } from './checks.ts';
import type { ForeignWrite } from './foreign.ts';
import type { Entry } from './journal.ts';
import { rowsOf } from './rows.ts';
import type { Revision } from './site.ts';

/** Tests of the checks of the copies: which foreign writes must be there, and which may be lost. */

const MINUTE = 60_000;
const write = (by: 'addon' | 'people', served: number, arrived = served): Entry => ({
  ...{ did: 'write', by, storage: 'property', text: '', arrived, served },
});
const stated = (...entries: Entry[]) => isStated({ time: MINUTE }, entries);

test('a plain write overwrote a foreign one before an event or read of it', () => {
  expect(stated(write('people', MINUTE), write('addon', MINUTE + 100))).toBe(true);
  // The write was on its way before an event arrived.
  const notified: Entry = { did: 'notified', served: MINUTE + 1_000 };
  expect(stated(write('people', MINUTE), notified, write('addon', MINUTE + 2_000))).toBe(true);
});

test('an event or a read preceded it, or an event of an earlier foreign write', () => {
  const over = write('addon', 2 * MINUTE);
  expect(stated(write('people', MINUTE), { did: 'notified', served: MINUTE + 10 }, over)).toBe(false);
  expect(stated(write('people', MINUTE), { did: 'read', served: MINUTE + 10 }, over)).toBe(false);
  expect(stated({ did: 'notified', served: 10 }, write('people', MINUTE), over)).toBe(false);
  // An earlier read did not show it.
  expect(stated({ did: 'read', served: 10 }, write('people', MINUTE), over)).toBe(true);
});

test('no plain write came after it', () => {
  expect(stated(write('addon', 10), write('people', MINUTE))).toBe(false);
  expect(stated(write('people', MINUTE), { did: 'swap', text: '', served: 2 * MINUTE })).toBe(false);
});

const row = (text: string) => rowsOf(text).get('9100001');
const foreignWrite = (time: number, text: string, before: string): ForeignWrite => ({
  ...{ issue: '1', storage: 'property', number: '9100001', row: row(text), before, text, time },
});
const swap = (served: number): Entry => ({ did: 'swap', text: '', served });
const [OPEN, DONE] = ['- Row 9100001 foreign', '+ Row 9100001 foreign'];

test('a value of before was put back while a compare-and-set that knew it was on its way', () => {
  const writes = [
    foreignWrite(MINUTE, DONE, OPEN),
    foreignWrite(MINUTE + 2_000, OPEN, DONE),
    foreignWrite(MINUTE + 4_000, DONE, OPEN),
  ];
  const [, , last] = writes;
  if (!last) throw new Error('No write.');
  expect(isRepeated(last, writes, [swap(MINUTE + 1_000)])).toBe(true);
  expect(isRepeated(last, writes, [swap(MINUTE - 1_000), swap(MINUTE + 5_000)])).toBe(false);
  expect(isRepeated({ ...last, text: `${DONE}\n- b` }, writes, [swap(MINUTE + 1_000)])).toBe(false);
});

test('a read that a kill left unrecorded may have shown the row to the app or not', () => {
  const writes = [foreignWrite(MINUTE + 10, DONE, OPEN), foreignWrite(MINUTE + 30_000, OPEN, DONE)];
  const reads: Entry[] = [MINUTE, MINUTE + 10_000, MINUTE + 40_000].map(served => ({ did: 'read', served }));
  const history = [revision(1, '- Row 10001 alpha'), revision(2, `${DONE}\n- Row 10001 alpha`)];
  const all: Evidence = {
    ...evidence(history, `${DONE}\n- Row 10001 alpha`),
    entries: reads,
    foreigner: { writes, ranOver: new Map() },
  };
  const isLost = (what: Evidence) => found(what).includes('a foreign write of the property is lost');
  expect(isLost(all)).toBe(true);
  expect(isLost({ ...all, kills: [{ from: MINUTE + 10_200, to: MINUTE + 10_300 }] })).toBe(false);
  // The end of a process may be observed late.
  expect(isLost({ ...all, kills: [{ from: MINUTE + 10_200, to: MINUTE + 15_000 }] })).toBe(false);
  expect(isLost({ ...all, kills: [{ from: MINUTE + 15_000, to: MINUTE + 15_100 }] })).toBe(true);
});

test('a read whose answer was cut showed the app nothing', () => {
  const writes = [foreignWrite(MINUTE + 10, DONE, OPEN), foreignWrite(MINUTE + 30_000, OPEN, DONE)];
  const history = [revision(1, '- Row 10001 alpha'), revision(2, `${DONE}\n- Row 10001 alpha`)];
  const of = (isLost: boolean) =>
    found({
      ...evidence(history, `${DONE}\n- Row 10001 alpha`),
      entries: [MINUTE, MINUTE + 10_000].map(served => ({ did: 'read', served, isLost: isLost && served > MINUTE })),
      foreigner: { writes, ranOver: new Map() },
    });
  expect(of(false)).toContain('a foreign write of the property is lost');
  expect(of(true)).toEqual([]);
});

const A = '- Row 10001 alpha';
const OURS = 'addon:checklist';
const revision = (
  seq: number,
  text: string,
  { client = `rule:${seq}`, kind = 'add', account = 'mia' } = {},
): Revision => ({
  ...{ epoch: 'e', seq, text, account, client, kind },
  conflicts: [],
  created: new Date(seq * MINUTE),
});
const evidence = (history: readonly Revision[], text: string): Evidence => ({
  ...{ issue: '1', changes: [], foreigner: undefined, entries: [], fieldChanges: [], history, kills: [] },
  copies: { property: text, field: text },
});
const found = (what: Evidence) => check(what).violations.map(each => each.what);

const first = {
  ...{ issue: '1', who: 'client 1', clientId: 'rule:1', mutation: 'updateChecklistFromText', epoch: 'e', seq: 1 },
  ...{ base: { seq: 0, text: '' }, mine: A, text: A, conflicts: [] },
};

test('the copies say what the newest revision says', () => {
  expect(found(evidence([revision(1, A)], `${A} \n`))).toEqual([]);
  expect(found({ ...evidence([revision(1, A)], A), copies: { property: A, field: '' } })).toEqual([
    'the field is not the newest revision',
  ]);
});

test('a foreign change of the field is a revision of its own, whether or not it was overwritten', () => {
  const theirs = `${A}\n- Row 9200001 foreign`;
  const fieldChanges = [
    { id: 2 * MINUTE, author: 'pavel', from: A, to: theirs },
    { id: 2 * MINUTE + 1, author: OURS, from: theirs, to: A },
  ];
  const taken = revision(3, theirs, { client: `foreign ${2 * MINUTE}`, kind: 'foreignField', account: 'pavel' });
  const all = { ...evidence([revision(1, A), taken], theirs), changes: [first], fieldChanges };
  const numbered = { ...all, history: [revision(1, A), { ...taken, seq: 2 }] };
  expect(found(numbered)).toEqual([]);
  expect(check(numbered).overwritten).toBe(1);
  expect(found({ ...all, ...evidence([revision(1, A)], A), changes: [first], fieldChanges })).toEqual([
    'a foreign change of the field is lost',
  ]);
  const other = { ...taken, seq: 2, account: 'mia' };
  expect(found({ ...numbered, history: [revision(1, A), other] })).toEqual(['a foreign change has another author']);
});

test('a foreign write of the property is in a later foreign revision, unless it is lost as stated', () => {
  const theirs = `${A}\n- Row 9100001 foreign`;
  const wrote = {
    ...{ issue: '1', storage: 'property' as const, number: '9100001', before: A, text: theirs, time: MINUTE },
    row: rowsOf(theirs).get('9100001'),
  };
  const foreigner = { writes: [wrote], ranOver: new Map() };
  const undone = { ...wrote, row: undefined, before: theirs, text: A, time: 2 * MINUTE };
  const taken = { ...revision(2, theirs, { kind: 'foreignProperty' }) };
  expect(found({ ...evidence([revision(1, A), taken], theirs), foreigner })).toEqual([]);
  const lost = { ...evidence([revision(1, A)], A), foreigner };
  expect(found(lost)).toEqual(['a foreign write of the property is lost']);
  // A write reverted before it was read is not lost.
  expect(found({ ...lost, foreigner: { ...foreigner, writes: [wrote, undone] } })).toEqual([]);
  expect(check({ ...lost, entries: [write('addon', MINUTE + 10)] }).lost).toEqual([wrote]);
});

test('a foreign deletion in the property gives way to a change of the row since the read before it', () => {
  const [open, ticked] = [`${A}\n- Row 9100001 foreign`, `${A}\n+ Row 9100001 foreign`];
  const deleted = {
    ...{ issue: '1', storage: 'property' as const, number: '9100001', row: undefined },
    ...{ before: open, text: A, time: 2.5 * MINUTE },
  };
  const all = {
    foreigner: { writes: [deleted], ranOver: new Map() },
    entries: [{ did: 'read' as const, served: 1.5 * MINUTE }],
  };
  const history = [revision(1, open), revision(3, `${open}\n- Row 10002 alpha`)];
  expect(found({ ...evidence(history, `${open}\n- Row 10002 alpha`), ...all })).toContain(
    'a foreign write of the property is lost',
  );
  const changed = [revision(1, open), revision(2, ticked), revision(3, `${ticked}\n- Row 10002 alpha`)];
  expect(found({ ...evidence(changed, `${ticked}\n- Row 10002 alpha`), ...all })).not.toContain(
    'a foreign write of the property is lost',
  );
});

test('a row that was removed stays removed in a foreign value that has it as it was', () => {
  const ticked = `${A}\n+ Row 9100001 foreign`;
  const open = ticked.replace('+', '-');
  const wrote = (row: string) => ({
    ...{ issue: '1', storage: 'property' as const, number: '9100001', before: open, text: row, time: 2.5 * MINUTE },
    row: rowsOf(row).get('9100001'),
  });
  const history = [revision(1, ticked), revision(2, A), revision(3, `${A}\n- Row 10002 alpha`)];
  const of = (row: string) =>
    found({
      ...evidence(history, `${A}\n- Row 10002 alpha`),
      ...{ foreigner: { writes: [wrote(row)], ranOver: new Map() }, entries: [{ did: 'read', served: 0.5 * MINUTE }] },
    });
  expect(of(ticked)).not.toContain('a foreign write of the property is lost');
  expect(of(ticked.replace('+', '~'))).toContain('a foreign write of the property is lost');
});
