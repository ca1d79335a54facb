import { expect, test } from 'vitest';
import {
  clearDone,
  deleteRows,
  duplicateAbove,
  duplicateBelow,
  moveDown,
  moveUp,
  sortDone,
} from '../../../src/editor/commands/move.ts';
import { run } from '../fixture.ts';

test.each([
  ['- a\n- b|\n- c', '- b|\n- a\n- c'],
  // Details go along, and a cursor in one stays in it.
  ['- a\n- b\n> no|te\n', '- b\n> no|te\n- a\n'],
  ['- a\n> why\n- b|', '- b|\n- a\n> why'],
  // An item enters the section above, a section passes the whole one above.
  ['# A\n- a\n# B\n- b|\n', '# A\n- a\n- b|\n# B\n'],
  ['# A\n- a\n# B|\n- b\n', '# B|\n- b\n# A\n- a\n'],
  ['# A\n- a\n## A1\n- b\n# B|\n', '# B|\n# A\n- a\n## A1\n- b\n'],
  ['# A\n- x\n# B\n- y\n## C|\n- z\n', '# A\n- x\n## C|\n- z\n# B\n- y\n'],
  ['- a\n- |b\n- c|\n', '- |b\n- c|\n- a\n'],
  ['- a|\n- b', '- a|\n- b'],
  // A section at the top has none to pass, and takes no items over.
  ['- a\n# A|\n', '- a\n# A|\n'],
])('moves up: %j', (before, after) => expect(run(moveUp, before)).toBe(after));

test.each([
  ['- a|\n- b\n- c', '- b\n- a|\n- c'],
  ['- a|\n> why\n- b\n> no\n', '- b\n> no\n- a|\n> why\n'],
  ['# A|\n- a\n# B\n- b\n', '# B\n- b\n# A|\n- a\n'],
  ['# A\n## A1|\n- a\n# B\n- b\n## B1\n', '# A\n# B\n- b\n## A1|\n- a\n## B1\n'],
  ['- a\n- b|', '- a\n- b|'],
  ['> a|\n- b\n', '- b\n- > a|\n'],
])('moves down: %j', (before, after) => expect(run(moveDown, before)).toBe(after));

test.each([
  ['- a|\n> why\n- b', '- a\n> why\n- a|\n> why\n- b'],
  ['- a\n> w|hy', '- a\n> why\n- a\n> w|hy'],
])('duplicates: %j', (before, after) => expect(run(duplicateBelow, before)).toBe(after));

test('or stays at the first', () => {
  expect(run(duplicateAbove, '- a|\n- b')).toBe('- a|\n- a\n- b');
});

test.each([
  ['- a\n- b|\n> why\n- c', '- a\n|- c'],
  ['- a\n> o|ne\n> two', '- a\n|> two'],
  ['- a\n- b|', '- a|'],
  ['- a\n|\n- b', '- a\n|- b'],
  ['- |a\n- b|\n- c', '|- c'],
  ['# A|\n- a\n', '|- a\n'],
  ['|', '|'],
])('deletes: %j', (before, after) => expect(run(deleteRows, before)).toBe(after));

test('sorts and clears what is done', () => {
  expect(run(sortDone, '+ a\n- b|\n')).toBe('- b|\n+ a\n');
  expect(run(clearDone, '+ a\n> why\n- b|\n')).toBe('- b|\n');
});
