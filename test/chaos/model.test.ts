import { expect, test } from 'vitest';
import { type Acknowledged, replay } from './model.ts';

/** The judge is judged: what it must find, and what it must let pass. */

const change = (
  seq: number,
  base: [seq: number, text: string],
  mine: string,
  text: string,
  conflicts: Acknowledged['conflicts'] = [],
): Acknowledged => ({
  issue: '1',
  who: 'somebody',
  clientId: String(seq),
  mutation: 'updateChecklistFromText',
  base: { seq: base[0], text: base[1] },
  mine,
  epoch: 'e',
  seq,
  text,
  conflicts,
});
const found = (...changes: Acknowledged[]) => replay('1', changes, new Set()).violations.map(({ what }) => what);

const A = '- Row 10001 alpha';
const B = '- Row 10002 alpha';
const first = change(1, [0, ''], A, A);

test('changes that stay are fine, in whatever order they were acknowledged', () => {
  expect(found(change(2, [1, A], `${A}\n${B}`, `${A}\n${B}`), first)).toEqual([]);
});

test('a row that is gone, though nobody deleted it', () => {
  expect(found(first, change(2, [0, ''], B, B))).toEqual(['a row is gone']);
});

test('a tick that is not in', () => {
  expect(found(first, change(2, [1, A], A.replace('-', '+'), A))).toEqual(['a change is not in']);
});

test('a tick that another change undoes', () => {
  const done = A.replace('-', '+');
  const ticked = change(2, [1, A], done, done);
  expect(found(first, ticked, change(3, [1, A], `${A}\n${B}`, `${done}\n${B}`))).toEqual([]);
  expect(found(first, ticked, change(3, [1, A], `${A}\n${B}`, `${A}\n${B}`))).toEqual([
    'a row changed that nobody changed',
  ]);
});

test('a row that nobody was told of', () => {
  expect(found(change(1, [0, ''], A, `${A}\n${B}`))).toEqual(['a row is there that should not be']);
});

test('a tick over a tick that was not known, unless the conflict is reported', () => {
  const [done, skipped] = [A.replace('-', '+'), A.replace('-', 'x')];
  const ticked = change(2, [1, A], done, done);
  expect(found(first, ticked, change(3, [1, A], skipped, skipped))).toEqual(['overwritten without a word']);
  const told = [{ row: 'Row 10001 alpha', attribute: 'status' }];
  expect(found(first, ticked, change(3, [1, A], skipped, skipped, told))).toEqual([]);
  expect(found(first, ticked, change(3, [2, done], skipped, skipped))).toEqual([]);
});

test('a deletion gives way to a change that it did not know, and says so in the count', () => {
  const done = A.replace('-', '+');
  const ticked = change(2, [1, A], done, done);
  expect(replay('1', [first, ticked, change(3, [1, A], '', done)], new Set())).toMatchObject({
    violations: [],
    gaveWay: 1,
  });
  expect(found(first, ticked, change(3, [2, done], '', done))).toEqual(['a row is there that should not be']);
});

test('a row that was deleted meanwhile comes back with the change of it', () => {
  const both = `${A}\n${B}`;
  const done = A.replace('-', '+');
  const start = change(1, [0, ''], both, both);
  const deleted = change(2, [1, both], B, B);
  expect(found(start, deleted, change(3, [1, both], `${done}\n${B}`, `${done}\n${B}`))).toEqual([]);
});

test('several changes in one revision are taken in the order that explains it', () => {
  const [done, skipped] = [A.replace('-', '+'), A.replace('-', 'x')];
  const told = [{ row: 'Row 10001 alpha', attribute: 'status' }];
  const ticked = change(2, [1, A], done, skipped, told);
  expect(found(first, ticked, change(2, [1, A], skipped, skipped, told))).toEqual([]);
});

test('others’ rows, and rows that an older foreign text ran over, are not judged', () => {
  const theirs = '- Row 9100001 foreign';
  expect(found(first, change(2, [1, `${A}\n${theirs}`], `${A}\n${theirs}`, A))).toEqual([]);
  expect(replay('1', [first, change(2, [1, A], A, '')], new Set(['10001'])).violations).toEqual([]);
});
