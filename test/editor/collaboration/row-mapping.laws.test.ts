import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowMapping } from '../../../src/editor/collaboration/row-mapping.ts';
import { alignUnits } from '../../../src/text/merge/align.ts';
import { documentOf } from '../../../src/text/merge/units.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';

/** Positions in a text that others reorder, reword, delete from and add to. */

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta');

/** Rows with a number each, by which they are known. */
const lines = fc.array(fc.tuple(fc.constantFrom('-', '+', '#'), word), { minLength: 1, maxLength: 6 });
const write = (rows: readonly string[], closed: boolean) => rows.join('\n') + (closed ? '\n' : '');

interface Next {
  /** The old row's index, or -1 for a new one, and how its words end now. */
  row: number;
  suffix: string;
}

/** A text, and the next one: some rows in another order, some longer, some gone, some new. */
const versions = lines.chain(rows => {
  const old = rows.map(([mark, words], index) => `${mark} r${index} ${words}`);
  const kept = fc
    .shuffledSubarray([...old.keys()])
    .chain(order =>
      fc.tuple(
        ...order.map(row =>
          fc.record({ row: fc.constant(row), suffix: fc.constantFrom('', '', ' more', '\n> detail', '\n') }),
        ),
      ),
    );
  const added = fc.array(fc.nat({ max: 6 }), { maxLength: 2 });
  return fc.tuple(kept, added, fc.boolean(), fc.boolean()).map(([order, places, closed, closes]) => {
    const next: Next[] = [...order];
    for (const place of places) next.splice(Math.min(place, next.length), 0, { row: -1, suffix: '' });
    const texts = next.map(({ row, suffix }, index) => (row < 0 ? `- new ${index}` : `${old[row]}${suffix}`));
    return { before: write(old, closed), after: write(texts, closes), rows: next.map(({ row }) => row), old };
  });
});

const mappingOf = (before: string, after: string, rows: readonly number[]) => {
  const checklist = readChecklist(after);
  return rowMapping(
    readChecklist(before),
    Text.of(before.split('\n')),
    { checklist, rows: rows.map(row => (row < 0 ? undefined : row)) },
    new Set(),
  );
};

test('the changes lead to the next text', () => {
  fc.assert(
    fc.property(versions, ({ before, after, rows }) => {
      const { changes } = mappingOf(before, after, rows);
      expect(changes.apply(Text.of(before.split('\n'))).toString()).toBe(after);
    }),
    runs(500),
  );
});

test('a position in the words of a row stays there', () => {
  fc.assert(
    fc.property(versions, fc.nat(), ({ before, after, rows, old }, seed) => {
      const doc = Text.of(before.split('\n'));
      const { steps } = mappingOf(before, after, rows);
      for (const [row, text] of old.entries()) {
        if (!rows.includes(row)) continue;
        const offset = seed % (text.length + 1);
        const start = before.indexOf(text);
        const there = after.indexOf(text);
        expect(steps.mapPos(start + offset, doc)).toBe(there + offset);
      }
    }),
    runs(500),
  );
});

/** What others do to rows: each step has a kind and two numbers. */
const reshapes = fc.array(
  fc.tuple(
    fc.constantFrom('join', 'split', 'move', 'reword', 'delete', 'type'),
    fc.nat({ max: 5 }),
    fc.nat({ max: 5 }),
  ),
  { minLength: 1, maxLength: 5 },
);

/** The rows after such steps, each with the words of the old rows that it has. */
function reshaped(
  rows: readonly (readonly string[])[],
  steps: readonly (readonly [string, number, number])[],
): string[] {
  const next = rows.map(words => [...words]);
  for (const [kind, at, to] of steps) {
    const index = at % Math.max(1, next.length);
    const words = next[index];
    if (!words) break;
    if (kind === 'join' && index > 0) next.splice(index - 1, 2, [...(next[index - 1] ?? []), ...words]);
    else if (kind === 'split' && words.length > 1) {
      const cut = 1 + (to % (words.length - 1));
      next.splice(index, 1, words.slice(0, cut), words.slice(cut));
    } else if (kind === 'move') next.splice(to % next.length, 0, ...next.splice(index, 1));
    else if (kind === 'reword') words[to % words.length] = `new${at}${to}`;
    else if (kind === 'type') words.splice(to % (words.length + 1), 0, `typed${at}${to}`);
    else if (kind === 'delete' && next.length > 1) next.splice(index, 1);
  }
  return next.map(words => `- ${words.join(' ')}`);
}

test('rows that others split and joined have a way to the next text', () => {
  const rowsOf = fc.array(fc.array(word, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rowsOf, reshapes, (rows, others) => {
      const before = readChecklist(rows.map(words => `- ${words.join(' ')}\n`).join(''));
      const doc = Text.of(before.text.split('\n'));
      const after = `${reshaped(rows, others).join('\n')}\n`;
      const next = readChecklist(after);
      const was = new Map(
        [...alignUnits(documentOf(before).units, documentOf(next).units)].map(([row, now]) => [now, row]),
      );
      const { steps, changes } = mappingOf(
        before.text,
        after,
        next.rows.map((_, index) => was.get(index) ?? -1),
      );
      expect(changes.apply(doc).toString()).toBe(after);
      for (let position = 0; position <= doc.length; position++)
        expect(steps.mapPos(position, doc)).toBeLessThanOrEqual(after.length);
    }),
    runs(500),
  );
});
