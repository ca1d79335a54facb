import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, differenceOf } from '../../src/text/document.ts';
import { joinChanges } from '../../src/text/edits/join-changes.ts';
import {
  clearAssignee,
  clearDueDate,
  rename,
  setAssignee,
  setDetails,
  setDueDate,
  setMandatory,
  setStatus,
  toggleChecked,
} from '../../src/text/edits.ts';
import { EditRefused, ItemsRequired } from '../../src/text/errors.ts';
import { readChecklist } from '../../src/text/read.ts';
import { sourceOf, targetOf } from '../../src/text/rows.ts';
import type { CheckboxRow, Checklist, Row, Target, TextChange } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { lineText, markedText, statuses, storedText } from './arbitrary.ts';

type Edit = (checklist: Checklist, target: Target) => TextChange[];

const slugs = statuses.list.map(({ slug }) => slug);

/** An edit of one item, and what of the item it gives another value. */
const edit: fc.Arbitrary<{ edit: Edit; gives: (row: CheckboxRow) => Partial<Record<keyof CheckboxRow, unknown>> }> =
  fc.oneof(
    fc.constantFrom(...slugs).map(slug => ({
      edit: (list: Checklist, row: Target) => setStatus(list, row, slug),
      gives: () => ({ status: statuses.bySlug(slug) }),
    })),
    fc.constant({
      edit: toggleChecked,
      gives: ({ status }: CheckboxRow) => ({ status: statuses.bySlug(status.checked ? 'todo' : 'done') }),
    }),
    fc.boolean().map(mandatory => ({
      edit: (list: Checklist, row: Target) => setMandatory(list, row, mandatory),
      gives: () => ({ mandatory }),
    })),
    fc.array(lineText, { maxLength: 3 }).map(lines => ({
      edit: (list: Checklist, row: Target) => setDetails(list, row, lines.join('\n')),
      gives: () => ({ details: expect.anything(), mentions: expect.anything(), issueKeys: expect.anything() }),
    })),
    fc.constantFrom('a', 'b:1').map(assignee => ({
      edit: (list: Checklist, row: Target) => setAssignee(list, row, assignee),
      gives: () => ({ assignee, text: expect.stringContaining(assignee), mentions: expect.anything() }),
    })),
    fc.constant({
      edit: (list: Checklist, row: Target) => clearAssignee(list, row, () => 'Ana'),
      gives: () => ({ assignee: undefined, text: expect.anything(), mentions: expect.anything() }),
    }),
    fc.constantFrom('2026-12-01', '1999-01-31').map(dueDate => ({
      edit: (list: Checklist, row: Target) => setDueDate(list, row, dueDate),
      gives: () => ({ dueDate, text: expect.anything() }),
    })),
    fc.constant({ edit: clearDueDate, gives: () => ({ dueDate: undefined, text: expect.anything() }) }),
  );

const attempt = (checklist: Checklist, index: number, run: Edit): TextChange[] | undefined => {
  try {
    return run(checklist, targetOf(checklist, index));
  } catch (error) {
    if (error instanceof EditRefused || error instanceof ItemsRequired) return undefined;
    throw error;
  }
};

const factsOf = (row: Row) => ({
  assignee: undefined,
  dueDate: undefined,
  ...row,
  // Follows from the text.
  words: undefined,
  length: undefined,
  content: undefined,
  details: row.details.map(({ text }) => text),
});

const anyStored = fc.oneof(storedText, markedText);

test('an edit of an item gives exactly what it promises', () => {
  fc.assert(
    fc.property(anyStored, fc.nat(), edit, (text, pick, { edit, gives }) => {
      const before = readChecklist(text, statuses);
      fc.pre(before.rows.length > 0);
      const index = pick % before.rows.length;
      const old = before.rows[index];
      // The mark that a first edit of an unmarked `! a` writes makes it mandatory.
      fc.pre(old?.kind === 'checkbox' && !/^[ \t]*(!|\[.*\]\s*!)/.test(sourceOf(before, index)));
      const changes = attempt(before, index, edit);
      fc.pre(changes !== undefined);
      const { rows } = readChecklist(applyChanges(text, changes), statuses);
      expect(rows.toSpliced(index, 1)).toEqual(before.rows.toSpliced(index, 1));
      const row = rows[index];
      expect(row && factsOf(row)).toEqual({ ...factsOf(old), ...gives(old) });
    }),
    runs(4000),
  );
});

test('a renamed row says what was typed, its flags apart', () => {
  fc.assert(
    fc.property(anyStored, fc.nat(), lineText, (text, pick, typed) => {
      const before = readChecklist(text, statuses);
      fc.pre(before.rows.length > 0);
      const index = pick % before.rows.length;
      const changes = attempt(before, index, (list, row) => rename(list, row, typed));
      fc.pre(changes !== undefined);
      const row = readChecklist(applyChanges(text, changes), statuses).rows[index];
      expect(row?.kind).toBe(before.rows[index]?.kind);
      const words = typed.replace(/^[ \t]+|[ \t]+$/g, '');
      expect(words.endsWith(row?.text ?? '-')).toBe(true);
      const flags = words.slice(0, words.length - (row?.text.length ?? 0));
      expect(flags).toMatch(/^(\[(on\s+hold|released)\]|!|[ \t])*$/i);
    }),
    runs(3000),
  );
});

test('edits of different rows can be made at once, or one after the other in any order', () => {
  fc.assert(
    fc.property(anyStored, fc.nat(), fc.nat(), edit, edit, (text, pick, other, first, second) => {
      const before = readChecklist(text, statuses);
      fc.pre(before.rows.length > 1);
      const [a, b] = [pick % before.rows.length, other % before.rows.length];
      fc.pre(a !== b);
      const [left, right] = [attempt(before, a, first.edit), attempt(before, b, second.edit)];
      fc.pre(left !== undefined && right !== undefined);
      const both = applyChanges(text, joinChanges(left, right));
      const then = (changes: TextChange[], index: number, run: Edit) => {
        const after = readChecklist(applyChanges(text, changes), statuses);
        return applyChanges(after.text, run(after, targetOf(after, index)));
      };
      expect(then(left, b, second.edit)).toBe(both);
      expect(then(right, a, first.edit)).toBe(both);
    }),
    runs(2000),
  );
});

test('what an edit changes stays inside its row', () => {
  fc.assert(
    fc.property(anyStored, fc.nat(), edit, (text, pick, { edit }) => {
      const checklist = readChecklist(text, statuses);
      fc.pre(checklist.rows.length > 0);
      const index = pick % checklist.rows.length;
      const start = checklist.starts[index] ?? 0;
      const end = start + (checklist.rows[index]?.length ?? 0);
      for (const { from, to = from } of attempt(checklist, index, edit) ?? []) {
        expect(from).toBeGreaterThanOrEqual(start);
        expect(to).toBeLessThanOrEqual(end);
      }
    }),
    runs(1000),
  );
});

const size = (changes: readonly TextChange[]) =>
  changes.reduce((sum, { from, to = from, insert = '' }) => sum + to - from + insert.length, 0);

test('an edit of a marked item takes no more characters than one change of all that differs', () => {
  fc.assert(
    fc.property(anyStored, fc.nat(), edit, (text, pick, { edit }) => {
      const checklist = readChecklist(text, statuses);
      fc.pre(checklist.rows.length > 0);
      const index = pick % checklist.rows.length;
      const { content, details } = checklist.rows[index] ?? { content: { from: 0 }, details: [] };
      fc.pre(details.length === 0 && sourceOf(checklist, index).slice(0, content.from).trim() !== '');
      const changes = attempt(checklist, index, edit);
      fc.pre(changes !== undefined);
      const difference = differenceOf(text, applyChanges(text, changes)) ?? { from: 0, toA: 0, toB: 0 };
      const { from, toA, toB } = difference;
      expect(size(changes)).toBeLessThanOrEqual(toA - from + toB - from);
      for (const change of changes) expect(size([change])).toBeGreaterThan(0);
    }),
    runs(2000),
  );
});
