import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert } from '../../src/text/convert.ts';
import { type ExportNotation, exportChecklist } from '../../src/text/export.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Row } from '../../src/text/types.ts';
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
      '  > * a star',
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
    'section,status,mandatory,text,assignee,due,details',
    'Release,,,,,,Each **time**',
    'Release,To Do,,Write [notes](https://a.b/c) for ABC-1,,,"`npm test`\n* a star"',
    'Release,Done,yes,Tag,,,',
    'Release,In Progress,,Wait,,,',
    'Release,Skipped,,Fax,,,',
    'Release,ON HOLD,,Ship =it= [~accountid:ab12345678] 2026-11-20,ab12345678,2026-11-20,',
    'Release,Released,yes,Done,,,',
    'Empty,,,,,,',
    '',
  ]);
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
    ",To Do,,'=1+1,,,",
    ",To Do,,'@sum,,,",
    ',To Do,,"""a"", b",,,',
    ",To Do,,''=x,,,",
  ]);
});

test('people are named where their names are known', () => {
  const nameOf = (id: string) => (id === 'a' ? 'Ann Lee' : undefined);
  const list = readChecklist('- x [~accountid:a] [~accountid:b]');
  expect(exportChecklist(list, 'github', { nameOf })).toBe('- [ ] x @Ann Lee [~accountid:b]');
  expect(exportChecklist(list, 'csv', { nameOf })).toContain('x @Ann Lee [~accountid:b],Ann Lee,,');
  expect(exportChecklist(list, 'wiki', { nameOf })).toBe('* x [~accountid:a] [~accountid:b]');
});

/** What every notation says of a row; levels and emphasis are not in all of them. */
const outline = (rows: readonly Row[]) =>
  rows.map(row => [
    row.kind === 'header' ? `#${row.level}` : `${row.status.slug}${row.mandatory ? '!' : ''}`,
    row.text,
    ...row.details.map(({ text }) => text),
  ]);

const back = (text: string, to: ExportNotation) => readChecklist(convert(exported(text, to), to).text, statuses).rows;

/** Rows of a text, without empty headers, which no other notation has. */
const rowsOf = (text: string) => readChecklist(text, statuses).rows;

test.each(['github', 'wiki', 'text', 'csv'] as const)('%s gives back what it can hold', to => {
  fc.assert(
    fc.property(markedText, text => {
      const plain = text.replace(/\*\*/g, '');
      const wanted = outline(rowsOf(plain));
      // Sections of a table are told apart by their names.
      const names = rowsOf(plain).flatMap(row => (row.kind === 'header' ? [row.text] : []));
      fc.pre(to !== 'csv' || new Set(names).size === names.length);
      const got = outline(back(plain, to));
      if (to !== 'csv') expect(got).toEqual(wanted);
      else
        expect(got.filter(([kind]) => !kind?.startsWith('#'))).toEqual(
          wanted.filter(([kind]) => !kind?.startsWith('#')),
        );
    }),
    { numRuns: 1000 },
  );
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
    { numRuns: 5000 },
  );
});
