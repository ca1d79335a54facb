import { expect, test } from 'vitest';
import { losses } from '../../../src/domain/messages.ts';
import { convert, converting, notations } from '../../../src/text/convert.ts';
import { sample } from '../../run/seed.ts';

const bad: readonly (readonly [string, string])[] = [
  ['nested elements', '<div>'.repeat(100_000)],
  ['nested looks', `${'<b>'.repeat(100_000)}x`],
  ['a million quotes', '"'.repeat(1_000_000)],
  ['a row of many cells', `Task,${'a,'.repeat(200_000)}`],
  ['half an emoji, NUL and a lone CR', '- [x] a\uD83D\rb\0c'],
  ['binary', Array.from({ length: 5000 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join('')],
  ['nested lists', `${'- '.repeat(3000)}a`],
  ['nested quotes', `${'> '.repeat(3000)}a`],
  ['open brackets', '['.repeat(30_000)],
  ['nested JSON', `${'[{"items":'.repeat(2000)}1${'}]'.repeat(2000)}`],
  ['scripts', '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x">a</a>'],
];

test.each(
  sample(bad.flatMap(([name, input]) => [...notations, 'auto' as const].map(from => [name, from, input] as const))),
)('%s, read as %s: a text without control characters', (_name, from, input) => {
  const { text } = convert(input, from);
  expect(text).not.toMatch(/[\0\r\uD800-\uDFFF](?![\uDC00-\uDFFF])(?<!\p{Emoji})/u);
  if (from === 'html') expect(text).not.toContain('alert');
});

test('elements that nest too deeply keep their text, and the report says so', () => {
  const { text, lost } = convert(`${'<div>'.repeat(600)}deep`, 'html');
  expect(text).toBe('- deep');
  expect(lost).toEqual([{ what: losses.depth, line: 1, text: '' }]);
});

test('a block that is too long to be parsed is read line by line, and the report says so', () => {
  const { text, lost } = convert(`| a | b |\n|---|---|\n${'| x | y |\n'.repeat(2000)}`, 'github');
  expect(text).toContain('x | y');
  expect(lost).toContainEqual({ what: losses.unparsed, line: 1, text: '' });
});

test('a large list is read in many steps', () => {
  let steps = 0;
  const work = converting('- [ ] Write the **notes** of [docs](https://a.b)\n'.repeat(2000), 'auto');
  while (!work.next().done) steps++;
  expect(steps).toBeGreaterThan(40);
});

test('pieces of a long text read as the whole does', () => {
  const part = [
    '# A',
    '',
    '- [ ] one [docs]',
    '  more',
    '',
    '  - [x] two',
    '',
    'prose [docs]',
    '',
    '```',
    '- code',
    '# code',
    '```',
    '> quote',
    '',
  ].join('\n');
  const { text } = convert(`${part.repeat(60)}\n[docs]: https://a.b/c\n`, 'github');
  const once = convert(`${part}\n[docs]: https://a.b/c\n`, 'github').text;
  expect(text).toBe(Array.from({ length: 60 }, () => once).join('\n'));
});
