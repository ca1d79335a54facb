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
