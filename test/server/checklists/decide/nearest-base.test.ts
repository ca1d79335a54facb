import { expect, test } from 'vitest';
import { nearestBase } from '../../../../src/server/checklists/decide/nearest-base.ts';

const last = '+ a\n- b\n- c\n- d';
const before = '- a\n- b\n- c';

test.each([
  ['an addition to the last text', '+ a\n- b\n- c\n- d\n- new', last],
  ['an addition to an earlier text', '- a\n- b\n- c\n- new', before],
  ['a tick in an earlier text', '- a\n+ b\n- c', before],
  ['a tick of the only row of an earlier text', '+ [DONE] ! a', '- a', '- a\n- y'],
  ['a deletion from the last text', '- b\n- c\n- d', last],
  ['a tick of an earlier text, or a deletion', '+ a\n- b\n- c', before],
  ['a tick of a row that only an earlier text has', '+ a\n- b\n- c\n- d\n+ e', `${last}\n- e`, last, `${last}\n- e`],
  [
    'a deletion, or additions to an earlier text',
    '- a\n- b\n- d',
    '- a\n- b\n- c\n- d',
    '- a\n- b\n- c\n- d',
    '- a\n- b',
  ],
  ['a text cleared', '', last],
  ['an unrelated text', '- x\n- y', last],
  ['the first row of a text, and a new one', '- a\n- x', last],
])('%s', (_name, text, expected, stood = last, earlier = stood === last ? before : '- a') => {
  expect(nearestBase({ text, last: stood, earlier: [earlier] })).toBe(expected);
});

test.each([
  ['a row that was added', '- one\n- two\n- x', '- one\n- two', '- one', true],
  ['such a row, ticked', '- one\n+ two', '- one\n- two', '- one', true],
  ['nothing of it', '- one', '- one\n- two', '- one', false],
  [
    'one of its rewordings by chance',
    '- one again\n- two\n- three\n- x',
    '- one again\n- two\n- three\n- four\n- five\n- six',
    '- one\n- two\n- three',
    false,
  ],
])('whether a text is based on a write that may have arrived: %s', (_name, text, arrived, before, isSo) => {
  expect(nearestBase({ text, last: before, earlier: [arrived] })).toBe(isSo ? arrived : before);
});
