import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formerMarks } from '../../../src/editor/commands/former.ts';
import { indent, outdent, toggleDetail, toggleHeader, toItem } from '../../../src/editor/commands/kind.ts';
import { runs } from '../../run/seed.ts';
import { markedText, storedText } from '../../text/arbitrary.ts';
import { marked, run, stateOf } from '../fixture.ts';

test.each([
  [outdent, '- a\n> wh|y', '- a\n- wh|y'],
  [outdent, '- a\n> |b\n> c|', '- a\n- |b\n- c|'],
  [outdent, '## A\n+ a|', '## A\n+ a|'],
  [outdent, '## A|', '# A|'],
  [outdent, '# A|', '# A|'],
  // Levels change together, so that they can be changed back.
  [outdent, '|# A\n## B|', '|# A\n## B|'],
  [indent, '|# A\n- a\n## B|', '#|# A\n- a\n### B|'],
  [indent, '# A|\n- a', '## A|\n- a'],
  [indent, '###### A|', '###### A|'],
  [indent, '- a\n- b|\n> c', '- a\n> b|\n> c'],
  [indent, '- a\n|- b\n|- c', '- a\n|> b\n|- c'],
  [indent, '- a|', '- a|'],
  [indent, '|', '|'],
  [toggleHeader, 'a|', '# a|'],
  [toggleHeader, '- a\n- |b\n- c|', '- a\n# |b\n# c|'],
  [toggleHeader, '# a|', '- a|'],
  [toggleHeader, '- a\n> b|', '- a\n> b|'],
  [toItem, '## a|', '- a|'],
  [toItem, '# ! a|', '# ! a|'],
  [toggleDetail, '- a\n+ b|', '- a\n> b|'],
  [toggleDetail, '- a\n> b|', '- a\n- b|'],
  [toggleDetail, '- a\n# B|', '- a\n# B|'],
])('%# %j', (command, before, after) => expect(run(command, before)).toBe(after));

/** A text after some commands, one after the other. */
function after(text: string, ...commands: (typeof indent)[]): string {
  let state = stateOf(text, formerMarks);
  for (const command of commands) command({ state, dispatch: transaction => (state = transaction.state) });
  return marked(state);
}

test.each([
  ['- a\n+ ! b|', '- a\n> b|'],
  ['- a\n\n~ b|\n> c', '- a\n> b|\n> c'],
  ['- a\n  b|', '- a\n  > b|'],
  ['- a\n|+ b\n~ c|', '- a\n|> b\n> c|'],
])('%j indents and outdents to the same text', (text, between) => {
  expect(after(text, indent)).toBe(between);
  expect(after(text, indent, outdent)).toBe(text);
});

test('an item keeps its status as a header, and has it again as an item', () => {
  expect(after('# A\n+ ! b|', toggleHeader)).toBe('# A\n# b|');
  expect(after('# A\n+ ! b|', toggleHeader, toggleHeader)).toBe('# A\n+ ! b|');
});

/** Any text with any selection. */
const selectedText = fc.tuple(fc.oneof(storedText, markedText), fc.nat(), fc.nat()).map(([text, one, other]) => {
  const doc = text.replaceAll('|', '/');
  const [from = 0, to = 0] = [one % (doc.length + 1), other % (doc.length + 1)].sort((a, b) => a - b);
  return `${doc.slice(0, from)}|${doc.slice(from, to)}|${doc.slice(to)}`;
});
const words = (text: string) => text.replaceAll('|', '');

test('any text that is indented at any selection is the same when it is outdented', () => {
  fc.assert(
    fc.property(selectedText, text => {
      if (words(after(text, indent)) === words(text)) return;
      expect(words(after(text, indent, outdent))).toBe(words(text));
    }),
    runs(2000),
  );
});

test('header levels that go up come down again', () => {
  fc.assert(
    fc.property(selectedText, text => {
      const up = words(after(text, outdent));
      const levels = (of: string) => of.replace(/#/g, '');
      if (up === words(text) || levels(up) !== levels(words(text))) return;
      expect(words(after(text, outdent, indent))).toBe(words(text));
    }),
    runs(2000),
  );
});
