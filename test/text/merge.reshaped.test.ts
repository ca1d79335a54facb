import { expect, test } from 'vitest';
import { merge } from '../../src/text/merge.ts';

/** Rows that one user split or joined while another one changed them. */

const merged = (base: string, mine: string, theirs: string) => {
  const { text, conflicts } = merge(base, mine, theirs);
  return { text, conflicts: conflicts.length };
};

test.each([
  [
    'words added to the second row of a join',
    '- one two\n- three\n',
    '- one two three\n',
    '- one two\n- three four\n',
    '- one two three four\n',
  ],
  [
    'words added to the first row of a join',
    '- one two\n- three\n',
    '- one two three\n',
    '- one new two\n- three\n',
    '- one new two three\n',
  ],
  [
    'words added to both, and more typed by who joined',
    '- one\n- two\n',
    '- start one two\n',
    '- one a\n- two b\n',
    '- start one a two b\n',
  ],
  ['rows joined without a blank', '- one\n- two\n', '- onetwo\n', '- one\n- two three\n', '- onetwo three\n'],
  [
    'three rows joined',
    '- one\n- two\n- three\n',
    '- one two three\n',
    '- one\n- two b\n- three c\n',
    '- one two b three c\n',
  ],
  ['words added behind a split', '- one two\n', '- one\n- two\n', '- one two three\n', '- one\n- two three\n'],
  ['words added before a split', '- one two\n', '- one\n- two\n', '- new one two\n', '- new one\n- two\n'],
  ['a split and a tick', '- one two\n', '- one\n- two\n', '+ one two\n', '+ one\n- two\n'],
  [
    'a split, typed on, and words added',
    '- one two\n',
    '- one more\n- two\n',
    '- one two three\n',
    '- one more\n- two three\n',
  ],
])('%s, in either order of saving', (_, base, mine, theirs, expected) => {
  expect(merged(base, mine, theirs)).toEqual({ text: expected, conflicts: 0 });
  expect(merged(base, theirs, mine)).toEqual({ text: expected, conflicts: 0 });
});

test('rows that were joined and a deletion of one of them', () => {
  expect(merged('- one\n- two\n', '- one two\n', '- one\n')).toEqual({ text: '- one two\n', conflicts: 0 });
});

test('a row that one deleted and another one changed stays', () => {
  expect(merged('- one\n- two\n', '- one\n', '- one\n- two three\n')).toEqual({
    text: '- one\n- two three\n',
    conflicts: 0,
  });
});

test('what both added between repeated words is there once', () => {
  const base = '- alpha beta tail\n';
  const mine = '- alpha beta tail more beta tail\n';
  const theirs = '- new beta tail more beta tail\n';
  const ids = { base: ['1'], mine: ['1'], theirs: ['1'] };
  expect(merge(base, mine, theirs, undefined, ids).text).toBe(theirs);
  expect(merge(base, theirs, mine, undefined, ids).text).toBe(theirs);
});

test('a rewording beside a new row that ends with the same word is no split', () => {
  const base = '- Row 1 beta\n- Row 2 alpha\n';
  const mine = '- Row 1 beta 2027-05-22\n- Row 2 alpha\n';
  const theirs = '- Row 1 epsilon\n- Row 3 beta\n- Row 2 alpha\n';
  const expected = '- Row 1 epsilon 2027-05-22\n- Row 3 beta\n- Row 2 alpha\n';
  const ids = { base: ['1', '2'], mine: ['1', '2'], theirs: ['1', '3', '2'] };
  expect(merge(base, mine, theirs, undefined, ids)).toMatchObject({ text: expected, conflicts: [] });
  const turned = { ...ids, mine: ids.theirs, theirs: ids.mine };
  expect(merge(base, theirs, mine, undefined, turned)).toMatchObject({ text: expected, conflicts: [] });
});
