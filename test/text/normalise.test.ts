import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseItems } from '../../src/text/edits/normalise.ts';
import { ItemsRequired } from '../../src/text/errors.ts';
import { runs } from '../run/seed.ts';
import { anyText } from './arbitrary.ts';

test.each([
  ['a\n\n  b  ', '- a\n- b'],
  ['- a\n+ b\n~ c\n# d\n> e', '- a\n+ b\n~ c\n# d\n> e'],
  ['x a', '- x a'],
  [' >\n> > a\n> b', '- a\n> b'],
  ['\r\n- a\r\nb', '- a\n- b'],
])('%j is entered as %j', (typed, expected) => {
  expect(normaliseItems(typed)).toBe(expected);
});

test('nothing is refused as required', () => {
  for (const nothing of ['', ' \n\t', '>', '> \n >>']) expect(() => normaliseItems(nothing)).toThrow(ItemsRequired);
  expect(() => normaliseItems('')).toThrow('This field is required.');
});

test('normalising twice changes nothing more', () => {
  fc.assert(
    fc.property(anyText, typed => {
      let once: string;
      try {
        once = normaliseItems(typed);
      } catch (error) {
        expect(error).toBeInstanceOf(ItemsRequired);
        return;
      }
      expect(normaliseItems(once)).toBe(once);
    }),
    runs(1000),
  );
});
