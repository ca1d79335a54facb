import fc from 'fast-check';
import { expect, test } from 'vitest';
import { losses } from '../../../src/domain/messages.ts';
import { MAX_MARKUP_CHARS, MAX_TEXT_CHARS, OWN_MARK, readClip } from '../../../src/text/convert/clip.ts';
import * as programs from '../../editor/clipboard/payloads.ts';

/** What a clip gives, as lines; a part of a line is in quotes. */
function said(clip: { html: string; text: string }) {
  const read = readClip({ ...clip, text: clip.text.replace(/\r\n/g, '\n') });
  if (read.kind === 'lines') return read.text.split('\n');
  return read.kind === 'words' ? JSON.stringify(read.words) : read.kind;
}

const rows: [string, programs.Payload, string[] | string][] = [
  [
    'word',
    programs.word,
    [
      '## Release plan',
      '- Freeze the **main** branch',
      '- Tell the team',
      '- See [the notes](https://example.com/a%20b)',
      '+ Approved',
      '- Published',
    ],
  ],
  [
    'googleDocs',
    programs.googleDocs,
    ['- Write the **changelog**', '+ Tag the build', '- [Plan](https://example.com/plan)'],
  ],
  ['excel', programs.excel, ['+ Order chairs 2026-12-01', '- Paint <walls>']],
  ['excelCell', programs.excelCell, '"Order chairs"'],
  ['googleSheets', programs.googleSheets, ['+ Milk', '- Bread']],
  ['notion', programs.notion, ['## Launch', '- Draft the **announcement**', '+ Book a date', '- Ask `ops`']],
  ['notionExport', programs.notionExport, ['+ Book a date', '- Draft it']],
  [
    'github',
    programs.github,
    ['## Todo', '- Use `parse()` in [#12](https://github.com/acme/app/issues/12)', '+ Ship 🎉'],
  ],
  ['markdown', programs.markdown, ['## Todo', '- Use `parse()`', '+ Ship']],
  [
    'jira',
    programs.jira,
    [
      '+ Reproduce it',
      '- Ask [~accountid:557058:0a1b-22] by 2026-12-01',
      '- Fix [WEB-2](https://site.example/browse/WEB-2)',
    ],
  ],
  [
    'confluenceEditor',
    programs.confluenceEditor,
    ['### Actions', '- Write the report 2026-12-01', '+ Send **it**', '- Then rest.'],
  ],
  ['confluence', programs.confluence, ['- [~accountid:557058:0a1b-22] orders cake 2026-12-01', '+ Clean up']],
  ['outlook', programs.outlook, ['- **Before Friday:**', '- Pay the [bill](https://pay.example/7)', '- Call Bob']],
  ['outlookWeb', programs.outlookWeb, ['- Pay the bill', '- Call **Bob**', '- Thanks!']],
  ['gmail', programs.gmail, ['- Hi, please:', '- buy stamps', '- pay *rent*']],
  ['sentence', programs.sentence, '"see [the guide](https://example.com/guide)"'],
  ['code', programs.code, 'plain'],
];

test.each(rows)('%s', (_, clip, expected) => {
  expect(said(clip)).toEqual(expected);
});

test('reports what could not be kept: a nested list, a column', () => {
  const lost = (clip: { html: string; text: string }) => {
    const read = readClip(clip);
    return read.kind === 'lines' ? read.lost.map(({ text }) => text) : [];
  };
  expect(lost(programs.word)).toEqual(['Tell the team']);
  expect(lost(programs.excel)).toEqual(['Cost: 120']);
});

test('what was taken out of a text before is in the report of its paste', () => {
  const cleaned = [{ what: losses.nul, line: 1, text: '' }];
  expect(readClip({ html: '', text: '- [x] a\n- [ ] b', cleaned })).toMatchObject({ kind: 'lines', lost: cleaned });
  expect(readClip({ html: '', text: 'a', cleaned })).toEqual({ kind: 'plain', note: losses.nul });
  expect(readClip({ html: '', text: 'a' })).toEqual({ kind: 'plain' });
});

test('our own copies stay as they are, whatever they say', () => {
  const html = `<meta charset="utf-8"><div ${OWN_MARK}=""><ul><li>a</li></ul></div>`;
  expect(said({ html, text: 'foo [x] bar' })).toBe('plain');
  expect(said({ html, text: ' two\n- three' })).toBe('plain');
  expect(readClip({ html, text: '- a  b\n\n+ [x](y)  \n> c' })).toMatchObject({
    kind: 'lines',
    text: '- a  b\n\n+ [x](y)  \n> c',
    converted: false,
  });
});

test.each([
  ['', '', 'plain'],
  ['<meta charset="utf-8">', '', 'plain'],
  ['', '   \n', 'plain'],
  ['<p>only markup</p>', '', '"only markup"'],
  ['<ul><li></li></ul>', 'text', 'plain'],
  ['<li', 'text', 'plain'],
  ['<b></b><b>', 'a', 'plain'],
])('odd data: %j and %j', (html, text, expected) => {
  expect(said({ html, text })).toBe(expected);
});

test('reports an image alone as lost', () => {
  const read = readClip({ html: '<img src="https://a.example/b.png" alt="Plan">', text: '' });
  expect(read).toMatchObject({ kind: 'lines', text: '', lost: [{ text: 'Plan https://a.example/b.png' }] });
});

test('many times what a checklist holds is refused, and markup without end read as its text', () => {
  expect(readClip({ html: '', text: 'a'.repeat(MAX_TEXT_CHARS + 1) }).kind).toBe('refused');
  expect(readClip({ html: '<ul><li>a</li></ul>'.repeat(MAX_MARKUP_CHARS / 10), text: '' }).kind).toBe('refused');
  const read = readClip({ html: `<ul><li>${'<b>a</b>'.repeat(MAX_MARKUP_CHARS / 5)}</li></ul>`, text: '* a\n* b' });
  expect(read).toMatchObject({ kind: 'lines', text: '- a\n- b' });
});

test('whatever is on a clipboard, reading it does not fail', () => {
  const piece = fc.constantFrom(
    ...['<li>', '</ul>', '<td', '>', '"', '<input type=checkbox>', '<p style="mso-list:l0 level1">', '&#', '<!--', 'a'],
    ...['- ', '+ ', '[x] ', '\n', '\t', '> ', '\0', '\uFEFF', '\uD800', '<b>', `<i ${OWN_MARK}>`],
  );
  const text = fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join(''));
  fc.assert(
    fc.property(text, text, (html, plain) => {
      expect(['plain', 'words', 'lines']).toContain(readClip({ html, text: plain }).kind);
    }),
  );
});
