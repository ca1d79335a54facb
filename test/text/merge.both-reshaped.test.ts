import { expect, test } from 'vitest';
import { merge } from '../../src/text/merge.ts';

/** Rows that both users reshaped, or began at one place. */

test('rows that are joined in turn keep a blank between them where the first one was joined with a new row', () => {
  const ids = { base: ['1', '2'], mine: ['1'], theirs: ['3', '2'] };
  const [mine, theirs] = ['- two words three words\n', '- one two words\n+ three words\n'];
  const { text } = merge('- two words\n- three words\n', mine, theirs, undefined, ids);
  expect(text).toBe('- one two words three words\n');
});

test('a word added to a row that became a detail of a part which both split off is in a choice', () => {
  const base = '# one two\n- call the client\n';
  const mine = '# one\n two\n> call the shop\n';
  const { text, conflicts } = merge(base, mine, '# one\n two\n- call the client today\n');
  expect(text).toBe(mine);
  expect(conflicts).toMatchObject([{ attribute: 'details', theirs: '> call the client today' }]);
});

test('a row is split the same way however many other rows have its last word', () => {
  const rest = '- three four six\n- seven eight six\n';
  const mine = `# one today\nnow two four six\n${rest}`;
  const { text, conflicts } = merge(`# one two four six\n${rest}`, mine, `# still one two four six\n${rest}`);
  expect(text).toBe(`# still one today\nnow two four six\n${rest}`);
  expect(conflicts).toEqual([]);
});

test('rows that both joined, one side as details, are joined once', () => {
  const inDetails = '- one two\n> three four\n';
  const inText = '- one two three four\n';
  const base = '- one two\n- three four\n';
  expect(merge(base, inDetails, inText)).toMatchObject({ text: inText, conflicts: [] });
  expect(merge(base, inText, inDetails)).toMatchObject({ text: inDetails, conflicts: [] });
});

test('a row that was joined with a distant one is found there though each of its words has grown', () => {
  const base = '- one two\n- three four\n# five six\n';
  const mine = '- three four\n# five six Xone Xtwo\n';
  const { text, conflicts } = merge(base, mine, base.replace('two', 'two today'));
  expect(text).toBe(mine);
  expect(conflicts).toMatchObject([{ attribute: 'text', theirs: 'five six one two today' }]);
});

test('two users who each begin a row at one place have a row each', () => {
  const { text, origins } = merge('- one\n', '- one\n- \n', '- one\n- \n- two\n');
  expect(text).toBe('- one\n- \n- two\n- \n');
  expect(origins.filter(({ mine, theirs }) => mine === 1 && theirs !== undefined)).toEqual([]);
});

test('the blank line below a new row stays where the row comes last, and another one was left open', () => {
  const { text } = merge('# a\n- b\n', '# a\nplain\n\n- b\nlast', '- b\n# a\n');
  expect(text).toContain('plain\n\n');
});

test('rows that are joined in turn, one side with the next and the other with the one after, are one row', () => {
  const base = '# one two\n- three four\n- five six\n- seven eight\n';
  const mine = '# one two\n- three four\n> five six\nxseven eight\n';
  const { text } = merge(base, mine, '# one two three four\n- five six\n> seven eight\n');
  expect(text.match(/seven eight/g)).toHaveLength(1);
});

test('a blank typed behind a row is behind the row that it was joined with', () => {
  const [base, joined] = ['- one\n- two\n', '- one two today\n'];
  expect(merge(base, '- one\n- two \n', joined).text).toBe('- one two today \n');
  expect(merge(base, '- one \n- two\n', joined).text).toBe('- one two today \n');
});

test('the line that a user has begun below a last row stays where others leave the last line open', () => {
  const { text } = merge('- one\n', '- one\ntwo\n', '- one\nthree');
  expect(text).toBe('- one\nthree\ntwo\n');
});

test('the line that a user has begun below an open last row stays where others add a row there', () => {
  const { text } = merge('- one\ntwo', '- one\ntwo\n', '- one\ntwo\n- three');
  expect(text).toBe('- one\ntwo\n- three\n');
});

test('a blank typed behind a row is behind its last part where others split it', () => {
  const { text } = merge('- one two\n', '- one two \n', '- one today\n- two\n');
  expect(text).toBe('- one today\n- two \n');
});

test('a blank typed behind a row is behind the new row that it was joined with', () => {
  const ids = { base: ['1'], mine: ['1'], theirs: ['2'] };
  const { text } = merge('- three four\n', '- three four \n', '- one two three four today\n', undefined, ids);
  expect(text).toBe('- one two three four today \n');
});

test('a word of a row stays that one side joined with two that both joined, each with the other one first', () => {
  const base = '# one two\n- three four\n- five six\n';
  const ids = { base: ['1', '2', '3'], mine: ['2'], theirs: ['1', '3'] };
  const [mine, theirs] = ['- three four five six one two\n', '# one two today\n- five six three four\n'];
  const { text } = merge(base, mine, theirs, undefined, ids);
  expect(text).toContain('one two today');
});
