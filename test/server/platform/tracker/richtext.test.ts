import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatText } from '../../../../src/server/platform/tracker/richtext.ts';

const doc = (...content: unknown[]) => ({ type: 'doc', version: 1, content });
const node = (type: string, ...content: unknown[]) => ({ type, content });
const text = (words: string, ...marks: unknown[]) => ({ type: 'text', text: words, ...(marks.length && { marks }) });
const leaf = (type: string, attrs: Record<string, unknown>) => ({ type, attrs });
const p = (...content: unknown[]) => node('paragraph', ...content);

test.each<[string, unknown, string]>([
  ['plain text', '- a\r\n- b', '- a\r\n- b'],
  ['paragraphs', doc(p(text('- a')), p(text('- b'))), '- a\n- b'],
  ['line breaks', doc(p(text('- a'), { type: 'hardBreak' }, text('> b'))), '- a\n> b'],
  ['headings', doc({ type: 'heading', attrs: { level: 2 }, content: [text('Release')] }), '## Release'],
  [
    'bullets with details',
    doc(node('bulletList', node('listItem', p(text('a')), p(text('> why'))), node('listItem', p(text('b'))))),
    '- a\n> why\n- b',
  ],
  ['numbers', doc(node('orderedList', node('listItem', p(text('a'))))), '- a'],
  [
    'tasks',
    doc(
      node(
        'taskList',
        { type: 'taskItem', attrs: { state: 'DONE' }, content: [text('a')] },
        { type: 'taskItem', attrs: { state: 'TODO' }, content: [text('b')] },
      ),
    ),
    '+ a\n- b',
  ],
  ['mentions', doc(p(text('- ask '), leaf('mention', { id: 'ana:1', text: '@Ana' }))), '- ask [~accountid:ana:1]'],
  [
    'links',
    doc(p(text('the docs', { type: 'link', attrs: { href: 'https://docs.example/' } }))),
    '[the docs](https://docs.example/)',
  ],
  [
    'a link with its address as text',
    doc(p(text('https://a.example/', { type: 'link', attrs: { href: 'https://a.example/' } }))),
    'https://a.example/',
  ],
  ['emphasis', doc(p(text('b', { type: 'strong' }), text('c', { type: 'code' }))), '**b**`c`'],
  ['emoji', doc(p(leaf('emoji', { shortName: ':smile:', text: '😀' }))), '😀'],
  ['dates', doc(p(leaf('date', { timestamp: '1795219200000' }))), '2026-11-21'],
  ['issues', doc(p(leaf('inlineCard', { url: 'https://site.example/browse/WEB-12' }))), 'WEB-12'],
  ['code', doc(node('codeBlock', text('a\nb'))), 'a\nb'],
  ['quotes', doc(node('blockquote', p(text('why')))), '> why'],
  ['unknown nodes', doc(node('later', node('invention', text('words')))), 'words'],
])('%s', (_name, value, expected) => {
  expect(flatText(value)).toBe(expected);
});

test.each([null, undefined, 7, true, [], {}, { type: 'doc' }, { type: 'doc', content: [7] }, { content: [] }])(
  'no text: %j',
  value => {
    expect(flatText(value)).toBeUndefined();
  },
);

test('any nesting or shape is read without an error', () => {
  let deep: unknown = text('x');
  for (let depth = 0; depth < 5_000; depth += 1) deep = node('panel', deep);
  expect(flatText(doc(deep))).toBeUndefined();
  fc.assert(
    fc.property(
      fc.array(fc.object({ key: fc.constantFrom('type', 'text', 'content', 'attrs', 'marks', 'x') })),
      content => {
        const found = flatText({ type: 'doc', content });
        expect(found === undefined || typeof found === 'string').toBe(true);
      },
    ),
  );
});
