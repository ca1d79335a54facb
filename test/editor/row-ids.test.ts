import { expect, test } from 'vitest';
import { rowIdsOf, setRowIds } from '../../src/editor/row-ids.ts';
import { stateOf } from './fixture.ts';

const ids = ['item-aaa', 'item-bbb', 'item-ccc'];

test('a row that goes back to its place without its last words is the same row', () => {
  const moved = stateOf('- a\n- b\n- write the tests today|\n').update({ effects: setRowIds.of(ids) }).state;
  const back = moved.update({
    changes: [
      { from: 0, insert: '- write the tests\n' },
      { from: 8, to: 32 },
    ],
  }).state;
  expect(back.doc.toString()).toBe('- write the tests\n- a\n- b\n');
  expect(rowIdsOf(back)).toEqual(['item-ccc', 'item-aaa', 'item-bbb']);
});
