import { expect, test } from 'vitest';
import { readChecklist } from '../../../../src/text/read.ts';
import type { Checklist } from '../../../../src/text/types.ts';
import { keyRows, unkeyedRows } from '../../../../src/ui/model/rows/row-keys.ts';

/** Returns the row keys of each text, for texts read one after the other. */
function keysOf(...texts: string[]): (readonly number[])[] {
  let reading: Checklist | undefined;
  let state = unkeyedRows;
  return texts.map(text => {
    reading = readChecklist(text, undefined, reading);
    state = keyRows(state, reading.rows);
    return state.keys;
  });
}

test('a ticked row keeps its key', () => {
  expect(keysOf('- a\n- b\n- c\n', '- a\n+ b\n- c\n')).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
});

test('rows around a deleted one keep theirs', () => {
  expect(keysOf('- a\n- b\n- c\n', '- a\n- c\n')).toEqual([
    [0, 1, 2],
    [0, 2],
  ]);
});

test('a new row gets a new key, even where one was deleted before', () => {
  expect(keysOf('- a\n- b\n', '- a\n', '- a\n- b\n')).toEqual([[0, 1], [0], [0, 2]]);
});

test('a reworded row keeps its key', () => {
  expect(keysOf('- a\n- b\n', '- a\n- better\n')).toEqual([
    [0, 1],
    [0, 1],
  ]);
});

test('a moved row keeps its key', () => {
  expect(keysOf('- a\n- b\n- c\n', '- c\n- a\n- b\n')[1]).toEqual([2, 0, 1]);
});

test('equal rows have distinct keys', () => {
  const [keys] = keysOf('- a\n- a\n- a\n');
  expect(new Set(keys).size).toBe(3);
});
