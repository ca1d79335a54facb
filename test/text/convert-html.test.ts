import { expect, test } from 'vitest';
import { convert } from '../../src/text/convert.ts';
import * as clipboards from './clipboards.ts';

const converted = (html: string) => {
  const { text, notation, lost } = convert(html, 'auto');
  expect(notation).toBe('html');
  return { text, lost: lost.map(loss => loss.text) };
};

test('Word', () => {
  expect(converted(clipboards.word)).toEqual({
    text: '# Launch plan\n> Please **check** each step.\n- Book the room\n- Ask “Ann” about *food*\n+ Send invitations',
    lost: ['Ask “Ann” about *food*'],
  });
});

test('Excel', () => {
  expect(converted(clipboards.excel).text).toBe('+ Order paper 2026-11-20\n- Fix A & B');
});

test('Google Docs', () => {
  expect(converted(clipboards.googleDocs)).toEqual({
    text: '## Groceries\n- Milk **now**\n+ Bread\n- Inner step',
    lost: ['Inner step'],
  });
});

test('Notion', () => {
  expect(converted(clipboards.notion).text).toBe('### Sprint\n- Plan `api` with [docs](https://notion.so/x)\n+ Review');
});

test('Confluence', () => {
  expect(converted(clipboards.confluence).text).toBe(
    '## Tasks\n- Write report 2026-11-20\n+ Ask Jane\n- New one\n+ Newer one',
  );
});

test('Confluence keeps people, pages and code', () => {
  const { text, lost } = converted(clipboards.confluenceStorage);
  expect(text).toBe('- Ask [~accountid:557058:ab-1] about Plan 2026-01-02\n+ Two\n- inner\n- if (a < b) { c > d; }');
  expect(lost).toEqual(['inner', 'js']);
});

test('GitHub', () => {
  expect(converted(clipboards.github).text).toBe(
    '- Fix `parse()` :tada:\n+ Close [#12](https://github.com/a/b/issues/12)',
  );
});

test('Gmail', () => {
  expect(converted(clipboards.gmail)).toEqual({
    text: '- Hi all,\n- buy stamps\n+ pay rent\n- call the bank\n- Thanks',
    lost: [],
  });
});

test.each([
  ['<ul><li>a<br>b<li>c</ul>', '- a\n> b\n- c'],
  ['<ul><li><p>a</p><p>b</p></li></ul>', '- a\n> b'],
  ['<table><tr><td>a<td>b<br>c<tr><td>d</table>', '- a – b c\n- d'],
  ['<table><tr><td>left<ul><li>a</li></ul></td><td>right</td></tr></table>', '- left\n- a\n- right'],
  [
    '<h2><b>Title</b></h2><p>x &lt; y &amp; z&#39;s &#8364;&#x41;&#xD800; &nope;</p>',
    "## Title\n- x < y & z's €A\uFFFD &nope;",
  ],
  ['<p>a&nbsp;\u200B <b> b </b>c</p>', '- a **b** c'],
  ['<p>gone <span style="display:none">hidden</span><script>if (a < b) {}</script><!-- c --></p>', '- gone'],
  ['<a href="javascript:x">a</a>', '- a'],
  ['<p><a href="https://a.b/c(d)">l [x]</a></p>', '- [l (x)](https://a.b/c%28d%29)'],
  ['<pre>one\n  two</pre></p>', '- one\n- two'],
  ['<p>! b</p><ul><li><input type=checkbox checked>! c</li></ul>', '! b\n+ **!** c'],
  ['<p>a<select><option>b</option><option>c</option></select><svg><text>d</text></svg></p>', '- a\n- b\n- c'],
  ['<p>a<noscript>b</noscript><textarea>c</textarea>d</p>', '- a\n- c\n- d'],
  ['<![CDATA[a < b]]> <![CDATA[', '- a < b <![CDATA['],
  ['</p>1 < 2 <- <', '- 1 < 2 <- <'],
])('%j gives %j', (html, text) => {
  expect(convert(html, 'html').text).toBe(text);
});
