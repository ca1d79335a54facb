import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packEmoji } from '../../src/text/emoji/pack.ts';
import { emojiTable, loadEmoji } from '../../src/text/emoji.ts';
import { inlineOf } from '../../src/text/inline.ts';
import { readChecklist } from '../../src/text/read.ts';

const table = await loadEmoji();

test.each([
  ['tada', '🎉'],
  ['+1', '👍'],
  ['white_check_mark', '✅'],
  ['flag-us', '🇺🇸'],
  // Of the second preset alone.
  ['slight_smile', '🙂'],
  ['thinking', '🤔'],
  ['check_mark', '✔'],
  ['facepalm', '🤦'],
])('%s is %s', (code, glyph) => {
  // The data asks for the coloured look of what has two; which is not what is tested.
  expect(table.glyph(code)?.replace('\uFE0F', '')).toBe(glyph);
});

test('letters of either case name the same, unknown names nothing', () => {
  expect(table.glyph('TADA')).toBe('🎉');
  expect(table.glyph('no_such_emoji')).toBeUndefined();
  expect(table.glyph('')).toBeUndefined();
  expect(table.glyph('constructor')).toBeUndefined();
});

const found = (query: string, limit?: number) => table.search(query, limit).map(({ code }) => code);

test('the best match comes first', () => {
  expect(found('tada')[0]).toBe('tada');
  expect(found('smi')[0]).toBe('smile');
  expect(found('thumbs').slice(0, 2)).toEqual(['thumbsup', 'thumbsdown']);
  expect(found('Rocket')[0]).toBe('rocket');
});

test('a word about an emoji finds it under its first name', () => {
  expect(found('celebrat')).toContain('tada');
  expect(table.search('celebrat').every(({ glyph, code }) => table.glyph(code) === glyph)).toBe(true);
});

test('nothing is found by nothing, by blanks or by what no name has', () => {
  expect(table.search('')).toEqual([]);
  expect(table.search(' ')).toEqual([]);
  expect(table.search('qqqqq')).toEqual([]);
  expect(table.search('smile', 3)).toHaveLength(3);
});

test('whatever is found stands for its glyph and is read as an emoji', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_+-]{1,4}$/), query => {
      for (const { glyph, code } of table.search(query, 20)) {
        expect(table.glyph(code)).toBe(glyph);
        const [segment] = inlineOf(readChecklist(`- :${code}:`), 0);
        expect(segment).toMatchObject({ type: 'emoji', value: code });
      }
    }),
  );
});

test('of two emoji with one code the first preset decides, and what no text can write is left out', () => {
  const packed = packEmoji(
    [
      { hexcode: '2', unicode: '②', order: 2, tags: ['two', 'a b', 'second'] },
      { hexcode: '1', unicode: '①', order: 1 },
      { hexcode: '3', unicode: '③' },
    ],
    [{ 2: 'same' }, { 1: ['same', 'one', 'ñ'], 2: ['second', 'same'] }],
  );
  expect(packed).toBe('① one\n② same second|two');
  expect(emojiTable(packed).glyph('same')).toBe('②');
});
