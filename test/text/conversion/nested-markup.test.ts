import { expect, test } from 'vitest';
import { readClip } from '../../../src/text/convert/clip.ts';
import { convert } from '../../../src/text/convert.ts';

const outcome = (input: string, from: Parameters<typeof convert>[1] = 'auto') => {
  const { text, lost } = convert(input, from);
  return { text, lost: lost.map(loss => `${loss.line}: ${loss.text}`) };
};

test.each([
  [
    'code in a panel',
    '{panel:title=Steps}\n# Stop\n# Run\n{code:bash}\n./deploy.sh\n{code}\n# Start\n{panel}\n# Check',
    '- Stop\n- Run\n> `./deploy.sh`\n- Start\n- Check',
  ],
  ['code in a note', '{info}\nRun:\n{code}\nls -l\n{code}\n{info}\n* then check', '- Run:\n> `ls -l`\n- then check'],
  ['code in a quote', '* Ask\n{quote}\nas in\n{noformat}\na {quote} b\n{noformat}\nabove\n{quote}\n* Go', ''],
  ['macros that close in one line', '{tip}\n* a {code}x{code}{tip}\n* b', '- a `x`\n- b'],
  ['a quote in a panel', '{panel}\n* Say\n{quote}\n* hello\n{quote}\n{panel}\nDone', '- Say\n> * hello\n- Done'],
  ['a macro that ends behind its words', '{note}\n* a\n* b{note}\n* c', '- a\n- b\n- c'],
])('wiki: %s', (_, input, expected) => {
  const written = '- Ask\n> as in\n> `a {quote} b`\n> above\n- Go';
  expect(convert(input, 'auto')).toMatchObject({ notation: 'wiki', text: expected || written });
});

test('wiki: an icon of the tracker begins a line of its own, as the ones of statuses do', () => {
  expect(convert('(/) Unit tests\n(x) Load tests\n(!) Licences\nand more', 'wiki').text).toBe(
    '+ Unit tests\n- Load tests\n- (!) Licences\n> and more',
  );
});

test('a table of Markdown whose rule has single dashes is Markdown, whatever lists of tags its cells hold', () => {
  expect(
    convert('| | Item |\n|-|-|\n| <ul><li>[x] </li></ul> | Alpha |\n| <ul><li>[ ] </li></ul> | Beta |', 'auto'),
  ).toMatchObject({ notation: 'github', text: '+ Alpha\n- Beta' });
});

test('accounts that an export lists by their ids are the people of an item', () => {
  const id = '5b10a2844c20165700ede21g';
  const input = JSON.stringify([{ name: 'Review', checked: false, assigneeIds: [id] }]);
  expect(outcome(input)).toEqual({ text: `- Review [~accountid:${id}]`, lost: [] });
});

test('comments that people wrote into a page are reported, those of programs are not', () => {
  expect(outcome('<!-- one -->\n<p>a</p>\n\n<!-- two\nlines --><p>b</p><!---->')).toEqual({
    text: '- a\n- b',
    lost: ['1: one', '4: two\nlines'],
  });
  const ofPrograms =
    '<style><!-- p {margin:0} --></style><!--StartFragment--><!--[if !supportLists]--><p>a</p><!--[endif]--><!--EndFragment-->';
  expect(outcome(ofPrograms, 'html')).toEqual({ text: '- a', lost: [] });
  const deep = `<!-- one -->${'<div>'.repeat(300)}a<!-- two -->`;
  expect(outcome(deep, 'html')).toEqual({ text: '- a', lost: ['1: ', '1: one', '1: two'] });
  expect(readClip({ html: '<ul><li>a</li><!-- one --><li>b</li></ul>', text: 'a\nb' })).toMatchObject({
    text: '- a\n- b',
    lost: [],
  });
});

test('code that holds a bar keeps its backticks, and in a cell the backslash before the bar goes', () => {
  expect(convert('- [ ] ``|`` and `a\\|b`', 'github').text).toBe('- ``|`` and `a\\|b`');
  expect(convert('| Task | Notes |\n|---|---|\n| a | `x\\|y` |', 'github').text).toBe('- a\n> `x|y`');
});

test('a backslash that is the address of no link keeps itself', () => {
  expect(convert('- [ ] [a](\\\\) and [b](\\_)', 'github').text).toBe('- [a](\\) and [b](_)');
});
