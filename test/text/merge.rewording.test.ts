import { expect, test } from 'vitest';
import { positionsInRewording, rewordingChanges } from '../../src/text/merge/rewording.ts';

test.each([
  ['an equal word of one letter', 'Buy a red car', 'Buy apples and a blue car', 'Buy a', 'Buy apples and a'],
  ['an equal number', 'Take 1 pill', 'Take 10 drops and 1 pill', 'Take 1', 'Take 10 drops and 1'],
  ['a word that was typed into', 'write tests now', 'write unittests now', 'write tests', 'write unittests'],
])('the cursor stays behind %s', (_, before, after, above, aboveAfter) => {
  expect(after.slice(0, positionsInRewording(before, after)(above.length))).toBe(aboveAfter);
});

test.each([
  ['from its end', 'Test onetwo three', 'Test one and two'],
  ['from its start', 'Test onetwo', 'Test one more thing andtwo'],
])('the parts of a word that was divided stay where they are %s', (_, before, after) => {
  const deleted = rewordingChanges(before, after).map(({ from, to = from }) => before.slice(from, to));
  expect(deleted.filter(text => text !== '' && 'onetwo'.includes(text))).toEqual([]);
});
