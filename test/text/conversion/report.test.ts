import { expect, test } from 'vitest';
import { lossLines, shortened } from '../../../src/text/convert/report.ts';
import { convertWhole } from '../../../src/text/convert/whole-text.ts';
import { convert } from '../../../src/text/convert.ts';

const loss = (what: string, text: string) => ({ what, line: 1, text });

test('a report says each kind once, with how often and what, in few words', () => {
  expect(
    lossLines([loss('A.', 'one'), loss('B.', ''), loss('A.', 'two\nlines'), loss('A.', 'x'), loss('A.', 'y')]),
  ).toEqual(['A. (4 times) “one”, “two lines”, “x” and 1 more', 'B.']);
  expect(lossLines(['A.', 'B.', 'C.', 'D.', 'E.', 'F.'].map(what => loss(what, '')))).toEqual([
    'A.',
    'B.',
    'C.',
    'D.',
    'And 2 more.',
  ]);
});

test('a shortened text has no half characters', () => {
  expect(shortened('a🎉b', 2)).toBe('a…');
  expect(shortened('a🎉b', 4)).toBe('a🎉b');
});

test('a half emoji in a short text is reported, and does not make it binary', () => {
  expect(convertWhole('- a\uD83D', 'auto')).toEqual({ ...convert('- a\uD83D', 'auto'), text: '- a\uFFFD' });
  expect(convertWhole('\uFFFD', 'auto')).toMatchObject({ text: '- \uFFFD' });
  expect(convert('- a', 'auto').lost).toEqual([]);
});
