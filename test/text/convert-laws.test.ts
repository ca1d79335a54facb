import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../src/text/convert/blocks.ts';
import { settle, write } from '../../src/text/convert/settle.ts';
import { convert, notations } from '../../src/text/convert.ts';
import { cleanText } from '../../src/text/document.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs, sample } from '../run/seed.ts';
import { anyText, lineText } from './arbitrary.ts';

const marks = [
  ...[
    '- ',
    '* ',
    '+ ',
    '1. ',
    '** ',
    '# ',
    '## ',
    '> ',
    '>> ',
    '--- ',
    '---',
    '===',
    '\t',
    '  ',
    '    ',
    ' ',
    '\n',
    '\n',
    '\n\n',
  ],
  ...[
    '[ ] ',
    '[x] ',
    '[] ',
    '[-] ',
    '? ',
    '! ',
    '!',
    '[In Progress] ',
    '[Nope] ',
    '☐ ',
    '☑',
    '• ',
    'h2. ',
    '(/) ',
    '(x)',
  ],
  ...[
    '```',
    '`',
    '``',
    '*',
    '_',
    '__',
    '~~',
    '-',
    '+',
    '/',
    '=',
    '{{',
    '}}',
    '{code}',
    '{quote}',
    '{color:red}',
    '[',
    ']',
    '|',
    '||',
  ],
  ...[
    '](https://a.b)',
    '](x)',
    '[[',
    ']]',
    '![',
    '](',
    ')',
    '(',
    '\\',
    '<!--',
    '-->',
    '<https://a.b>',
    '"',
    ',',
    ';',
    "'",
    '=',
  ],
  ...[
    'TODO ',
    'DONE ',
    ':tag:',
    '[1/2]',
    '#+TITLE: ',
    '#+BEGIN_SRC',
    '#+END_SRC',
    ':PROPERTIES:',
    ':END:',
    'DEADLINE: ',
  ],
  ...[':', ' @done', ' @due(2026-11-20)', ' @flag', 'Status', 'Task', 'Due', 'Assignee', 'Done'],
  ...[
    '<ul>',
    '<li>',
    '</li>',
    '</ul>',
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<table>',
    '<tr>',
    '<td>',
    '<th>',
    '</table>',
    '<br>',
  ],
  ...[
    '<h2>',
    '</h2>',
    '<a href="https://a.b">',
    '<a href="x">',
    '</a>',
    '<input type=checkbox checked>',
    '<pre>',
    '<div data-task-state="DONE">',
  ],
  ...['<code>', '</code>', '&nbsp;', '&amp;', '< ', ' > ', '\r\n', '\0', '\uD800', '\u00A0'],
];
const foreign = fc
  .uniqueArray(fc.constantFrom(...marks), { minLength: 2, maxLength: 12 })
  .chain(few => fc.array(fc.oneof(fc.constantFrom(...few), fc.constantFrom('W1W', 'W2W', 'W3W')), { maxLength: 30 }));

const notation = fc.constantFrom('auto' as const, ...notations);
const wordsOf = (text: string) => (text.match(/W\dW/g) ?? []).sort();

test('blocks read back as exactly these rows', () => {
  const status = fc.constantFrom('todo', 'done', 'in_progress', 'skipped');
  const block: fc.Arbitrary<Block> = fc.oneof(
    fc.record({ kind: fc.constant('header'), level: fc.integer({ min: 1, max: 6 }), text: lineText }),
    fc.record({ kind: fc.constant('item'), status, mandatory: fc.boolean(), text: lineText }),
    fc.record({ kind: fc.constantFrom('detail', 'paragraph'), text: lineText }),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), blocks => {
      const settled = settle(blocks);
      const rows = readChecklist(write(settled)).rows.flatMap(row => [
        row.kind === 'header'
          ? { kind: row.kind, level: row.level, text: row.text }
          : { kind: 'item', status: row.status.slug, mandatory: row.mandatory, text: row.text },
        ...row.details.map(({ text }) => ({ kind: 'detail', text })),
      ]);
      expect(rows).toEqual(settled);
    }),
    runs(3000),
  );
});

test('no word is lost without being named', () => {
  fc.assert(
    fc.property(foreign, notation, (parts, from) => {
      const input = parts.join('');
      const { text, lost, notation } = convert(input, from);
      // Comments of a page are invisible.
      fc.pre(notation !== 'html' || !input.includes('<!--'));
      const kept = wordsOf(`${text}\n${lost.map(loss => loss.text).join('\n')}`);
      for (const word of new Set(wordsOf(input))) expect(kept).toContain(word);
    }),
    runs(20_000),
  );
});

test('any text converts to a clean one, and every loss has its line', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        foreign.map(parts => parts.join('')),
      ),
      notation,
      (input, from) => {
        const { text, lost } = convert(input, from);
        expect(cleanText(text)).toEqual({ text, notes: [] });
        const lines = cleanText(input).text.split('\n').length;
        for (const { line } of lost) expect(line >= 1 && line <= lines).toBe(true);
      },
    ),
    runs(10_000),
  );
});

test('rows of very many cells, and cells of very many lines, convert as well', () => {
  const wide = (names: string) => names.repeat(30_000);
  for (const row of sample(['Task,', 'Notes,', 'Assignee,Task,', 'Due,Task,', 'x,'])) {
    expect(convert(`Task,Due,${wide(row)}\n${wide(row)}`, 'csv').notation).toBe('csv');
  }
  const lines = 'a\n'.repeat(200_000);
  expect(convert(`Task,Notes\nx,"${lines}"`, 'csv').text.length).toBeGreaterThan(lines.length);
  expect(convert(`|a|\n`.repeat(150_000), 'github').text.length).toBeGreaterThan(150_000);
});

const gaps = [' ', '\t', '\u00A0', '\n'].map(blank => blank.repeat(100_000));
const gapped = ([...notations, 'auto'] as const).flatMap(from =>
  gaps.flatMap(gap =>
    [`a${gap}b`, `- [ ] a${gap}b`, `# a${gap}#b`, `<li ${gap}a=${gap}'b'>`, `*a${gap}b*`, `[a|${gap}b`].map(
      input => [input, from] as const,
    ),
  ),
);

test('blanks without end convert as well', () => {
  for (const [input, from] of sample(gapped)) expect(convert(input, from)).toHaveProperty('text');
});

test.each(
  sample(
    [
      ...[
        '<',
        '<a "',
        '<a href="',
        "<a b='",
        '<!--',
        '<ul>',
        '<b>',
        '<li>',
        '<table>',
        '<table><td>',
        '</b>',
        '<script>',
        '&',
        '<b></i>',
      ],
      ...[
        '"',
        '",',
        '"a\n',
        '`',
        '`` ` ',
        '[',
        '![',
        '](',
        '{{',
        '{code}',
        '*',
        '* ',
        '- ',
        '_a',
        '__a',
        '-a',
        '/a',
        '=a',
        '~a',
        '[[',
        '|',
      ],
      ...[
        'h1. ',
        '# ',
        '> ',
        '\t',
        ' ',
        ' a',
        '\n',
        '\n\n',
        '\\',
        '@a(',
        ':a',
        '[1/2',
        'DEADLINE: ',
        '\u00A0',
        '<pre>\n',
        '(/)',
      ],
      ...['![](', '](a "', '<ul><b><li></li>', 'a:\n', '*a\n', '**a\n', '!a.', 'http://'],
    ].flatMap(part => notations.map(from => [part, from] as const)),
  ),
)('%j over and over converts from %s', (part, from) => {
  const input = part.repeat(Math.ceil(200_000 / part.length));
  expect(convert(input, from).notation).toBe(from);
  if (from === 'text') expect(convert(`${input}\nx`, 'auto').text).toContain('x');
});
