import { history, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { EditorState, Text, Transaction } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedHistory } from '../../../src/editor/collaboration/moved-history.ts';
import { rowMapping } from '../../../src/editor/collaboration/row-mapping.ts';
import { alignUnits } from '../../../src/text/merge/align.ts';
import { documentOf } from '../../../src/text/merge/units.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';

/** Positions, changes and undo steps of a text that others reorder, reword, delete from and add to. */

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

/** Types words and breaks into rows, and deletes one. */
function edited(text: string, seeds: readonly number[]): EditorState {
  let state = EditorState.create({ doc: text, extensions: history() });
  for (const [index, seed] of seeds.entries()) {
    const filled = state.doc
      .toString()
      .split('\n')
      .flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]));
    const line = state.doc.line(filled[seed % filled.length] ?? 1);
    const isDeletion = seed % 5 === 0;
    const changes = isDeletion
      ? { from: line.from, to: Math.min(line.to + 1, state.doc.length) }
      : { from: line.to, insert: seed % 3 === 0 ? `\n- t${index}` : ` t${index}` };
    state = state.update({
      changes,
      userEvent: isDeletion ? 'delete' : 'input',
      selection: { anchor: line.from },
    }).state;
  }
  return state;
}

const last = (state: EditorState, command: typeof undo) => {
  let next = state;
  while (command({ state: next, dispatch: transaction => (next = transaction.state) }));
  return next;
};
const lineSet = (state: EditorState) => state.doc.toString().split('\n').filter(Boolean).sort();

/** The rows in another order, each with a line break. */
function turned(state: EditorState, turn: number) {
  const before = readChecklist(state.doc.toString());
  const count = before.rows.length;
  const order = before.rows.map((_, index) => (index + turn) % count);
  const blocks = before.starts.map((from, index) => before.text.slice(from, before.starts[index + 1]));
  const closed = blocks.map(block => (block.endsWith('\n') ? block : `${block}\n`));
  const after = before.text.slice(0, before.starts[0]) + order.map(row => closed[row] ?? '').join('');
  return { after, ...mappingOf(before.text, after, order) };
}

test('undo takes back each step in the row where it was made, and redo makes it again', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 3 }),
      fc.nat(),
      (words, seeds, undone, turn) => {
        let state = edited(words.map(each => `- ${each}\n`).join(''), seeds);
        for (let count = 0; count < undone; count++) undo({ state, dispatch: ({ state: next }) => (state = next) });
        if (readChecklist(state.doc.toString()).rows.length === 0) return;
        const { after, steps, changes, isReordering } = turned(state, turn);
        if (!isReordering) return;
        const next = changes.apply(state.doc);
        const moved = movedHistory(state, steps, next);
        expect(moved.doc.toString()).toBe(after);
        expect([undoDepth(moved), redoDepth(moved)]).toEqual([undoDepth(state), redoDepth(state)]);
        expect(lineSet(last(moved, undo))).toEqual(lineSet(last(state, undo)));
        expect(lineSet(last(moved, redo))).toEqual(lineSet(last(state, redo)));
        expect(last(last(moved, undo), redo).doc.toString()).toBe(last(moved, redo).doc.toString());
      },
    ),
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

test('rows that others split and joined have a way to the next text, for positions and undo steps', () => {
  const rowsOf = fc.array(fc.array(word, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rowsOf, reshapes, fc.array(fc.nat(), { maxLength: 4 }), (rows, others, seeds) => {
      const state = edited(rows.map(words => `- ${words.join(' ')}\n`).join(''), seeds);
      const before = readChecklist(state.doc.toString());
      if (before.rows.length === 0) return;
      const after = `${reshaped(rows, others).join('\n')}\n`;
      const next = readChecklist(after);
      const was = new Map(
        [...alignUnits(documentOf(before).units, documentOf(next).units)].map(([row, now]) => [now, row]),
      );
      const { steps, changes, isReordering } = mappingOf(
        before.text,
        after,
        next.rows.map((_, index) => was.get(index) ?? -1),
      );
      expect(changes.apply(state.doc).toString()).toBe(after);
      for (let position = 0; position <= state.doc.length; position++)
        expect(steps.mapPos(position, state.doc)).toBeLessThanOrEqual(after.length);
      if (!isReordering) return;
      const moved = movedHistory(state, steps, changes.apply(state.doc));
      expect(moved.doc.toString()).toBe(after);
    }),
    runs(500),
  );
});

test('a plain mapping of the same change would lose the step', () => {
  const state = EditorState.create({ doc: '- a\n- b\n', extensions: history() });
  const typed = state.update({ changes: { from: 3, insert: ' words' }, userEvent: 'input.type' }).state;
  const { changes, steps } = mappingOf('- a words\n- b\n', '- b\n- a words\n', [1, 0]);
  const plain = typed.update({ changes, annotations: Transaction.addToHistory.of(false) }).state;
  expect(last(movedHistory(typed, steps, plain.doc), undo).doc.toString()).toBe('- b\n- a\n');
});
