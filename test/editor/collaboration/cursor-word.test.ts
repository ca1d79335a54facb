import { expect, test } from 'vitest';
import { cursorAfter } from '../../../src/editor/collaboration/cursor-word.ts';
import { readChecklist } from '../../../src/text/read.ts';

/** The place of a cursor, `|`, after a change of others; character positions have brought it to the second `|`. */
function moved(before: string, after: string, isLineDeleted = false): string {
  const [old, next] = [before, after].map(text => ({ text: text.replace('|', ''), at: text.indexOf('|') }));
  if (!old || !next) throw new Error('There are two texts.');
  const at = cursorAfter(
    readChecklist(old.text),
    { position: old.at, isLineDeleted },
    readChecklist(next.text),
    next.at,
  );
  return `${next.text.slice(0, at)}|${next.text.slice(at)}`;
}

test.each([
  ['behind a word that was moved in its row', '- one two|', '- one| three two', '- one three two|'],
  ['in a word that was moved', '- one t|wo', '- one| three two', '- one three t|wo'],
  ['in front of one', '- one |two', '- one| three two', '- one three |two'],
  ['behind a word that became another row', '- one two| x', '- one| x\n- two', '- one x\n- two|'],
  ['behind the one of two equal words that has the same neighbours', '- a b c| d c', '- a| d c b c', '- a d c b c|'],
])('it stays %s', (_, before, after, expected) => {
  expect(moved(before, after)).toBe(expected);
});

test.each([
  ['behind the words before a word that is gone', '- one two x| end', '|- one two end', '- one two| end'],
  ['in front of those behind it', '- x|y one two', '> one two| three', '> |one two three'],
  ['in its row where the word before it stands twice', '- a b c b x| d\n- e', '- a b| y\n- c', '- a b| y\n- c'],
  [
    'behind the words before it in a line that became a detail',
    '# c\n- a b c x|',
    '# c\n|e\n> a by c',
    '# c\ne\n> a by c|',
  ],
  ['in its row where the one before it was repeated', '- a b c b x| d', '- a b |y d\n- c', '- a b |y d\n- c'],
])('it stays %s', (_, before, after, expected) => {
  expect(moved(before, after)).toBe(expected);
});

test.each([
  ['the word is gone', '- one two|', '- one| three'],
  [
    'the words before it stand in another row as before',
    '- call the client|\n- ask the client',
    '- phone her|\n- ask the client',
  ],
  [
    'the word before one that is gone stands there, too',
    '- ask the client\n- call the client now|',
    '- ask the client\n- phone her|',
  ],
  ['the word stands elsewhere, too', '- one two|\n- two', '- one|\n- two'],
  ['two places are alike', '- a b c|\n- a b c', '- |x\n- a b c\n- a b c'],
  ['it touches no word', '- one  |  two', '- o|ne three two'],
])('it stays where character positions bring it if %s', (_, before, after) => {
  expect(moved(before, after)).toBe(after);
});

test('it does not come to stand in front of a mark', () => {
  expect(moved('word|- one', '|- one')).toBe('- |one');
  expect(moved('|- one', '|- one two')).toBe('|- one two');
  expect(moved('- one|', '|- two', true)).toBe('|- two');
});

test('it stays behind the blank that was typed for the next word where another row is joined on', () => {
  expect(moved('- one |\n- two\n', '- one| two today \n')).toBe('- one two today |\n');
  expect(moved('- one |\n- two\n', '- one |two today\n')).toBe('- one |two today\n');
});
