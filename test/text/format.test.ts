import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { type Emphasis, type TextRange, toggleEmphasis, toggleLink } from '../../src/text/edits/format.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Row } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses, storedText } from './arbitrary.ts';

/** A text with its selection between two `|`. */
function cut(marked: string): { text: string; range: TextRange } {
  const [before = '', inside = '', after = ''] = marked.split('|');
  return { text: before + inside + after, range: { from: before.length, to: before.length + inside.length } };
}

function toggled(text: string, ranges: readonly TextRange[], emphasis: Emphasis): string | undefined {
  try {
    return applyChanges(text, toggleEmphasis(readChecklist(text, statuses), ranges, emphasis));
  } catch (error) {
    if (error instanceof EditRefused) return undefined;
    throw error;
  }
}

test.each<[string, Emphasis, string | undefined]>([
  ['- |wash| up', 'bold', '- **wash** up'],
  ['|- wash up\n> with soap\n- dry|', 'italic', '- *wash up*\n> *with soap*\n- *dry*'],
  ['- | wash |up', 'strike', '-  ~~wash~~ up'],
  ['- |a `b|` c', 'code', '- `a b` c'],
  ['- |a ` b|', 'code', '- ``a ` b``'],
  ['- **wa|sh| up**', 'bold', '- wash up'],
  ['- |**wash**| up', 'bold', '- wash up'],
  ['- a |b **c| d** e', 'bold', '- a **b c d** e'],
  ['- **a**| b|', 'bold', '- **a** **b**'],
  ['- |a **b** c|', 'italic', '- *a **b** c*'],
  ['- **|a|**', 'italic', '- ***a***'],
  ['- see https://e|xam|ple.com now', 'bold', '- see **https://example.com** now'],
  ['- `a |b| c`', 'bold', '- **`a b c`**'],
  ['|- |', 'bold', '- '],
  ['**|- a|**', 'bold', undefined],
  ['- a\n~~|> b|~~', 'strike', undefined],
])('%j made %s is %j', (marked, emphasis, wanted) => {
  const { text, range } = cut(marked);
  expect(toggled(text, [range], emphasis)).toBe(wanted);
});

test('in several ranges at once, all get it unless all have it', () => {
  const both = [
    { from: 2, to: 7 },
    { from: 8, to: 9 },
  ];
  expect(toggled('- **a** b', both, 'bold')).toBe('- **a** **b**');
});

test.each([
  ['- see |docs| now', '- see [docs](https://) now'],
  ['- see [do|c|s](https://a.b) now', '- see docs now'],
  ['- |[x] y|', undefined],
  ['- |a\n- b|', undefined],
  ['- a |b **c| d**', '- a [b **c d**](https://)'],
])('%j as a link, or without, is %j', (marked, wanted) => {
  const { text, range } = cut(marked);
  const run = () => applyChanges(text, toggleLink(readChecklist(text, statuses), range));
  if (wanted === undefined) expect(run).toThrow(EditRefused);
  else expect(run()).toBe(wanted);
});

const shapeOf = (rows: readonly Row[]) =>
  rows.map(row => [row.kind, row.details.length, row.kind === 'checkbox' && [row.status, row.mandatory]]);

test('formatting changes no row but its words, and what it adds it takes away again', () => {
  const emphasis = fc.constantFrom<Emphasis[]>('bold', 'italic', 'strike', 'code');
  fc.assert(
    fc.property(fc.oneof(storedText, markedText), fc.nat(), fc.nat(), emphasis, (text, a, b, kind) => {
      const ends = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y);
      const [from = 0, to = 0] = ends;
      const before = readChecklist(text, statuses);
      const result = toggled(text, [{ from, to }], kind);
      if (result === undefined) return;
      const after = readChecklist(result, statuses);
      expect(shapeOf(after.rows)).toEqual(shapeOf(before.rows));
      if (result.length <= text.length || result.replace(/[*~`]/g, '') !== text.replace(/[*~`]/g, '')) return;
      // All of what lay in the range has it now.
      const grown = to + result.length - text.length;
      const back = toggled(result, [{ from, to: grown }], kind);
      if (back !== undefined && !/[*_~`]/.test(text)) expect(back).toBe(text);
    }),
    runs(4000),
  );
});
