import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert } from '../../src/text/convert.ts';
import { exportHtml } from '../../src/text/export/html.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { anyText, markedText, statuses } from './arbitrary.ts';

const html = (text: string, nameOf?: (id: string) => string | undefined) =>
  exportHtml(readChecklist(text, statuses), nameOf ? { nameOf } : {});

test('headers, lists with boxes, details as lines of their items', () => {
  expect(html('# Head\n> why\n- a **b**\n> d\n+ ! `c`')).toBe(
    '<h1>Head</h1><p>why</p><ul class="contains-task-list">' +
      '<li class="task-list-item"><input type="checkbox" disabled> a <strong>b</strong><br>d</li>' +
      '<li class="task-list-item"><input type="checkbox" disabled checked> ! <s><code>c</code></s></li></ul>',
  );
});

test("a header's marks are words", () => {
  expect(html('# Ship !before:[a<b] !customers')).toBe('<h1>Ship (Before a&lt;b) (Visible to customers)</h1>');
});

test('people by name where it is known', () => {
  expect(html('- [~accountid:a1] [~accountid:a2]', id => (id === 'a1' ? 'Ann <b>' : undefined))).toContain(
    '@Ann &lt;b&gt; [~accountid:a2]',
  );
});

test('no text is markup', () => {
  const page = html('- <img src=x onerror=a> [l"\'](https://a.b/"onclick=) "&amp;" javascript:x `</li>`');
  expect(page).not.toMatch(/<img|<\/li>`|"onclick/);
  expect(page).toContain('&amp;amp;');
});

const known = /^(?:h[1-6]|p|ul|li|input|strong|em|s|code|a|br)$/;

test('of any text, only our own elements come out', () => {
  fc.assert(
    fc.property(anyText, text => {
      for (const [, name = ''] of html(text).matchAll(/<\/?([^\s>]*)/g)) expect(name).toMatch(known);
    }),
  );
});

test('what is done and what not is read back', () => {
  const text = '# Head\n- a **b**\n> d\n+ c\n- see [x](https://a.b/c)';
  expect(convert(html(text), 'html').text).toBe(text);
});

test('every status and importance shows, and is read back', () => {
  const text =
    '- a\n+ b\n~ c\nx d\n~ ! e\n- ! f\n+ ! g\n- [Blocked] ! h\n+ [Released] i\n! j\n- [Skipped] k\n+ [Done] l\n> m\n- **!** n';
  const page = html(text);
  for (const shown of ['[In Progress] c', '[Skipped] <s>d</s>', '[In Progress] ! e', ' ! f', ' ! <s>g</s>'])
    expect(page).toContain(shown);
  expect(convert(page, 'html').text).toBe(text);
});

test('items of any checklist are read back from HTML with their state', () => {
  const outline = (text: string) =>
    readChecklist(text, statuses).rows.map(row =>
      row.kind === 'header'
        ? `#${row.level} ${row.text.replaceAll('**', '')}`
        : `${row.status.slug} ${row.mandatory} ${row.text}`,
    );
  fc.assert(
    fc.property(markedText, text => {
      // A header is bold as it is. Details of one are paragraphs, which are items where no item follows. An item without words is none in a page.
      const held = text.replace(/\n>.*/g, '').replace(/^-$/gm, '- a');
      expect(outline(convert(html(held), 'html').text)).toEqual(outline(held));
    }),
    runs(500),
  );
});
