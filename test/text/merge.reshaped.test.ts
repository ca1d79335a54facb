import { expect, test } from 'vitest';
import { merge } from '../../src/text/merge.ts';

/** Rows that one user split or joined while another one changed them. */

const merged = (base: string, mine: string, theirs: string) => {
  const { text, conflicts } = merge(base, mine, theirs);
  return { text, conflicts: conflicts.length };
};

test.each([
  [
    'a row in three parts, the first of which was joined with the row above',
    '- one two\n> detail\n- Row kappa sigma tail\n',
    '- one two\n> detail Row\n- kappa\n- sigma tail\n',
    '- one two today\n> detail\n- Row kappa sigma tail today\n',
    '- one two today\n> detail Row\n- kappa\n- sigma tail today\n',
  ],
  [
    'a row that became a detail of the part that both split off',
    '# Part\n- Row beta kappa tail\n- Other gamma theta tail\n',
    '# Part\n- Row beta\n- kappa tail\n> Other gamma theta tail\n',
    '# Part new\n- Row beta\n- kappa tail\n- Other gamma theta tail\n',
    '# Part new\n- Row beta\n- kappa tail\n> Other gamma theta tail\n',
  ],
  [
    'details of a row that both split, changed by one of them',
    '- one two three\n> detail\n',
    '- one\n- two three\n> detail today\n',
    '- one\n- two three\n> detail\n',
    '- one\n- two three\n> detail today\n',
  ],
  [
    'details that went to the last part of a split row, changed by the other user',
    '- one two three\n> detail\n',
    '- one two\n- three\n> detail\n',
    '- one two three\n> detail today\n',
    '- one two\n- three\n> detail today\n',
  ],
  [
    'details that went to the last part, of which one line was deleted while words came in',
    '- one two three\n> detail\n> other\n',
    '- one two\n- three\n> detail\n> other\n',
    '- one new two three\n> detail\n',
    '- one new two\n- three\n> detail\n',
  ],
  [
    'details that went to a new row below their own, of which one line was deleted and one reworded',
    '# Part\n> detail\n> other\n- one\n',
    '# Part\n- new\n> detail\n> other\n- one\n',
    '# Part\n> detail today\n- one\n',
    '# Part\n- new\n> detail today\n- one\n',
  ],
  [
    'a row joined with the row above, most of whose words were replaced',
    '- one two\n- three four five six\n',
    '- one two three 4th 5th six today\n',
    '- one two\n- new three four five six\n',
    '- one two new three 4th 5th six today\n',
  ],
  [
    'a row that got the next one as its detail, and that was joined with the row above',
    '- one two\n- three four\n- five six\n',
    '- one two\n- three four\n> five six\n',
    '- one two three four\n- five six today\n',
    '- one two three four\n> five six today\n',
  ],
  [
    'two rows that became details of a new one',
    '# Part\n- one two\n- three four\n',
    '# Part\n- new row\n> one two\n> three four\n',
    '# Part\n- one two today\n- three four today\n',
    '# Part\n- new row\n> one two today\n> three four today\n',
  ],
  [
    'a row joined with a new one, with one of its words replaced',
    '- keep this\n- Row kappa sigma tail\n',
    '- keep this\n- New words here Row other sigma tail\n',
    '- keep this\n- Row kappa sigma tail today\n',
    '- keep this\n- New words here Row other sigma tail today\n',
  ],
  [
    'a row that one user splits, and the other one joins with the row above',
    '- one two\n- three four five\n',
    '- one two three four five six\n',
    '- one two\n- three\n- four five\n',
    '- one two three\n- four five six\n',
  ],
  [
    'a row below one that was split meanwhile: the parts stay neighbours',
    '- one two three\n',
    '- one two\n- three\n',
    '- one two three\n- new\n',
    '- one two\n- three\n- new\n',
  ],
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
  [
    'words replaced on both sides of a join',
    '# Part alpha beta tail\n- Row beta kappa tail\n',
    '# Part alpha new more Row beta other tail\n',
    '# Part alpha beta tail\n- Row beta kappa tail today\n',
    '# Part alpha new more Row beta other tail today\n',
  ],
  [
    'a join of rows of which the other one split the first',
    '- one two three\n- four five\n- six\n',
    '- one two three four five\n- six\n',
    '- one\n- two three\n- four five today\n- six\n',
    '- one\n- two three four five today\n- six\n',
  ],
  [
    'a row joined with the one that the other joined with a new one',
    '- alpha beta\n- gamma delta\n',
    '- alpha beta gamma delta\n',
    '- new words alpha beta\n- gamma delta today\n',
    '- new words alpha beta gamma delta today\n',
  ],
  ['rows joined without a blank', '- one\n- two\n', '- onetwo\n', '- one\n- two three\n', '- onetwo three\n'],
  [
    'three rows joined',
    '- one\n- two\n- three\n',
    '- one two three\n',
    '- one\n- two b\n- three c\n',
    '- one two b three c\n',
  ],
  [
    'both joined the same rows, and one typed between their words',
    '- one two\n- three four\n',
    '- one two three four\n',
    '- one two new three four\n',
    '- one two new three four\n',
  ],
  [
    'a row split into three, and words added',
    '- one two three\n',
    '- one\n- two\n- three\n',
    '- new one two three four\n',
    '- new one\n- two\n- three four\n',
  ],
  [
    'words typed on both sides of a split, and words added',
    '- one two three\n',
    '- one more\n- less two three\n',
    '- one two three four\n',
    '- one more\n- less two three four\n',
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
  [
    'words typed into a join',
    '- one two\n- three four five\n',
    '- one two three fo-new-ur five\n',
    '- one two\n- three four five six\n',
    '- one two three fo-new-ur five six\n',
  ],
  [
    'words added to the end of a row that was joined with the next one',
    '- one two\n- three four\n',
    '- one two three four\n',
    '- one two new\n- three four\n',
    '- one two new three four\n',
  ],
  [
    'a row that became a detail, and words added to it',
    '- one\n> two\n- three four\n',
    '- one\n> two three four\n',
    '- one\n> two\n- three four five\n',
    '- one\n> two three four five\n',
  ],
  [
    'a row that became the first detail, and words added to it',
    '- one\n- two three\n',
    '- one\n> two three\n',
    '- one\n- two three four\n',
    '- one\n> two three four\n',
  ],
  [
    'a row that became the detail of a new one with another word, and a detail added to it',
    '# one two\n- red green blue\n- five\n',
    '# one two\nsix seven\n> red white blue\n- five\n',
    '# one two\n- red green blue\n> note\n- five\n',
    '# one two\nsix seven\n> red white blue\n> note\n- five\n',
  ],
  [
    'a row that became one more detail, and words added to it',
    '- one\n> two\n- three four\n',
    '- one\n> two\n> three four\n',
    '- one\n> two\n- three four five\n',
    '- one\n> two\n> three four five\n',
  ],
  [
    'a row joined with a new one, and words added to it',
    '- one\n- two three\n',
    '- one\n- new two three\n',
    '- one\n- two three four\n',
    '- one\n- new two three four\n',
  ],
  [
    'a header joined with an item, and words added to it',
    '- one\n# two three\n',
    '- one two three\n',
    '- one\n# two three four\n',
    '- one two three four\n',
  ],
  [
    'a join, and another one with the joined row',
    '- one two\n- three four\n- five six\n',
    '- one two three four\n- five six\n',
    '- one two\n- three four five new six\n',
    '- one two three four five new six\n',
  ],
  [
    'a split with a word replaced behind it, and words added before it',
    '- one two three four\n',
    '- one two\n- new four\n',
    '- more one two three four\n',
    '- more one two\n- new four\n',
  ],
  [
    'a split, and a move of the row',
    '- one two\n- three\n- four\n',
    '- one\n- two\n- three\n- four\n',
    '- three\n- four\n- one two\n',
    '- three\n- four\n- one\n- two\n',
  ],
  [
    'a split with more behind it, and a move of the row',
    '- one two three\n- four\n- five\n',
    '- one\n- two three\n- four\n- five\n',
    '- four\n- five\n- one two three\n',
    '- four\n- five\n- one\n- two three\n',
  ],
  ['a join, and a mandatory row', '- one\n- two\n', '- one two\n', '- one\n- ! two\n', '- ! one two\n'],
  ['a join, and a tick of both rows', '- one\n- two\n', '- one two\n', '+ one\n+ two\n', '+ one two\n'],
  [
    'a split, and something typed into the words on both sides of it',
    '- one two three four\n',
    '- one two\n- three four five\n',
    '- one newtwo thrnewee four\n',
    '- one newtwo\n- thrnewee four five\n',
  ],
  [
    'a split, with the word behind it replaced, and words added before it',
    '- one two three four\n',
    '- one\n- new three four\n',
    '- more one two three four\n',
    '- more one\n- new three four\n',
  ],
  [
    'rows that were joined one after the other by both, and a split of the first',
    '- a1 a2 a3\n- b1 b2\n- c1 c2\n- d1 d2\n',
    '- a1\n- a2 a3\n- b1 b2 c1 c2\n- d1 d2\n',
    '- a1 a2 a3 b1 b2\n- c1 c2 d1 d2\n',
    '- a1\n- a2 a3 b1 b2 c1 c2 d1 d2\n',
  ],
  [
    'a join whose words were typed into, and words added to the joined row',
    '- one two three four\n- five two six four\n',
    '- one twonew three four morefive two sixth four\n',
    '- one two three four\n- five two six four seven\n',
    '- one twonew three four morefive two sixth four seven\n',
  ],
  ['the same split by both', '- one two\n', '- one\n- two new\n', '- more one\n- two\n', '- more one\n- two new\n'],
])('%s, in either order of saving', (_, base, mine, theirs, expected) => {
  expect(merged(base, mine, theirs)).toEqual({ text: expected, conflicts: 0 });
  expect(merged(base, theirs, mine)).toEqual({ text: expected, conflicts: 0 });
});

const ids = (base: string, mine: string, theirs: string) => ({
  base: base.split(' '),
  mine: mine.split(' '),
  theirs: theirs.split(' '),
});

test('parts of a split row that were moved apart meet the words that another user added', () => {
  const base = '- one two three\n- four\n';
  const mine = '- two three\n- four\n- one\n';
  const theirs = '- one two three five\n- four\n';
  const known = ids('a b', 'a b c', 'a b');
  expect(merge(base, mine, theirs, undefined, known).text).toBe('- two three five\n- four\n- one\n');
});

test('two users who join two rows into each other have one row', () => {
  const base = '- one\n- two\n';
  const mine = '- one two new\n';
  const theirs = '- more one two\n';
  expect(merge(base, mine, theirs, undefined, ids('a b', 'a', 'b')).text).toBe('- more one two new\n');
});

test('a row is joined with one that another user deletes, while its words change', () => {
  const base = '- one two\n- three four\n';
  const mine = '- one two three four\n';
  const theirs = '- three four five\n';
  const known = ids('a b', 'a', 'b');
  expect(merge(base, mine, theirs, undefined, known).text).toBe('- three four five\n');
});

test('a conflict says what each of the joined rows was before, and each part of a split row', () => {
  const base = '- one two three\n- four five six\n';
  const joined = '- one two three four NEW six\n';
  const changed = '- one two three\n- four OTHER six\n';
  const value = (index: number, of: string, value: string) => ({ index, of, attribute: 'text', value });
  expect(merge(base, joined, changed, undefined, ids('a b', 'a', 'a b')).conflicts).toMatchObject([
    {
      mine: 'one two three four NEW six',
      before: [value(0, 'base', 'one two three'), value(1, 'base', 'four five six')],
    },
  ]);
  const whole = '- one two three\n';
  expect(merge(whole, '- one two NEW\n', '- one two\n- OTHER three\n', undefined, ids('a', 'a', 'a b'))).toMatchObject({
    text: expect.stringContaining('NEW'),
  });
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

test.each([
  [
    'a reworded row and a new one have words of a deleted row',
    ['- Check lamp 1', '- Check lamp 2', '- Check door 3', '- Check door 4'],
    ['- Check lamp 1', '- Check door 3', '- Check lamp 4', '- Check wall 5'],
    ['- Check lamp 1', '+ Check lamp 2', '- Check door 3', '- Check door 4'],
    ['- Check lamp 1', '+ Check lamp 2', '- Check door 3', '- Check lamp 4', '- Check wall 5'],
  ],
  [
    'another row gets the assignee of a deleted row',
    ['- Check lamp', '- Check door', '- Check roof [~accountid:5b10a2844c20165700ede21b]'],
    ['- Check lamp [~accountid:5b10a2844c20165700ede21b]', '- Check door'],
    ['- Check lamp', '- Check door', '+ Check roof [~accountid:5b10a2844c20165700ede21b]'],
    [
      '- Check lamp [~accountid:5b10a2844c20165700ede21b]',
      '- Check door',
      '+ Check roof [~accountid:5b10a2844c20165700ede21b]',
    ],
  ],
])('a row is not joined when %s', (_, base, mine, theirs, expected) => {
  const lines = (all: readonly string[]) => `${all.join('\n')}\n`;
  expect(merged(lines(base), lines(mine), lines(theirs)).text).toBe(lines(expected));
});

test('a split with a word replaced in its first part and one added to its rest is still a split', () => {
  const split = '- new two\n- three four five\n';
  expect(merged('- one two three four\n', '- one two three four six\n', split)).toEqual({
    text: '- new two\n- three four six\n',
    conflicts: 1,
  });
});

test('words that a deleted row and new details share by chance do not make it a detail', () => {
  const base = '- Row 1 gamma\n- Row 2 alpha\n';
  const mine = '- Row 2 alpha\n> beta gamma\n- Row 3 alpha\n';
  expect(merged(base, mine, '+ Row 1 gamma\n- Row 2 alpha\n')).toEqual({
    text: `+ Row 1 gamma\n${mine}`,
    conflicts: 0,
  });
});

test.each([
  ['at the end of its first part', '- one\n- two\n', '- onenew two\n', '- onenew\n- two\n'],
  ['at the start of its second part', '- one\n- two\n', '- one newtwo\n', '- one\n- newtwo\n'],
])('a word that another user typed into a split row, without a blank, %s', (_, mine, theirs, expected) => {
  expect(merged('- one two\n', mine, theirs)).toEqual({ text: expected, conflicts: 0 });
});

test('details typed below a row that another user joined into details of a new row stay beside it', () => {
  const base = '- one two\n- three\n';
  const mine = '- new\n> words one two\n- three\n';
  const theirs = '- one two\n> typed\n- three\n';
  expect(merge(base, mine, theirs, undefined, ids('a b', 'c b', 'a b'))).toMatchObject({
    text: '- new\n> words one two\n> typed\n- three\n',
    conflicts: [],
  });
});

test('a status that is set on a row which another user joined with the one above is a choice', () => {
  const [base, joined, ticked] = ['- one\n- two\n- three\n', '- one two\n- three\n', '- one\n+ two\n- three\n'];
  const later = merge(base, joined, ticked);
  expect(later.text).toBe('- one two\n- three\n');
  expect(later.conflicts).toMatchObject([{ index: 0, attribute: 'status', mine: 'To Do', theirs: 'Done' }]);
  const earlier = merge(base, ticked, joined);
  expect(earlier.text).toBe('+ one two\n- three\n');
  expect(earlier.conflicts).toMatchObject([{ index: 0, attribute: 'status', mine: 'Done', theirs: 'To Do' }]);
});

test('words added to a row of which one part was joined with the next row', () => {
  const ids = { base: ['1', '2'], mine: ['1', '2'], theirs: ['3', '1'] };
  const split = '- one\n- two three now four five\n';
  const { text } = merge('- one two three\n- four five\n', '- one two three new\n- four five\n', split, undefined, ids);
  expect(text.split('\n').slice(0, 2)).toEqual(['- one', expect.stringMatching(/^- two three .*four five$/)]);
});

test('a row whose id stayed with a part without its words is the row that has them', () => {
  const ids = { base: ['1'], mine: ['1'], theirs: ['1', '2'] };
  const base = '- write the tests\n';
  const split = '- today\n- write the tests\n';
  expect(merge(base, '- write all tests\n', split, undefined, ids)).toMatchObject({
    text: '- today\n- write all tests\n',
    conflicts: [],
  });
});

test('a new row is a part of the row that has all of its words, not of one that another word was typed into', () => {
  const base = '# Part alpha beta tail\n- Row beta kappa tail\n';
  const mine = '# Part alpha beta newtail\n- Row beta kappa\n- tail\n';
  const theirs = '# Part alpha beta tail soon\n- Row beta kappa tail today\n';
  const { text, conflicts } = merge(base, mine, theirs);
  expect(text).toBe('# Part alpha beta newtail\n- Row beta kappa\n- tail today\n');
  expect(conflicts).toMatchObject([{ mine: 'Part alpha beta newtail', theirs: 'Part alpha beta tail soon' }]);
});

test('where both joined a row with another one, a choice has the base of each row that the other side has', () => {
  const base = '- one alpha here\n- two beta there\n- three gamma now\n';
  const mine = '- one mine here\n- two beta there three gamma now\n';
  const theirs = '- one theirs here two beta there\n- three changed now\n';
  const { conflicts } = merge(base, mine, theirs);
  const before = conflicts.flatMap(conflict => conflict.before.map(({ index, value }) => [index, value]));
  expect(before).toContainEqual([1, 'one alpha here two beta there']);
  expect(before).toContainEqual([2, 'three gamma now']);
});

test('a choice in a half of a row that both users split has the half as its base', () => {
  const { conflicts } = merge(
    '- Row beta kappa tail\n',
    '- Row beta\n- kappa other\n',
    '- Row beta\n- newkappa tail\n',
  );
  expect(conflicts).toMatchObject([
    { mine: 'kappa other', theirs: 'newkappa tail', before: [{ of: 'theirs', index: 1, value: 'kappa tail' }] },
  ]);
});

test('a row that is joined with half of its words replaced is a choice, not a second row', () => {
  const { text, conflicts } = merge(
    '- one two\n- Row gamma\n',
    '- one two Row other\n',
    '- one two\n- Row gamma soon\n',
  );
  expect(text).toBe('- one two Row other\n');
  expect(conflicts).toMatchObject([{ attribute: 'text', theirs: 'one two Row gamma soon' }]);
});

test('a choice in rows that were joined while another user deleted one of them has the whole row as its base', () => {
  const base = '# one two\n- three four\n- five six seven\n';
  const mine = '# one two three four\n- five other seven\n';
  const { text, conflicts } = merge(base, mine, '- three four five six seven\n');
  expect(text).toBe('# one two three four five other seven\n');
  const before = [{ of: 'base', value: 'one two three four five six seven' }];
  expect(conflicts).toMatchObject([{ theirs: 'three four five six seven', before }]);
});

test('a row that both left with the same words is not divided by a new row with a word that it lacks', () => {
  const ids = { base: ['1'], mine: ['1'], theirs: ['2', '3', '1'] };
  const theirs = '# Part alpha\n tail today\n- Row gamma new\n';
  expect(merge('- Row gamma tail\n', '- Row gamma new\n', theirs, undefined, ids)).toMatchObject({
    text: theirs,
    conflicts: [],
  });
});
