import { expect, test } from 'vitest';
import { type Acknowledged, replay } from './model.ts';

/** Tests of the model: what it must find, and what it must accept. */

const change = (
  seq: number,
  base: [seq: number, text: string],
  mine: string,
  text: string,
  conflicts: Acknowledged['conflicts'] = [],
): Acknowledged => ({
  issue: '1',
  who: 'client 1',
  clientId: String(seq),
  mutation: 'updateChecklistFromText',
  base: { seq: base[0], text: base[1] },
  mine,
  epoch: 'e',
  seq,
  text,
  conflicts,
});
const found = (...changes: Acknowledged[]) => replay('1', changes).violations.map(({ what }) => what);

const A = '- Row 10001 alpha';
const B = '- Row 10002 alpha';
const first = change(1, [0, ''], A, A);

test('changes that stay are fine, in whatever order they were acknowledged', () => {
  expect(found(change(2, [1, A], `${A}\n${B}`, `${A}\n${B}`), first)).toEqual([]);
});

test('a row that is gone, though no change deleted it', () => {
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
    'a row changed that no change touched',
  ]);
});

test('a row that no change added', () => {
  expect(found(change(1, [0, ''], A, `${A}\n${B}`))).toEqual(['a row is there that should not be']);
});

test('a tick over a tick that was not known, unless the conflict is reported', () => {
  const [done, skipped] = [A.replace('-', '+'), A.replace('-', 'x')];
  const ticked = change(2, [1, A], done, done);
  expect(found(first, ticked, change(3, [1, A], skipped, skipped))).toEqual(['overwritten without a word']);
  const reported = [{ row: 'Row 10001 alpha', attribute: 'status' }];
  expect(found(first, ticked, change(3, [1, A], skipped, skipped, reported))).toEqual([]);
  expect(found(first, ticked, change(3, [2, done], skipped, skipped))).toEqual([]);
});

test('a deletion gives way to a change that it did not know, and says so in the count', () => {
  const done = A.replace('-', '+');
  const ticked = change(2, [1, A], done, done);
  expect(replay('1', [first, ticked, change(3, [1, A], '', done)])).toMatchObject({
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

test('a row that was changed and deleted meanwhile comes back as it was when it was deleted', () => {
  const both = `${A}\n${B}`;
  const [done, reworded] = [A.replace('-', '+'), A.replace('alpha', 'omega')];
  const start = change(1, [0, ''], both, both);
  const changed = change(2, [1, both], `${reworded}\n${B}`, `${reworded}\n${B}`);
  const deleted = change(3, [2, `${reworded}\n${B}`], B, B);
  const tick = (text: string) => change(4, [1, both], `${done}\n${B}`, text);
  expect(found(start, changed, deleted, tick(`${reworded.replace('-', '+')}\n${B}`))).toEqual([]);
  expect(found(start, changed, deleted, tick(`${done}\n${B}`))).toEqual(['a change is not in']);
});

test('a restored version yields to later changes of rows that its base lacks', () => {
  const both = `${A}\n${B}`;
  const [later, restored] = [`${A}\n${B.replace('-', '+')}`, B.replace('alpha', 'beta')];
  const restore = (text: string) => {
    const made = change(4, [1, A], `${A}\n${restored}`, text);
    return { ...made, mutation: 'restoreChecklistRevision' };
  };
  const known = [first, change(2, [1, A], both, both), change(3, [2, both], later, later)];
  // Each attribute has its current value or that of the version.
  expect(found(...known, restore(later))).toEqual([]);
  expect(found(...known, restore(later.replace(/alpha$/, 'beta')))).toEqual([]);
  expect(found(...known, restore(later.replace('+', 'x')))).toEqual(['a row changed that no change touched']);
  expect(found(...known, restore(A))).toEqual(['a row is gone']);
  // An edit of the text does not.
  expect(found(...known, change(4, [1, A], `${A}\n${restored}`, later))).toEqual(['a change is not in']);
});

test('rows that a step leaves open are taken as the revision has them, others are not', () => {
  const foreign = { ...change(2, [1, A], A, `${A.replace('-', '+')}\n${B}`), mutation: 'foreignProperty' };
  expect(found(first, { ...foreign, isOpen: () => true })).toEqual([]);
  expect(found(first, { ...foreign, isOpen: number => number === '10002' })).toEqual([
    'a row changed that no change touched',
  ]);
});

test('a duplicate row is reported once', () => {
  const both = `${A}\n${A}`;
  expect(found(first, change(2, [1, A], both, both), change(3, [2, both], `${both}\n${B}`, `${both}\n${B}`))).toEqual([
    'a row is there twice',
  ]);
});

test('an old text that restores a row does not override later changes of it', () => {
  const done = A.replace('-', '+');
  const ticked = change(2, [1, A], done, done);
  const again = (text: string) => change(3, [0, B], `${B}\n${A}`, text);
  expect(found(first, ticked, again(`${B}\n${done}`))).not.toContain('a change is not in');
  const other = A.replace('-', 'x');
  expect(found(first, ticked, change(3, [0, B], `${B}\n${other}`, `${B}\n${done}`))).toContain('a change is not in');
});

test('a row that was deleted after its base became old comes back as it was then, as its author saw it, or with both notes', () => {
  const noted = `${A}\n> omega delta`;
  const changed = A.replace('-', '+').concat('\n> alpha omega');
  const start = change(1, [0, ''], A, A);
  const changes = [start, change(2, [1, A], changed, changed), change(30, [2, changed], '', '')];
  for (const result of [noted, `${changed}\n> omega delta`, `${A.replace('-', '+')}\n> omega delta`])
    expect(found(...changes, change(31, [1, A], noted, result))).toEqual([]);
  expect(found(...changes, change(31, [1, A], noted, changed))).toEqual(['a change is not in']);
});
