import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashText } from '../../../src/server/text-workers/hash.ts';
import { hashText as everywhere } from '../../../src/text/document.ts';
import { anyCharacter } from '../../run/any-character.ts';

test('hashes any text as the browser does', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async text => {
      expect(hashText(text)).toBe(await everywhere(text));
      // Lone surrogates, too.
      expect(hashText(text.slice(1))).toBe(await everywhere(text.slice(1)));
    }),
  ));
