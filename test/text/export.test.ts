import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert } from '../../src/text/convert.ts';
import { type ExportNotation, exportChecklist, exportLosses, exportNotations } from '../../src/text/export.ts';
import { inlineOf, inlineOfDetails, type Segment } from '../../src/text/inline.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Row } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses } from './arbitrary.ts';

const exported = (text: string, to: ExportNotation) => exportChecklist(readChecklist(text, statuses), to);

const checklist = [
  '# Release',
  '> Each **time**',
  '- Write [notes](https://a.b/c) for ABC-1',
  '> `npm test`',
  '> * a star',
  '+ ! Tag',
  '~ Wait',
  'x Fax',
  '- [ON HOLD] Ship =it= [~accountid:ab12345678] 2026-11-20',
  '+ [Released] ! Done',
  '## Empty',
].join('\n');

test('GitHub', () => {
  expect(exported(checklist, 'github')).toBe(
    [
      '# Release',
      '',
      '> Each **time**',
      '',
      '- [ ] Write [notes](https://a.b/c) for ABC-1',
      '  > `npm test`',
      '  > \\* a star',
      '- [x] ! Tag',
      '- [ ] [In Progress] Wait',
      '- [x] [Skipped] Fax',
      '- [ ] [ON HOLD] Ship =it= [~accountid:ab12345678] 2026-11-20',
      '- [x] [Released] ! Done',
      '',
      '## Empty',
    ].join('\n'),
  );
});

test('wiki markup', () => {
  expect(exported(checklist, 'wiki')).toBe(
    [
      'h1. Release',
      'bq. Each *time*',
      '* Write [notes|https://a.b/c] for ABC-1',
      'bq. {{npm test}}',
      'bq. \\* a star',
      '* (/) ! Tag',
      '* \\[In Progress\\] Wait',
      '* (/) \\[Skipped\\] Fax',
      '* \\[ON HOLD\\] Ship =it= [~accountid:ab12345678] 2026-11-20',
      '* (/) \\[Released\\] ! Done',
      '',
      'h2. Empty',
    ].join('\n'),
  );
});

test('CSV', () => {
  expect(exported(checklist, 'csv').split('\r\n')).toEqual([
    'section,level,status,mandatory,text,assignee,due,details',
    'Release,1,,,,,,Each **time**',
    'Release,1,To Do,,Write [notes](https://a.b/c) for ABC-1,,,"`npm test`\n* a star"',
    'Release,1,Done,yes,Tag,,,',
    'Release,1,In Progress,,Wait,,,',
    'Release,1,Skipped,,Fax,,,',
    'Release,1,ON HOLD,,Ship =it= [~accountid:ab12345678] 2026-11-20,ab12345678,2026-11-20,',
    'Release,1,Released,yes,Done,,,',
    'Empty,2,,,,,,',
    '',
  ]);
});

test.each(['✅ x', '☐ x', '✓ x', '• x', '🎉 y', '・牛乳', '１．申請', '1、检查', '#. tag'])(
  'words that begin with %s are read back from every notation, with their status',
  words => {
    const text = `## ${words}\n> ${words}\n- ${words}\n+ ${words}\n> ${words}`;
    for (const notation of ['github', 'wiki', 'text', 'csv'] as const)
      expect(convert(exportChecklist(readChecklist(text), notation), notation).text, notation).toBe(text);
    // GitHub shows a backslash before a blank.
    expect(exportChecklist(readChecklist(text), 'github')).not.toMatch(/\\ /);
  },
);

test("a header's marks stay where they are read back, and are words in plain text and HTML", () => {
  const marked = readChecklist('# Ship !before:[In review] !customers\n- a');
  expect(exportChecklist(marked, 'github')).toBe('# Ship !before:[In review] !customers\n\n- [ ] a');
  expect(exportChecklist(marked, 'text')).toBe(
    'Ship (Before In review) (Visible to customers)\n==============================================\n☐ a',
  );
  for (const to of ['github', 'wiki', 'csv'] as const) {
    const text = convert(exportChecklist(marked, to), to).text;
    expect(readChecklist(text).rows[0], to).toMatchObject({ words: 'Ship', gates: ['In review'], customers: true });
  }
});

test('plain text', () => {
  expect(exported(checklist, 'text')).toBe(
    [
      'Release',
      '=======',
      '> Each time',
      '☐ Write notes (https://a.b/c) for ABC-1',
      '    npm test',
      '    > * a star',
      '☑ ! Tag',
      '☐ [In Progress] Wait',
      '☑ [Skipped] Fax',
      '☐ [ON HOLD] Ship =it= [~accountid:ab12345678] 2026-11-20',
      '☑ [Released] ! Done',
      '',
      'Empty',
      '-----',
    ].join('\n'),
  );
});

test('a cell cannot become a formula', () => {
  const cells = exported('- =1+1\n- @sum\n- "a", b\n- \'=x', 'csv').split('\r\n');
  expect(cells.slice(1, 5)).toEqual([
    ",,To Do,,'=1+1,,,",
    ",,To Do,,'@sum,,,",
    ',,To Do,,"""a"", b",,,',
    ",,To Do,,''=x,,,",
  ]);
});

/** The cells as a spreadsheet reads them that splits at this sign: quotes count where a cell begins. */
function spreadsheetCells(file: string, separator: string): string[] {
  const cells = [''];
  const add = (text: string) => cells.push(`${cells.pop()}${text}`);
  let isQuoted = false;
  for (let at = 0; at < file.length; at++) {
    const sign = file.charAt(at);
    const isStart = at === 0 || [separator, '\n', '\r'].includes(file.charAt(at - 1));
    if (isQuoted) {
      if (sign !== '"') add(sign);
      else if (file[at + 1] === '"') add(file.charAt(at++));
      else isQuoted = false;
    } else if (sign === '"' && isStart) isQuoted = true;
    else if (sign === separator || sign === '\n' || sign === '\r') cells.push('');
    else add(sign);
  }
  return cells;
}

const SEPARATORS = [',', ';', '\t'];
const formulas = (file: string) =>
  SEPARATORS.flatMap(separator => spreadsheetCells(file, separator).filter(cell => /^[=+\-@＝＋－＠]/.test(cell)));

test.each([
  '- x;=1+1',
  '- x\t=1+1',
  '- x,=1+1',
  '- x;"=1+1',
  "- x;'=1+1",
  '- x;"\'"=1+1',
  '- x\n> why\n> =1+1',
  '- "x"\n> a;b\n> "=1+1"',
  '# a;=1+1\n- b',
  '- x;＝1+1',
])('no cell of %j is a formula, whatever separates cells, and it is read back', text => {
  const file = exported(text, 'csv');
  expect(formulas(file)).toEqual([]);
  expect(outline(back(text, 'csv'))).toEqual(outline(rowsOf(text)));
});

test('no cell of any text is a formula, whatever separates cells, and it is read back', () => {
  const sign = fc.constantFrom(...['=', '+', '-', '@', '＝', "'", '"', ';', '\t', ',', ' ', 'a', '1']);
  const words = fc.array(sign, { minLength: 1, maxLength: 8 }).map(signs => `a${signs.join('')}b`);
  const row = fc.tuple(words, fc.array(words, { maxLength: 2 }), fc.array(sign, { maxLength: 4 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), rows => {
      const text = rows
        .map(([item, details, first, isHeader]) => {
          const start = first.join('').trim();
          const lines = details.map(detail => `\n> ${start}${detail}`);
          return `${isHeader ? '#' : '-'} ${start}${item}${lines.join('')}`;
        })
        .join('\n');
      expect(formulas(exported(text, 'csv'))).toEqual([]);
      expect(outline(back(text, 'csv'))).toEqual(outline(rowsOf(text)));
    }),
    runs(5000),
  );
});

test.each(['＝', '＋', '－', '＠'])(
  'a cell that begins with the full-width %s cannot become one, and is read back',
  mark => {
    const text = `- ${mark}cmd|' /C calc'!A0\n> ${mark}details`;
    expect(exported(text, 'csv').split('\r\n')[1]).toBe(`,,To Do,,'${mark}cmd|' /C calc'!A0,,,'${mark}details`);
    expect(outline(back(text, 'csv'))).toEqual(outline(rowsOf(text)));
  },
);

test('people are named where their names are known', () => {
  const nameOf = (id: string) => (id === 'a' ? 'Ann Lee' : undefined);
  const list = readChecklist('- x [~accountid:a] [~accountid:b]');
  expect(exportChecklist(list, 'github', { nameOf })).toBe('- [ ] x @Ann Lee [~accountid:b]');
  expect(exportChecklist(list, 'csv', { nameOf })).toContain('x @Ann Lee [~accountid:b],Ann Lee,,');
  expect(exportChecklist(list, 'wiki', { nameOf })).toBe('* x [~accountid:a] [~accountid:b]');
});

const outline = (rows: readonly Row[]) =>
  rows.map(row => [
    row.kind === 'header' ? `#${row.level}` : `${row.status.slug}${row.mandatory ? '!' : ''}`,
    row.text,
    ...row.details.map(({ text }) => text),
  ]);

const back = (text: string, to: ExportNotation) => readChecklist(convert(exported(text, to), to).text, statuses).rows;

const rowsOf = (text: string) => readChecklist(text, statuses).rows;

test.each(['github', 'wiki', 'csv', 'text'] as const)('%s gives back every row', to => {
  fc.assert(
    fc.property(markedText, text => {
      // Plain text has no emphasis and should not contain its signs.
      const held = to === 'text' ? text.replace(/\*\*/g, '') : text;
      expect(outline(back(held, to))).toEqual(outline(rowsOf(held)));
    }),
    runs(2000),
  );
});

/** Whether a line of wiki markup says that it is none of Markdown, which has other signs for bold. */
const isPlainlyWiki = (file: string) => /^(?:h\d\. |bq\. |\* \(\/\)|\* \\\[)/m.test(file) || !file.includes(' *bold*');

test.each(['github', 'wiki', 'csv', 'text'] as const)('%s gives back every row when its notation is found', to => {
  fc.assert(
    fc.property(markedText, text => {
      const held = to === 'text' ? text.replace(/\*\*/g, '') : text;
      const file = exported(held, to);
      fc.pre(to !== 'wiki' || isPlainlyWiki(file));
      expect(outline(readChecklist(convert(file, 'auto').text, statuses).rows)).toEqual(outline(rowsOf(held)));
    }),
    runs(2000),
  );
});

test.each([
  '- [ ] a box\n- <b>tags</b> and {code}\n> - [x] done\n> h2. x\n+ ■ black',
  '- h2. header\n- | a | b |\n- DEADLINE: <2026-01-01>',
  '- x',
])('our own cells are cells, whatever their words look like: %j', text => {
  const file = exported(text, 'csv');
  for (const source of [file, file.replaceAll(',', ';'), `\uFEFF${file}`]) {
    const { text: back, notation } = convert(source, 'auto');
    expect(notation).toBe('csv');
    expect(outline(readChecklist(back, statuses).rows)).toEqual(outline(rowsOf(text)));
  }
});

test('sections of one name and level stay two, and a header without a name stays one', () => {
  const text = '# A\n- x\n# A\n- y\n## A\n- z\n#\n- u\n#\n> why\n# B\n# B';
  expect(outline(back(text, 'csv'))).toEqual(outline(rowsOf(text)));
});

test('GitHub gives back any text, marks and all', () => {
  const sign = fc.constantFrom(
    ...[
      '\\',
      '\\\\',
      '<',
      '<!--',
      '-->',
      '!',
      '! ',
      '[',
      '](',
      ')',
      '__',
      '`',
      '``',
      '*',
      '#',
      ' ',
      'a',
      'https://a.b/__c\\_',
      '[ ]',
      '[ ] ',
      '1. ',
      '&amp;',
      '&',
      '#39;',
      '<b>',
      '</b>',
      '<br>',
      '|',
      '[a]: https://a.b',
      '[a]',
      '[Skipped] ',
      '> ',
      '- ',
    ],
  );
  const words = fc
    .array(sign, { minLength: 1, maxLength: 10 })
    .map(parts => parts.join('').trim())
    .filter(text => text !== '');
  const mark = fc.constantFrom('- ', '+ ', '~ ', 'x ', '- ! ', '+ [Released] ', '## ');
  fc.assert(
    fc.property(fc.array(fc.tuple(mark, words, fc.option(words)), { minLength: 1, maxLength: 4 }), lines => {
      const text = lines
        .map(([head, body, below]) => `${head}${body}${below === null ? '' : `\n> ${below}`}`)
        .join('\n');
      expect(outline(back(text, 'github'))).toEqual(outline(rowsOf(text)));
    }),
    runs(5000),
  );
});

/** The pieces that a row shows, with their look, in whichever of our two signs of italic. */
function shownPieces(segments: readonly Segment[]): unknown[] {
  const pieces: { type: string; text: string; inside?: unknown[]; href?: string }[] = [];
  for (const segment of segments) {
    const { type, text } = segment;
    const last = pieces.at(-1);
    if (type === 'text' && last?.type === 'text') last.text += text;
    else if (type === 'link') pieces.push({ type, text: text.trim(), href: segment.href });
    else pieces.push({ type, text, ...('children' in segment && { inside: shownPieces(segment.children) }) });
  }
  return pieces;
}

const shownRows = (text: string) => {
  const list = readChecklist(text, statuses);
  return list.rows.map((row, index) => [
    row.kind === 'header' ? row.level : [row.status.slug, row.mandatory],
    shownPieces(inlineOf(list, index)),
    inlineOfDetails(list, index).map(shownPieces),
  ]);
};

test('wiki markup gives back any text, effects, icons, macros and links', () => {
  const signs = [
    ...['\\', '\\\\', '{', '}', '{{', '}}', '{*}', '{code}', '{quote}', '{color:red}', '*', '**', '_', '~~', '~', '-'],
    ...['--', '---', '+', '^', '??', '?', '!', '|', '||', '[', ']', '](https://a.b)', '[l](https://a.b/c)', '(', ')'],
    ...['(x)', '(/)', '(y)', ':', ':)', ';D', '`c`', '`{x}`', '`a *b*`', '**b**', '*i*', '_i_', '~~s~~', ' ', ' ', ' '],
    ...['a', 'b c', 'snake_case', 'https://a.b/c_', 'https://a.b/-x', 'h1. ', 'bq. ', '# ', '* ', '[ ] ', '[x] ', '! '],
    ...['[In Progress] ', '[Skipped] ', '[Done] ', '[ON HOLD] ', '&amp;', '&#42;', '<b>', '!i.png!', '[^f]', '[~x]'],
    ...['[~accountid:ab12345678]', '@bob', '2026-11-20', 'ABC-1', ':tada:', '日', '\u00A0', '.', ','],
  ];
  const words = fc
    .array(fc.constantFrom(...signs), { minLength: 1, maxLength: 8 })
    .map(parts => parts.join('').trim())
    .filter(text => text !== '');
  const mark = fc.constantFrom('- ', '+ ', '~ ', 'x ', '- ! ', '+ [Released] ', '- [ON HOLD] ', '# ', '## ');
  const line = fc
    .tuple(mark, words, fc.option(words))
    .map(([head, body, below]) => `${head}${body}${below === null ? '' : `\n> ${below}`}`);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), lines => {
      const text = lines.join('\n');
      expect(shownRows(convert(exported(text, 'wiki'), 'wiki').text)).toEqual(shownRows(text));
    }),
    runs(5000),
  );
});

test.each([
  ['- **b**text and ~~old~~new', '* {*}b{*}text and {-}old{-}new'],
  ['- `{a} *b*` is code', '* {{\\{a\\} \\*b\\*}} is code'],
  ['- [a | **b**](https://a.b)', '* [a &#124; *b*|https://a.b]'],
  ['- see **https://a.b**', '* see {*}https://a.b{*}'],
  ['- [Skipped] is a word', '* \\[To Do\\] \\[Skipped\\] is a word'],
  ['- [ON HOLD] __x__', '* \\[ON HOLD\\] \\_\\_x\\_\\_'],
])('%j is written as wiki markup that the tracker shows alike', (text, wiki) => {
  expect(exported(text, 'wiki')).toBe(wiki);
  expect(convert(wiki, 'wiki').text).toBe(text);
});

test.each(['~ a', 'x a', '~ ! a\n- b', '+ a\n~ b', '- [ON HOLD] a\n- b', '# A\n- `x`'])(
  'a wiki export of %j is known as what it is',
  text => {
    expect(convert(exported(text, 'wiki'), 'auto').text).toBe(text);
  },
);

test('reports what a notation cannot say, with its line', () => {
  const list = readChecklist('#\n> \n\n- a **b**\n> `{c}` _d_\n- e', statuses);
  const lost = (to: ExportNotation) => exportLosses(list, to).map(({ line, text }) => [line, text]);
  expect(lost('text')).toEqual([
    [1, '#'],
    [4, 'a **b**'],
    [5, '`{c}` _d_'],
  ]);
  expect(lost('wiki')).toEqual([]);
  expect(lost('github')).toEqual([]);
  expect(lost('csv')).toEqual([]);
});

test('blanks as code at the start of a header do not indent it', () => {
  expect(exportChecklist(readChecklist('- a\n# ` `b'), 'text')).toBe('☐ a\n\nb\n===');
});

test('no line of an export comes back as another kind of line', () => {
  const signs = [
    ...['\\', '<', '<!--', '!', '! ', '[', '](', ')', '__', '`', '*', '#', ' ', 'a', 'b c', 'https://a.b/c_', '[ ] '],
    ...['[Skipped] ', '[In Progress] ', '[Done] ', '[To Do] ', '> ', '- ', '+ ', 'x ', '1. ', 'h2. ', '(/) ', '(x) '],
    ...[
      '{code}',
      '{quote}',
      '|',
      '||',
      'bq. ',
      '----',
      '===',
      '"',
      ',',
      ';',
      "'",
      '@joe',
      '2026-01-01',
      '☐ ',
      '☑',
      '• ',
    ],
    ...['&amp;', '<b>', '**b**', '~~s~~', '`c`', '[l](https://a.b)', '** ', '[ON HOLD] ', 'TODO ', ':', 'yes', '\\\\'],
    ...['!i.png!', '{', '}', '[^f]', '~', '[~accountid:ab12345678]'],
  ];
  const words = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 4 }).map(parts => `${parts.join('')}.`);
  const mark = fc.constantFrom('- ', '+ ', '~ ', 'x ', '- ! ', '+ [Released] ', '- [ON HOLD] ', '# ', '## ');
  const line = fc.tuple(mark, words, fc.option(words)).map(([head, body, below]) => {
    return `${head}${body}${below === null ? '' : `\n> ${below}`}`;
  });
  const kinds = (rows: readonly Row[]) =>
    outline(rows).map(([kind, _, ...details]) => `${kind} with ${details.length} details`);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom(...exportNotations), (lines, to) => {
      const text = lines.join('\n');
      expect(kinds(back(text, to))).toEqual(kinds(rowsOf(text)));
    }),
    runs(2000),
  );
});
