import { EditorSelection, Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { rowMapping } from '../../../src/editor/collaboration/row-mapping.ts';
import { readChecklist } from '../../../src/text/read.ts';

/**
 * The text after a change of others, with the cursor (|) that stood in the text before. `rows`: for each row after the
 * change the row that it was.
 */
function after(before: string, text: string, rows: readonly (number | undefined)[]): string {
  const position = before.indexOf('|');
  const old = before.replace('|', '');
  const doc = Text.of(old.split('\n'));
  const mapping = rowMapping(readChecklist(old), doc, { checklist: readChecklist(text), rows }, new Set());
  const changed = mapping.changes.apply(doc).toString();
  expect(changed).toBe(text);
  const mapped = mapping.steps.mapPos(position, doc);
  return `${changed.slice(0, mapped)}|${changed.slice(mapped)}`;
}

test.each([
  ['the first part of a split row', '- one| two\n', '- one\n- two\n', [0, undefined], '- one|\n- two\n'],
  ['the second part', '- one two|\n', '- one\n- two\n', [0, undefined], '- one\n- two|\n'],
  [
    'the second part, which is the row',
    '- one tw|o three\n',
    '- one\n- two three\n',
    [undefined, 0],
    '- one\n- tw|o three\n',
  ],
  [
    'a part that was moved',
    '- one two|\n- other\n',
    '- one\n- other\n- two\n',
    [0, 1, undefined],
    '- one\n- other\n- two|\n',
  ],
  [
    'a detail of which the last word is gone, above a new blank line',
    '- one\n> two three|\n- other\n',
    '- one more\n> two\n\n- other\n',
    [0, 1],
    '- one more\n> two|\n\n- other\n',
  ],
  ['a row that was joined to the one above', '- one\n- tw|o\n', '- one two\n', [0], '- one tw|o\n'],
  ['the row that another one was joined to', '- on|e\n- two\n', '- one two\n', [0], '- on|e two\n'],
  [
    'a row that was joined to a distant one',
    '- one\n- other\n- tw|o\n',
    '- one two\n- other\n',
    [0, 1],
    '- one tw|o\n- other\n',
  ],
  [
    'a row that was joined to a new one',
    '- one\n- tw|o\n',
    '- one\n- new two\n',
    [0, undefined],
    '- one\n- new tw|o\n',
  ],
  ['a row among three that were joined', '- one\n- tw|o\n- three\n', '- one two three\n', [0], '- one tw|o three\n'],
  [
    'a word that was split off and typed into',
    '- one two|\n',
    '- one\n- more newtwo most\n',
    [0, undefined],
    '- one\n- more newtwo| most\n',
  ],
  [
    'the details of a row that was joined to another one',
    '- one\n- two\n> three |four\n- five six seven\n',
    '- one two four five six seven\n> three four\n',
    [0],
    '- one two four five six seven\n> three |four\n',
  ],
  ['a word beside a new one', '- one two| three\n', '- one newthree\n', [0], '- one |newthree\n'],
  ['a word that a part was taken from', '- one nested|new\n', '- one new\n', [0], '- one |new\n'],
  ['a word that something was typed in front of', '- one new|\n', '- one nestednew\n', [0], '- one nestednew|\n'],
  [
    'a row that became a detail',
    '- one\n> detail\n- tw|o\n',
    '- one\n> detail\n> two\n',
    [0],
    '- one\n> detail\n> tw|o\n',
  ],
])('a cursor goes with its words: %s', (_, before, text, rows, expected) => {
  expect(after(before, text, rows)).toBe(expected);
});

/** The selected text after a change of others; `[` and `]` are around it in the text before. */
function selectedAfter(before: string, text: string, rows: readonly (number | undefined)[]): string {
  const range = EditorSelection.range(before.indexOf('['), before.indexOf(']') - 1);
  const old = before.replace(/[[\]]/g, '');
  const doc = Text.of(old.split('\n'));
  const mapping = rowMapping(readChecklist(old), doc, { checklist: readChecklist(text), rows }, new Set());
  const { from, to } = mapping.mapRange(range);
  return text.slice(from, to);
}

test.each([
  ['words typed at its start', '- one [two] three\n', '- one new two three\n', [0], 'two'],
  ['words typed at its end', '- one[ two] three\n', '- one two new three\n', [0], ' two'],
  ['a row that was joined with the selected one', '[- one\n]- two\n', '- one two\n', [0], '- one'],
  ['a row that was joined with it, and a new one', '[- one\n]- two\n', '- one two\n- new\n', [0, undefined], '- one'],
  [
    'a row that was joined with the first line of the selected one',
    '- one\n[- two\n> three\n]- four\n',
    '- two one\n> three\n- four\n',
    [1, 2],
    '- two',
  ],
  ['words typed behind a selected row', '[- one\n]- two\n', '- one new\n- two\n', [0, 1], '- one'],
  [
    'rows that were moved together',
    '- a\n[- one\n- two\n]- b\n',
    '- one\n- two\n- a\n- b\n',
    [1, 2, 0, 3],
    '- one\n- two\n',
  ],
  ['a row that was put between the selected ones', '- [one\n- two]\n- b\n', '- one\n- b\n- two\n', [0, 2, 1], ''],
])('a selection takes in no more than it has: %s', (_, before, text, rows, expected) => {
  expect(selectedAfter(before, text, rows)).toBe(expected);
});

test('a selection from a blank on, where another user splits the row, begins behind the word and not in a mark', () => {
  expect(selectedAfter('- one[ two]\n', '- one\n- two\n', [0, undefined])).toBe('\n- two');
});

test('of a selection whose rows were moved apart, the cursor stays in its row, also where another row was joined', () => {
  const [before, text] = ['- one\n- two\n- three\n- four\n', '- two one\n- four\n- three\n'];
  const doc = Text.of(before.split('\n'));
  const mapping = rowMapping(
    readChecklist(before),
    doc,
    { checklist: readChecklist(text), rows: [1, 3, 2] },
    new Set(),
  );
  const { empty, head } = mapping.mapRange(EditorSelection.range(before.indexOf('- two'), before.indexOf('ree')));
  expect(empty).toBe(true);
  expect(text.slice(head)).toBe('ree\n');
});

test.each([
  ['its row', '- one two\n> no|te\n- other\n', '- one three\n- other\n', [0, 1]],
  ['its row, and others stay', '- one two\n> no|te\n> more\n', '- one three\n> more\n', [0]],
  ['the detail above it', '- one\n> first words\n> second| line\n', '- one\n> first thing\n', [0]],
])(
  'a detail is deleted while others reword %s: the cursor is in a deleted line, not in their words',
  (_, before, text, rows) => {
    const position = before.indexOf('|');
    const old = before.replace('|', '');
    const doc = Text.of(old.split('\n'));
    const mapping = rowMapping(readChecklist(old), doc, { checklist: readChecklist(text), rows }, new Set());
    expect(mapping.changes.apply(doc).toString()).toBe(text);
    expect(mapping.deletedLineAt(position)).toBe('detail');
    const { head } = mapping.mapRange(EditorSelection.cursor(position));
    expect(text.slice(0, head)).toMatch(/\n$/);
  },
);

test.each([
  ['- one |\n- b\n', '- one two \n- b\n', '- one two |\n- b\n'],
  ['- one |', '- one two ', '- one two |'],
  ['- one|\n', '- one two\n', '- one| two\n'],
  ['- one |three\n', '- one two three\n', '- one two |three\n'],
  ['- one| three\n', '- one two three\n', '- one| two three\n'],
])('words that come in do not touch what is typed next: %j', (before, text, expected) => {
  const position = before.indexOf('|');
  const old = before.replace('|', '');
  const mapping = rowMapping(
    readChecklist(old),
    Text.of(old.split('\n')),
    { checklist: readChecklist(text), rows: [0, 1] },
    new Set(),
  );
  const { head } = mapping.mapRange(EditorSelection.cursor(position));
  expect(`${text.slice(0, head)}|${text.slice(head)}`).toBe(expected);
});

test.each([
  ['words of others', '- one two|\n- three\n', '# new one other\n- three\n', [undefined, 1]],
  ['a row that ends with the same word', '- three two\n- one two|\n', '- three two\n', [0]],
])('the cursor of a deleted row is not in %s', (_, before, text, rows) => {
  const old = before.replace('|', '');
  const doc = Text.of(old.split('\n'));
  const mapping = rowMapping(readChecklist(old), doc, { checklist: readChecklist(text), rows }, new Set());
  const position = before.indexOf('|');
  expect(mapping.deletedLineAt(position)).toBe('row');
  const { head } = mapping.mapRange(EditorSelection.cursor(position));
  expect(text.slice(0, head)).toMatch(/^$|\n$/);
});

test('a blank line that others delete is one where a row begins', () => {
  const old = '- one\n\n- two\n';
  const next = { checklist: readChecklist('- one\n- two\n'), rows: [0, 1] };
  expect(rowMapping(readChecklist(old), Text.of(old.split('\n')), next, new Set()).deletedLineAt(6)).toBe('row');
});

test('the empty last line is not deleted with the lines above it', () => {
  const old = '# one\n> two\n';
  const next = { checklist: readChecklist('# one\n- new\n> two\n'), rows: [0, undefined] };
  expect(rowMapping(readChecklist(old), Text.of(old.split('\n')), next, new Set()).deletedLineAt(12)).toBeUndefined();
});
