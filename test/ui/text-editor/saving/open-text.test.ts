import { expect, test } from 'vitest';
import { contentOf, initialTextOf, openText } from '../../../../src/ui/text-editor/saving/open-text.ts';

const base = { epoch: 'e', seq: 1, text: '- write the tests\n', rows: ['item-aaa'] };

test('a choice in a restored text is sent as undecided where the stored text does not say its ids', () => {
  const draft = { base, text: '- write all the specs\n', rows: ['item-aaa'] };
  const stored = { epoch: 'e', seq: 2, text: '- write the checks\n' };
  const initial = initialTextOf(stored, [draft]);
  expect(initial.conflicts).toHaveLength(1);
  expect(contentOf(openText(initial), stored).undecided).toEqual([
    { index: 0, attribute: 'text', value: 'write the tests' },
  ]);
});

test('words typed into a new row while it was being sent are restored', () => {
  const rows = ['item-aaa', 'item-bbb'];
  const sent = { text: '- write the tests\n- new\n', rows };
  const draft = { base, text: '- write the tests\n- new words\n', rows, sent };
  const stored = { epoch: 'e', seq: 2, ...sent, text: '+ write the tests\n- new\n' };
  expect(initialTextOf(stored, [draft])).toMatchObject({
    text: '+ write the tests\n- new words\n',
    conflicts: [],
  });
});

test('a row that was reworded and sent stands once where another user moved it, also without its id', () => {
  const start = { ...base, text: '# all the things\n- write the tests\n', rows: ['', ''] };
  const left = { text: '# all the things\n- write longer tests\n', rows: ['', ''] };
  const stored = { epoch: 'e', seq: 3, text: '- write longer tests today\n# all the things\n' };
  const initial = initialTextOf(stored, [{ base: start, ...left, sent: left }]);
  expect(initial).toMatchObject({ text: stored.text, conflicts: [] });
});

test('rows that were joined and sent stay joined once, with what both typed since', () => {
  const start = { ...base, text: '- write tests\n- for all rows\n', rows: ['item-aaa', 'item-bbb'] };
  const sent = { text: '- write tests for all rows\n', rows: ['item-aaa'] };
  const left = { text: '- write good tests for all rows\n', rows: ['item-aaa'] };
  const stored = { epoch: 'e', seq: 3, text: '- write tests today for all rows\n', rows: ['item-aaa'] };
  expect(initialTextOf(stored, [{ base: start, ...left, sent }])).toMatchObject({
    text: '- write good tests today for all rows\n',
    conflicts: [],
  });
});

test('a row that was sent, and then joined, stands once where others changed more of the stored text', () => {
  const start = { ...base, text: '- one\n- two three four five\n', rows: ['item-aaa', 'item-bbb'] };
  const sent = { text: '- one\n- new\n', rows: ['item-aaa', 'item-ccc'] };
  const left = { text: '- one new\n', rows: ['item-aaa'] };
  const rows = ['item-aaa', 'item-ccc', 'item-bbb'];
  const stored = { epoch: 'e', seq: 3, text: '- one\n- new\n- two three four five six\n', rows };
  expect(initialTextOf(stored, [{ base: start, ...left, sent }])).toMatchObject({
    text: '- one new\n- two three four five six\n',
    conflicts: [],
  });
});
