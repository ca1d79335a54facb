import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge } from '../../src/text/merge.ts';
import { runs } from '../run/seed.ts';
import { statuses } from './arbitrary.ts';

const merged = (base: string, mine: string, theirs: string) => merge(base, mine, theirs, statuses).text;

const sorted = (lines: readonly string[]) => [...lines].sort((a, b) => a.localeCompare(b));

const list = '# A\n- one\n- two\n- three\n';

test.each([
  ['two ticks', list, '# A\n+ one\n- two\n- three\n', '# A\n- one\n- two\n+ three\n', '# A\n+ one\n- two\n+ three\n'],
  ['a tick and a rewording', '- Write tests', '- Write more tests', '+ Write tests', '+ Write more tests'],
  [
    'a rewording and a custom status',
    '- Write tests',
    '- [ON HOLD] Write tests',
    '- Write all tests',
    '- [ON HOLD] Write all tests',
  ],
  [
    'a deletion and a person taken away and set again, behind the day now',
    '- Ship it [~accountid:a] 2026-11-20\n- Rest',
    '- Rest',
    '- Ship it 2026-11-20 [~accountid:a]\n- Rest',
    '- Rest',
  ],
  [
    'a deletion and another person',
    '- Ship it [~accountid:a] 2026-11-20\n- Rest',
    '- Rest',
    '- Ship it 2026-11-20 [~accountid:b]\n- Rest',
    '- Ship it 2026-11-20 [~accountid:b]\n- Rest',
  ],
  [
    'a deletion and marks in another order',
    '# Ship !before:Done !customers\n- Rest',
    '- Rest',
    '# Ship !customers !before:Done\n- Rest',
    '- Rest',
  ],
  ['a status and mandatory', '- a', '- [ON HOLD] a', '- ! a', '- [ON HOLD] ! a'],
  [
    'an assignment and a due date',
    '- Ship it',
    '- Ship it [~accountid:a]',
    '- Ship it 2026-11-20',
    '- Ship it [~accountid:a] 2026-11-20',
  ],
  [
    'a rewording and an assignment',
    '- Ship it',
    '- Ship it now',
    '- Ship it [~accountid:a]',
    '- Ship it now [~accountid:a]',
  ],
  [
    'words added at different places of one row',
    '- Write the tests',
    '- Write all the tests [~accountid:x]',
    '+ Write the tests, then ship',
    '+ Write all the tests, then ship [~accountid:x]',
  ],
  [
    'a sign and a word',
    '- Write tests; ship',
    '- Then write tests; ship',
    '- Write tests; ship.',
    '- Then write tests; ship.',
  ],
  [
    'words before and behind one that stays',
    '- Write tests',
    '- Write unit tests',
    '- Write tests today',
    '- Write unit tests today',
  ],
  [
    'a rewording and words added behind what it left',
    '- Fix the logn bug on Safari',
    '- Fix the login bug on Safari',
    '- Fix the logn bug on Safari and Firefox',
    '- Fix the login bug on Safari and Firefox',
  ],
  ['one addition twice and another', '- a b', '- a x b', '- a x b y', '- a x b y'],
  ['characters that are words', '- 今天写测试报告', '- 今天写好测试报告', '- 今天写测试报告吧', '- 今天写好测试报告吧'],
  ['details and a tick', '- a\n- b', '- a\n> why\n- b', '+ a\n- b', '+ a\n> why\n- b'],
  ['additions at one place', '- a\n', '- a\n- mine\n', '- a\n- theirs\n', '- a\n- theirs\n- mine\n'],
  ['equal additions', '- a\n', '- a\n- b\n- c\n', '- a\n- b\n- d\n', '- a\n- b\n- d\n- c\n'],
  ['additions at two places', list, `- top\n${list}`, `${list}- end\n`, `- top\n${list}- end\n`],
  ['an addition without a last line break', '- a', '- a\n- b', '+ a', '+ a\n- b'],
  [
    'a deletion and a tick elsewhere',
    list,
    '# A\n- one\n- three\n',
    '# A\n+ one\n- two\n- three\n',
    '# A\n+ one\n- three\n',
  ],
  [
    'a deletion and a tick of that row',
    list,
    '# A\n- one\n- three\n',
    '# A\n- one\n+ two\n- three\n',
    '# A\n- one\n+ two\n- three\n',
  ],
  [
    'a tick and a deletion of that row',
    list,
    '# A\n- one\n+ two\n- three\n',
    '# A\n- one\n- three\n',
    '# A\n- one\n+ two\n- three\n',
  ],
  ['a deletion and a sorting', '- c\n- b\n- a\n', '- a\n- b\n- c\n', '- c\n- a\n', '- a\n- c\n'],
  [
    'two equal deletions',
    list,
    '# A\n- one\n- three\n',
    '# A\n- one\n- three\n+ new\n',
    '# A\n- one\n- three\n+ new\n',
  ],
  [
    'a move and a tick',
    list,
    '# A\n- three\n- one\n- two\n',
    '# A\n- one\n- two\n+ three\n',
    '# A\n+ three\n- one\n- two\n',
  ],
  [
    'a move and an addition below the moved row',
    '- a\n- b\n- c\n',
    '- c\n- a\n- b\n',
    '- a\n- b\n- c\n- d\n',
    '- c\n- d\n- a\n- b\n',
  ],
  [
    'moves of two rows',
    '- a\n- b\n- c\n- d\n- e\n',
    '- b\n- c\n- d\n- a\n- e\n',
    '- a\n- d\n- b\n- c\n- e\n',
    '- d\n- b\n- c\n- a\n- e\n',
  ],
  [
    'two moves of one row',
    '- a\n- b\n- c\n- d\n- e\n',
    '- b\n- c\n- a\n- d\n- e\n',
    '- b\n- c\n- d\n- e\n- a\n',
    '- b\n- c\n- a\n- d\n- e\n',
  ],
  ['a blank line and a tick', '- a\n- b\n', '- a\n\n- b\n', '- a\n+ b\n', '- a\n\n+ b\n'],
  [
    'a header made of an item and its assignment',
    '- a\n- b\n',
    '## a\n- b\n',
    '- a [~accountid:x]\n- b\n',
    '## a [~accountid:x]\n- b\n',
  ],
  ['an item made of a header and its rewording', '# alpha\n', 'alpha\n', '# - alpha\n', '- - alpha\n'],
  ['a header made of an item and a tick elsewhere', '- a\n- b\n', '# a\n- b\n', '- a\n+ b\n', '# a\n+ b\n'],
])('%s', (_, base, mine, theirs, expected) => {
  expect(merge(base, mine, theirs, statuses)).toMatchObject({ text: expected, conflicts: [] });
});

test('two values for one attribute: mine stands, and both are reported', () => {
  expect(merge('- a', '+ a', '~ a')).toMatchObject({
    text: '+ a',
    conflicts: [{ row: 'a', attribute: 'status', mine: 'Done', theirs: 'In Progress' }],
  });
  expect(merge('- Write tests', '- Write more tests', '+ Write all tests')).toMatchObject({
    text: '+ Write more tests',
    conflicts: [{ row: 'Write more tests', attribute: 'text', mine: 'Write more tests', theirs: 'Write all tests' }],
  });
  expect(merge('- a\n', '## a\n', '+ a\n')).toMatchObject({
    text: '## a\n',
    conflicts: [{ row: 'a', attribute: 'kind', mine: '##', theirs: '+' }],
  });
  expect(merge('- a\n> x', '- a\n> y', '- a\n> z').conflicts).toMatchObject([
    { row: 'a', attribute: 'details', mine: '> y', theirs: '> z' },
  ]);
  expect(merge('- a 2026-01-01', '- a 2026-01-02', '- a 2026-01-03').conflicts).toMatchObject([
    { row: 'a 2026-01-02', attribute: 'dueDate', mine: '2026-01-02', theirs: '2026-01-03' },
  ]);
});

test.each([
  ['words at one place', 'Write tests', 'Write unit tests', 'Write all tests'],
  ['words beside one that the other replaced', 'Write tests', 'Draft tests', 'Write unit tests'],
  ['two replacements', 'Write the tests of today', 'Draft the tests of today', 'Write the tests of Monday'],
  ['a replacement and a word taken away', 'Write all the tests', 'Draft all the tests', 'Write all tests'],
  ['nothing in common', 'Call Eve', 'Ring the bank', 'Call Eve and Bob'],
])('two rewordings are for the users to choose: %s', (_, base, mine, theirs) => {
  expect(
    merge(`- ${base}\n`, `- ${mine}\n`, `- ${theirs}\n`, statuses, { base: ['1'], mine: ['1'], theirs: ['1'] }),
  ).toMatchObject({
    text: `- ${mine}\n`,
    conflicts: [{ row: mine, attribute: 'text', mine, theirs }],
  });
});

test('words that two users add at different places are all there, in order and in either order of saving', () => {
  const word = fc.constantFrom<string>('alpha', 'beta', 'beta', '**gamma**', 'delta,', '(eta)', '日本');
  const added = fc.constantFrom<string>('one', 'two', '**three**', '(four)', '五');
  const sentence = fc.array(word, { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(sentence, fc.nat(), fc.nat(), added, added, (base, a, b, first, second) => {
      const [mine, theirs] = [a % (base.length + 1), b % (base.length + 1)];
      fc.pre(mine < theirs && base.slice(mine, theirs).every(each => /^\p{L}+$/u.test(each)));
      // Between equal words it is undecided at which of them a word was added.
      fc.pre(new Set(base).size === base.length);
      const line = (words: readonly string[]) => `- ${words.join(' ')}`;
      const both = line(base.toSpliced(theirs, 0, second).toSpliced(mine, 0, first));
      const [x, y] = [line(base.toSpliced(mine, 0, first)), line(base.toSpliced(theirs, 0, second))];
      const ids = { base: ['1'], mine: ['1'], theirs: ['1'] };
      expect(merge(line(base), x, y, statuses, ids)).toMatchObject({ text: both, conflicts: [] });
      expect(merge(line(base), y, x, statuses, ids)).toMatchObject({ text: both, conflicts: [] });
    }),
    runs(1000),
  );
});

test('among twenty equal rows both ticks survive', () => {
  const rows = (ticked: readonly number[]) =>
    Array.from({ length: 20 }, (_, i) => (ticked.includes(i) ? '+ same' : '- same')).join('\n');
  expect(merged(rows([]), rows([4]), rows([8]))).toBe(rows([4, 8]));
  expect(merged(rows([]), rows([4, 8]), rows([0, 5, 19]))).toBe(rows([0, 4, 5, 8, 19]));
});

test('among equal rows no tick is lost to a deletion', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.nat(), (count, tick) => {
      const rows = Array.from({ length: count }, () => '- same');
      const ticked = rows.with(tick % count, '+ same').join('\n');
      const shorter = rows.slice(1).join('\n');
      for (const text of [merged(rows.join('\n'), ticked, shorter), merged(rows.join('\n'), shorter, ticked)]) {
        expect(text.split('\n').filter(line => line === '+ same')).toHaveLength(1);
      }
    }),
  );
});

test('a full reordering ticks the rows that were meant', () => {
  const rows = Array.from({ length: 20 }, (_, i) => `- item ${i}`);
  const order = fc.shuffledSubarray(rows, { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(order, fc.subarray(rows), (sorted, meant) => {
      const tick = (lines: readonly string[]) =>
        lines.map(line => (meant.includes(line) ? line.replace('-', '+') : line)).join('\n');
      expect(merged(rows.join('\n'), sorted.join('\n'), tick(rows))).toBe(tick(sorted));
      expect(merged(rows.join('\n'), tick(rows), sorted.join('\n'))).toBe(tick(sorted));
    }),
  );
});

test('a row that replaces another does not get its tick', () => {
  expect(sorted(merged('- Task 3', '- Task 4', '+ Task 3').split('\n'))).toEqual(sorted(['+ Task 3', '- Task 4']));
  expect(sorted(merged('- buy milk', '- call Anna', '+ buy milk').split('\n'))).toEqual(
    sorted(['+ buy milk', '- call Anna']),
  );
});

test('an item that starts with ">" does not become a detail', () => {
  expect(merged('- a\n\n> b\n- c\n', '- a\n> b\n- c\n', '- a\n\n> b\n+ c\n')).toBe('- a\n> b\n+ c\n');
  expect(merged('> b\n- c\n', '- new\n\n> b\n- c\n', '> b\n+ c\n')).toBe('- new\n\n> b\n+ c\n');
});
