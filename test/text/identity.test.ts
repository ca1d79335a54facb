import { expect, test } from 'vitest';
import { carry, changedRows } from '../../src/text/identity.ts';
import { mergeRows } from '../../src/text/merge-rows.ts';
import { readChecklist } from '../../src/text/read.ts';

const base = { text: '- a\n', rows: ['item-aaa'] };
const rows = ['item-aaa', 'item-bbb'];
const merged = (mine: string, theirs: string, ...earlier: string[]) => {
  const versions = earlier.map(text => ({ text, rows }));
  return mergeRows(base, { text: mine, rows }, { text: theirs, rows }, versions, text => readChecklist(text));
};

test('a row that both sides have keeps the words of both where no earlier text has it', () => {
  const { text, conflicts } = merged('- a\n- please write tests\n', '- a\n- write tests today\n');
  expect(text).toBe('- a\n- please write tests today\n');
  expect(conflicts).toEqual([]);
});

test('it shows a choice where both say something else at one place', () => {
  const { text, conflicts } = merged('- a\n- write tests now\n', '- a\n- write tests today\n');
  expect(text).toBe('- a\n- write tests now\n');
  expect(conflicts).toMatchObject([{ attribute: 'text', mine: 'write tests now', theirs: 'write tests today' }]);
});

test('a row that was brought back keeps words that its author has not seen, rather than words that both took away', () => {
  const newest = '- a\n- review new tests today\n';
  const { text, conflicts } = merged('- a\n- review new tests\n', newest, newest, '- a\n- review old tests\n');
  expect(text).toBe(newest);
  expect(conflicts).toEqual([]);
});

test('a deleted row that both added again keeps details that one of them has not seen', () => {
  const newest = '- a\n- write tests\n> soon\n';
  const { text, conflicts } = merged('- a\n- write tests today\n', newest, newest, '- a\n- write tests\n');
  expect(text).toBe('- a\n- write tests today\n> soon\n');
  expect(conflicts).toEqual([]);
});

test('words that its author took away from it stay away', () => {
  const before = '- a\n- please write tests\n> soon\n';
  const { text } = merged('- a\n- write tests today\n> soon\n', before, before);
  expect(text).toBe('- a\n- write tests today\n> soon\n');
});

test('words of a row that its user deleted and restored stay beside those of a user who had not seen them', () => {
  const [first, second] = ['- a\n- write tests\n', '- a\n- write tests soon\n'];
  const { text, conflicts } = merged(
    second,
    '- a\n- please write tests\n',
    '- a\n- please write tests\n',
    second,
    first,
  );
  expect(text).toBe('- a\n- please write tests soon\n');
  expect(conflicts).toEqual([]);
});

test('a row of one word is found though a split gave its id to the other part', () => {
  const identified = (text: string, ...rows: readonly string[]) => ({ text, rows });
  const start = identified('- one\n- two three four\n', 'item-aaa', '?1');
  const mine = identified('- one\n- new three four\n', 'item-aaa', '?1');
  const theirs = identified('- one\n- two more three four\n', 'item-bbb', 'item-aaa');
  const { text, conflicts } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect(text).toBe(mine.text);
  expect(conflicts).toMatchObject([{ mine: 'new three four', theirs: 'two more three four' }]);
});

test('a conflict names the rows that mine joined as theirs has them where the base does not say their ids', () => {
  const start = { text: '- one\n- two three\n', rows: ['', ''] };
  const theirs = { text: '- one\n- new three\n', rows: ['?1', '?2'] };
  const { conflicts } = mergeRows(start, { text: '- one twofour three\n', rows: [''] }, theirs, [], each =>
    readChecklist(each),
  );
  expect(conflicts.flatMap(({ before }) => before)).toEqual([
    { attribute: 'text', value: 'one', rowId: '?1' },
    { attribute: 'text', value: 'two three', rowId: '?2' },
  ]);
});

test('a row that was brought back as it was before takes the words of who has reworded it since', () => {
  const earlier = [
    { text: '- write the docs\n', rows: ['1'] },
    { text: '- write the tests\n', rows: ['1'] },
  ];
  const mine = { text: '- write the tests\n', rows: ['1'] };
  const theirs = { text: '+ write the docs\n', rows: ['1'] };
  const { text, conflicts } = mergeRows({ text: '', rows: [] }, mine, theirs, earlier, each => readChecklist(each));
  expect([text, conflicts]).toEqual(['+ write the docs\n', []]);
});

test('a detail that the author of a row that comes back never saw stays', () => {
  const earlier = [
    { text: '- write all tests\n> theirs\n> mine\n', rows: ['1'] },
    { text: '- write all tests\n> theirs\n', rows: ['1'] },
    { text: '- write tests right now\n', rows: ['1'] },
  ];
  const mine = { text: '- write new tests\n> mine\n', rows: ['1'] };
  const theirs = { text: '- write all tests\n> theirs\n> mine\n', rows: ['1'] };
  const { text } = mergeRows({ text: '', rows: [] }, mine, theirs, earlier, each => readChecklist(each));
  expect(text).toBe('- write new tests\n> theirs\n> mine\n');
});

test('the parts of a split row have its id where the new part is known by its own', () => {
  const before = { text: '- write the tests today\n', rows: ['item-aaa'] };
  const reader = { read: (each: string) => readChecklist(each), newId: () => 'new' };
  expect(carry(before, '- write\n- the specs today\n', [], reader, ['item-bbb', ''])).toEqual(['new', 'item-aaa']);
});

test('a row that another one was added below is no changed one', () => {
  const before = { text: '- other row', rows: ['item-aaa'] };
  const version = { text: '- other row\n- own', rows: ['item-aaa', 'item-bbb'] };
  expect(changedRows(version, before, each => readChecklist(each)).rows).toEqual(['', 'item-bbb']);
});

test('a row that its user deleted and restored keeps words that another user wrote into it meanwhile', () => {
  const before = '- a\n- write all tests\n';
  // The other user's words came in with the user's own tick, before the deletion was sent.
  const { text } = merged(before, '- a\n+ write DOCS\n', '- a\n+ write DOCS\n', before);
  expect(text).toBe('- a\n+ write DOCS\n');
});

test('a row that was joined with one that others deleted is itself, so that the deleted one can come back', () => {
  const start = { text: '- order paper\n- call the customer\n', rows: ['item-aaa', 'item-bbb'] };
  const mine = { text: '- order paper call the customer\n', rows: ['item-aaa'] };
  const theirs = { text: '- call the customer today\n', rows: ['item-bbb'] };
  const { text, rows, origins } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect([text, rows]).toEqual(['- call the customer today\n', ['item-bbb']]);
  expect(origins).toEqual([{ base: 1, mine: 0, theirs: 0 }]);
});

test('a row whose words mine has in a new part keeps its id, and the part that mine knows by it has none', () => {
  const start = { text: '- bread\n- milk\n', rows: ['item-aaa', 'item-bbb'] };
  const mine = { text: '- bread\n- buy the following\n- milk\n', rows: ['item-aaa', 'item-bbb', 'item-ccc'] };
  const theirs = { text: '- bread today\n- milk\n', rows: ['item-aaa', 'item-bbb'] };
  const { text, rows } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect(text).toBe('- bread today\n- buy the following\n- milk\n');
  expect(rows).toEqual(['item-aaa', '', 'item-bbb']);
});

test('a choice of details that both made of one row has them as its base', () => {
  const start = { text: '- order paper\n- call the customer\n', rows: ['item-aaa', 'item-bbb'] };
  const mine = { text: '- order paper\n> call the client\n', rows: ['item-aaa'] };
  const theirs = { text: '- order paper\n> call the buyer\n', rows: ['item-aaa'] };
  const { conflicts } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect(conflicts).toMatchObject([{ attribute: 'details', mine: '> call the client', theirs: '> call the buyer' }]);
  expect(conflicts[0]?.before).toContainEqual({
    attribute: 'details',
    value: '> call the customer',
    rowId: 'item-aaa',
  });
});

test('a row whose id went to a new row above its words takes the words of others as a detail', () => {
  const start = { text: '- order paper\n- call the customer\n', rows: ['item-aaa', 'item-bbb'] };
  const mine = { text: '- order paper\n- call the new customer\n', rows: ['item-aaa', 'item-bbb'] };
  const theirs = { text: '- order paper\n- write\n> call the customer\n', rows: ['item-aaa', 'item-bbb'] };
  const { text, conflicts } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect([text, conflicts]).toEqual(['- order paper\n- write\n> call the new customer\n', []]);
});

test('words that others change in a row that became a detail stay apart from those that were joined with it', () => {
  const start = { text: '- one\n- two three\n- four five\n', rows: ['item-aaa', 'item-bbb', 'item-ccc'] };
  const mine = { text: '- one\n> two three four five\n', rows: ['item-aaa'] };
  const theirs = { text: '- one\n- two more\n- four five\n', rows: ['item-aaa', 'item-bbb', 'item-ccc'] };
  const { text } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect(text).toBe('- one\n> two more four five\n');
});

test('a deleted row of another number was not joined with a row that gained one of its words', () => {
  const ids = ['item-aaa', 'item-bbb', 'item-ccc'];
  const start = { text: '- Row 60002 beta\n- Row 30003 epsilon\n- Row 5 zeta\n', rows: ids };
  const mine = { text: '- Row 60002 beta\n- ! Row 30003 epsilon\n- Row 5 zeta\n', rows: ids };
  const theirs = {
    text: '+ Row 60002 epsilon\n- Row 7 eta\n- Row 5 zeta\n',
    rows: ['item-aaa', 'item-ddd', 'item-ccc'],
  };
  const { text } = mergeRows(start, mine, theirs, [], each => readChecklist(each));
  expect(text.split('\n')).toEqual(expect.arrayContaining(['+ Row 60002 epsilon', '- ! Row 30003 epsilon']));
});
