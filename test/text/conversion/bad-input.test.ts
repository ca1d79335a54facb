import { expect, test } from 'vitest';
import { losses } from '../../../src/domain/messages.ts';
import { cellsOf } from '../../../src/text/convert/csv.ts';
import { CHUNK_CHARS, parsingHtml } from '../../../src/text/convert/html/parse-html.ts';
import { preparing } from '../../../src/text/convert/html/source.ts';
import { readingHtml } from '../../../src/text/convert/html.ts';
import { MAX_PIECE_WEIGHT, piecesOf } from '../../../src/text/convert/markdown/pieces.ts';
import { convert, converting, type Notation, notations } from '../../../src/text/convert.ts';
import { finish } from '../../../src/text/sliced.ts';
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

test('elements that nest too deeply though others are closed, and looks that each block opens anew, count as well', () => {
  const bombs = [
    '<b></i>'.repeat(300),
    `<p>${Array.from({ length: 200 }, (_, i) => `<b a${i}>`).join('')}</p>${'<p>x'.repeat(300)}`,
    `<a ${Array.from({ length: 50_000 }, (_, i) => `a${i}`).join(' ')}>x</a>`,
    '<br>'.repeat(50_000),
    `<select>${'<option>a'.repeat(5000)}</select>`,
    `<svg>${'<g>a</g>'.repeat(25_000)}</svg>`,
    '<'.repeat(500_000),
  ];
  for (const bomb of bombs)
    expect(convert(bomb, 'html').lost).toContainEqual({ what: losses.depth, line: 1, text: '' });
});

test('a long table in a layout of twenty elements is read, for its tags close what stands right above', () => {
  const rows = '<tr><td><p>word</p></td><td><p>more</p></td></tr>'.repeat(1000);
  const { text, lost } = convert(`${'<div>'.repeat(20)}<table>${rows}</table>${'</div>'.repeat(20)}`, 'html');
  expect(text.split('\n')).toEqual(Array.from({ length: 1000 }, () => '- word – more'));
  expect(lost).toEqual([]);
});

test('a page is parsed in chunks, and its tables and its longest lines are read in parts', () => {
  const chunked = '<p>word</p>'.repeat(3000);
  expect([...parsingHtml(chunked)].length).toBeGreaterThanOrEqual(chunked.length / CHUNK_CHARS);
  const rows = 2000;
  const table = [...readingHtml(`<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(rows)}</table>`)];
  const list = [...readingHtml(`<ul>${'<li>a</li><li>b</li>'.repeat(rows)}</ul>`)];
  expect(table.length - list.length).toBeGreaterThan(rows / 100);
  const { text } = convert('a <b>b</b> '.repeat(3000), 'html');
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(20_000);
  expect(text.match(/\*\*b\*\*/g)).toHaveLength(3000);
});

test('no comment reaches the parser, which takes quadratic time for many', () => {
  const { html, isSimple } = finish(preparing(`${'<!-- a --><?b?><!c>'.repeat(1000)}<!DOCTYPE html><p>d`));
  expect([html, isSimple]).toEqual(['<!DOCTYPE html><p>d', true]);
});

test('JSON that nests deeper than exports do is a text', () => {
  expect(convert(`${'[{"items":'.repeat(20_000)}1${'}]'.repeat(20_000)}`, 'json').text).toContain('"items"');
});

test.each([
  ['links', '[a](b) '.repeat(1000)],
  ['lists that open in one line', `${'- '.repeat(500)}a`],
  ['quotes that open in one line', `${'> '.repeat(500)}a`],
])('%s are too much for the parser: read line by line, and the report says so', (_, input) => {
  expect(convert(input, 'github').lost).toContainEqual({ what: losses.unparsed, line: 1, text: '' });
});

test.each([
  ['{*}a', 'wiki'],
  ['{code}a', 'wiki'],
  ['[a|b]', 'wiki'],
  ['&amp;', 'wiki'],
  ['=a= ', 'org'],
] as const)('a line of %j over and over in %s keeps its marks, and the report says so', (part, from) => {
  const line = part.repeat(Math.ceil(100_000 / part.length)).trim();
  const { text, lost } = convert(`a\n\n${line}\n\nb`, from);
  expect(text).toBe(`- a\n- ${line}\n- b`);
  expect(lost).toEqual([{ what: losses.length, line: 3, text: '' }]);
});

test.each(['wiki', 'org'] as const)('cells of one line in %s are counted up to a limit, and none is dropped', from => {
  const { text } = convert(`|a${'|a'.repeat(50_000)}`, from);
  expect(text.match(/a/g)).toHaveLength(50_001);
});

test.each(['wiki', 'org'] as const)('a table of many rows in %s is read in parts', from => {
  const steps = (rows: number) => [...converting('||a\n'.repeat(rows), from)].length;
  expect(steps(4000) - steps(2000)).toBeGreaterThan(2000 / 20 + 5);
});

const many = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

test.each([
  ['a table', `Before\n\n| Task | Done |\n|---|---|\n${many(1000, i => `| t${i} | x |`)}\n\nafter`],
  ['a list in an item', `- [ ] a\n${many(1000, i => `${'  '.repeat(1 + (i % 3))}- [ ] *t${i}*`)}\n\nafter`],
  ['a list in an item, behind tabs', `1. a\n${many(1000, i => `\t- [ ] t${i}`)}\n\nafter`],
  ['code', `- [ ] a\n\n\`\`\`\n${many(1000, i => `- t${i}`)}\n\`\`\`\n\nafter`],
  ['headers', many(1000, i => `# t${i}`)],
])('%s of a thousand lines is parsed in pieces, each of few characters', (_, input) => {
  const pieces = piecesOf(input);
  for (const { weight } of pieces) expect(weight).toBeLessThan(MAX_PIECE_WEIGHT);
  for (const { text } of pieces.filter(({ text }) => !text.includes('```'))) expect(text.length).toBeLessThan(2000);
});

test('parts of a long table are one table, whose rows keep their lines', () => {
  const rows = many(300, i => `| t${i} | x | lost${i} |`);
  const { text, lost } = convert(`Before\n\n| Task | Done | Id |\n|---|---|---|\n${rows}\n\nafter`, 'github');
  expect(text).toBe(`- Before\n${many(300, i => `+ t${i}`)}\n- after`);
  expect(lost).toEqual(
    Array.from({ length: 300 }, (_, i) => ({ what: losses.column, line: 5 + i, text: `Id: lost${i}` })),
  );
});

test('parts of a long list in an item are one list, whose depth is reported once', () => {
  const { text, lost } = convert(`- [ ] a\n${many(300, i => `  - [x] *t${i}*\n    more`)}\n- [ ] b`, 'github');
  expect(text).toBe(`- a\n${many(300, i => `+ *t${i}*\n> more`)}\n- b`);
  expect(lost.map(({ what }) => what)).toEqual([losses.nesting]);
});

test('a row of very many cells keeps the text of each', () => {
  const { text, lost } = convert(`Task,Done\na,yes,${many(5000, i => `c${i},`).replaceAll('\n', '')}`, 'csv');
  expect(text).toBe('+ a');
  expect(lost.length).toBeLessThanOrEqual(1000);
  expect(lost.at(-1)?.text).toContain('c4999');
});

test('rows are parsed in parts, and a quote that never closes is a character in all of them', () => {
  const rows = many(500, i => (i === 250 ? 'a;"b' : `t${i};x`));
  expect(cellsOf(rows, ';').map(({ cells }) => cells)).toEqual(rows.split('\n').map(row => row.split(';')));
  const quoted = many(500, i => `t${i};"x\n""y"""`);
  expect(cellsOf(quoted, ';').map(({ cells, line }) => [line, ...cells])).toEqual(
    Array.from({ length: 500 }, (_, i) => [1 + 2 * i, `t${i}`, 'x\n"y"']),
  );
});

/** Two lines of each notation. */
const lines: Record<Notation, string> = {
  github: '- [ ] a\n  - b\n',
  'issue-checklist': '- [x] a\n>> b\n',
  wiki: '||a||b||\n* (/) *b*\n',
  org: '| a | b |\n- [ ] b =c=\n',
  taskpaper: 'A:\n\t- b @done\n',
  'todo-txt': '(A) b due:2026-01-01\nx c\n',
  directives: '- text="a"\n- b\n',
  html: '<li>a</li>\n<p>b\n',
  csv: 'a;b;c\nd;e;f\n',
  json: 'a\nb\n',
  text: 'a\n* b\n',
};

test.each(notations)('from %s, a text of twice the length is read in about twice as many steps', from => {
  const stepsOf = (text: string) => {
    let steps = 1;
    for (const work = converting(text, from); !work.next().done; ) steps++;
    return steps;
  };
  expect(stepsOf(lines[from].repeat(2000))).toBeGreaterThan(1.5 * stepsOf(lines[from].repeat(1000)));
});

test.each([
  ['texts', JSON.stringify(Array.from({ length: 2000 }, (_, i) => `t${i}`))],
  ['objects', JSON.stringify(Array.from({ length: 2000 }, (_, i) => ({ title: `t${i}` })))],
  ['rows of cells', `Task,Owner,Notes\n${many(2000, i => `t${i},ana,`)}`],
])('a list of %s is read in many steps', (_, input) => {
  expect([...converting(input, 'auto')].length).toBeGreaterThan(20);
});

test('a field of each of very many names is read once', () => {
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`title ${i}`, `w${i}`]));
  const { text, lost } = convert(JSON.stringify({ name: 'a', ...fields }), 'json');
  expect(text).toBe('- a');
  expect(lost.map(loss => loss.text).join()).toContain('w4999');
});

test('a large list is read in many steps', () => {
  let steps = 0;
  const work = converting('- [ ] Write the **notes** of [docs](https://a.b)\n'.repeat(400), 'auto');
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
