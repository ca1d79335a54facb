import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge } from '../../src/text/merge.ts';
import { runs } from '../run/seed.ts';

test.each([
  ['two notes', '- a\n> one\n', '- a\n> one\n> mine\n', '- a\n> one\n> theirs\n', '- a\n> one\n> theirs\n> mine\n'],
  ['first notes', '- a\n', '- a\n> mine\n', '- a\n> theirs\n', '- a\n> theirs\n> mine\n'],
  [
    'a note that one side has with more words',
    '- a\n',
    '- a\n> call the shop\n',
    '- a\n> call the new shop\n',
    '- a\n> call the new shop\n',
  ],
  ['one note that both wrote', '- a\n', '- a\n> x\n> mine\n', '- a\n> x\n', '- a\n> x\n> mine\n'],
  ['a note and a deletion', '- a\n> one\n> two\n', '- a\n> one\n> two\n> new\n', '- a\n> two\n', '- a\n> two\n> new\n'],
  ['a note and a rewording', '- a\n> one\n', '- a\n> one\n> new\n', '- a\n> first\n', '- a\n> first\n> new\n'],
  [
    'rewordings of two lines',
    '- a\n> b\n> c\n> d\n',
    '- a\n> B\n> c\n> d\n',
    '- a\n> b\n> c\n> D\n',
    '- a\n> B\n> c\n> D\n',
  ],
  ['deletions of neighbours', '- a\n> b\n> c\n', '- a\n> c\n', '- a\n> b\n', '- a\n'],
  ['a deletion, and a rewording of the neighbour', '- a\n> b\n> c\n', '- a\n> c\n', '- a\n> b\n> C\n', '- a\n> C\n'],
  ['a rewording, and a deletion of the neighbour', '- a\n> b\n> c\n', '- a\n> b\n> C\n', '- a\n> c\n', '- a\n> C\n'],
  ['rewordings of neighbours', '- a\n> b\n> c\n', '- a\n> B\n> c\n', '- a\n> b\n> C\n', '- a\n> B\n> C\n'],
])('%s: both are kept', (_, base, mine, theirs, expected) => {
  expect(merge(base, mine, theirs)).toMatchObject({ text: expected, conflicts: [] });
});

test('no line that one side added to details is dropped unless it is in a conflict', () => {
  const lines = fc.array(fc.constantFrom('> a', '> b', '> c', '> d'), { maxLength: 5 });
  fc.assert(
    fc.property(lines, lines, lines, (base, mine, theirs) => {
      const text = (details: readonly string[], own: string) =>
        ['- x', ...details.map(line => line + own), ''].join('\n');
      const plain = text(base, '');
      const own = ['- x', ...mine, '> mine', ''].join('\n');
      const other = ['- x', ...theirs, '> theirs', ''].join('\n');
      const { text: merged, conflicts } = merge(plain, own, other);
      const shown = [merged, ...conflicts.map(({ theirs: value }) => value)].join('\n');
      expect(shown).toContain('> mine');
      expect(shown).toContain('> theirs');
    }),
    runs(3000),
  );
});

test.each([
  ['- a\n', '- a\n- x\n- y\n', '- a\n- y\n- x\n', '- a\n- y\n- x\n'],
  ['- a\n', '- a\n- x\n- z\n- y\n', '- a\n- y\n- x\n', '- a\n- y\n- x\n- z\n'],
  ['', '- x\n- y\n- x\n', '- x\n- x\n- y\n', '- x\n- x\n- y\n'],
])('rows that both added in another order stand once: %j, %j and %j', (base, mine, theirs, expected) => {
  const rows = (text: string) => text.split('\n').sort().join('\n');
  expect(rows(merge(base, mine, theirs).text)).toBe(rows(expected));
});

test.each([
  ['- recieve mail', '- receive mail', '- receive mail today', '- receive mail today'],
  ['- recieve mail', '- receive mail today', '- receive mail', '- receive mail today'],
])('a fix that both made and a word of one: %j', (base, mine, theirs, expected) => {
  expect(merge(base, mine, theirs)).toMatchObject({ text: expected, conflicts: [] });
});

test('a word that each side replaced by its own is a choice beside a fix that both made', () => {
  const { conflicts } = merge('- recieve red mail now', '- receive blue mail now', '- receive red mail later');
  expect(conflicts).toMatchObject([{ attribute: 'text' }]);
});

test.each([
  ['of a row that another user ticked', '- a\n- new\n> note\n', '- a\n> note\n', '- a\n+ new\n> note\n'],
  ['beside a note of another user', '- a\n- new\n> note\n', '- a\n> note\n', '- a\n- new\n> note\n> more\n'],
])('a detail that went to another row as its row was deleted stands once: %s', (_, base, mine, theirs) => {
  for (const { text } of [merge(base, mine, theirs), merge(base, theirs, mine)]) {
    expect(text.match(/> note/g)).toHaveLength(1);
    expect(text).toMatch(/^- a\n> note\n[-+] new\n/);
    expect(text.includes('> more')).toBe(theirs.includes('> more'));
  }
});

test('a choice about a row that became a detail of a new row says what the row was before', () => {
  const base = '# part\n- write all the tests\n';
  const mine = '# part\n- new\n> write all OUR tests\n';
  const { conflicts } = merge(base, mine, '# part\n- write all the tests today\n');
  expect(conflicts.flatMap(({ before }) => before)).toContainEqual(
    expect.objectContaining({ index: 1, attribute: 'text', value: 'write all the tests' }),
  );
});

test.each([
  ['the row above', '- a\n- new\n> note\n', '- a\n> note\n'],
  ['a new row in its place', '- a\n- new\n> note\n', '- a\n- other\n> note\n'],
])('a detail that went to %s as its row was deleted takes the words of others along', (_, base, mine) => {
  const theirs = base.replace('note', 'note today');
  for (const merged of [merge(base, mine, theirs), merge(base, theirs, mine)]) {
    expect(merged.text).toBe(mine.replace('note', 'note today'));
    expect(merged.conflicts).toEqual([]);
  }
});

test('details that went to a new row in the place of a deleted one do not stay with that row, which others changed', () => {
  const base = '- a\n- new\n> note\n';
  const { text } = merge(base, '- a\n- other\n> note\n', '- a\n- new\n> note\n> more\n');
  expect(text.match(/> note/g)).toHaveLength(1);
  expect(text).toContain('- new\n> more\n');
});

test('a detail that one side made a row of its own, and the other one reworded, is that row', () => {
  const base = '# part\n> write the tests\n> more\n- last\n';
  const mine = base.replace('the tests', 'all tests today');
  const theirs = '# part\n> more\n- write the tests\n- last\n';
  for (const merged of [merge(base, mine, theirs), merge(base, theirs, mine)]) {
    expect(merged.text).toBe('# part\n> more\n- write all tests today\n- last\n');
    expect(merged.conflicts).toEqual([]);
  }
});

test('details that went far from a deleted row are not there twice if others have changed that row', () => {
  const [base, mine] = ['- a\n- b\n- gone\n> note\n', '- a\n> note\n- b\n'];
  const { text } = merge(base, mine, '- a\n- b\n- gone today\n> note\n');
  expect(text).toBe('- a\n> note\n- b\n- gone today\n');
});
