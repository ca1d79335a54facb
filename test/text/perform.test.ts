import { Parser, TreeFragment } from '@lezer/common';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { ChecklistEdit, ItemValues, RowEdit } from '../../src/domain/change.ts';
import { applyChanges } from '../../src/text/document.ts';
import { hasRows } from '../../src/text/edits/rows.ts';
import * as edits from '../../src/text/edits.ts';
import { ChangedMeanwhile } from '../../src/text/errors.ts';
import { performEdit, rowIdsAfter } from '../../src/text/perform.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Checklist, Target, TextChange } from '../../src/text/types.ts';
import { anyText, lineText, markedText, statuses, storedText } from './arbitrary.ts';

test.each(['constructor', 'toString', '__proto__'])('an account called %s is no member of every object', person => {
  const text = `- ask [~accountid:${person}] first`;
  const target = { index: 0, text: text.slice(2) };
  const clear = (names?: Record<string, string>) =>
    performEdit(readChecklist(text), {
      kind: 'updateChecklistItem',
      target,
      values: { assignee: null, ...(names && { names }) },
    });
  expect(() => clear()).toThrow('name is needed');
  expect(clear({ [person]: 'Ana' })).toBe('- ask Ana first');
});

test('changes of several rows are each made where the row is, whatever the others do', () => {
  const text = '# One\n- a\n> of a\n- b\n- c';
  const [a, b, c] = ['a', 'b', 'c'].map((name, at) => ({ index: at + 1, text: name }));
  if (!a || !b || !c) throw new Error('three rows');
  const change = (...edits: RowEdit[]) => performEdit(readChecklist(text), { kind: 'changeChecklistItems', edits });
  expect(
    change(
      { kind: 'deleteChecklistItem', target: a },
      { kind: 'updateChecklistItem', target: b, values: { text: 'B', mandatory: true } },
      { kind: 'setItemStatus', target: c, status: 'done' },
    ),
  ).toBe('# One\n- ! B\n+ c');
  // One refused edit prevents the others.
  expect(() =>
    change(
      { kind: 'setItemStatus', target: c, status: 'done' },
      { kind: 'setItemStatus', target: { index: 0, text: 'One' }, status: 'done' },
    ),
  ).toThrow('header');
  expect(() =>
    change({ kind: 'setItemStatus', target: c, status: 'done' }, { kind: 'deleteChecklistItem', target: c }),
  ).toThrow(ChangedMeanwhile);
});

test('several ticks lead where one after the other does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('-', '+', '~', 'x', ''), fc.boolean()), { maxLength: 8 }), made => {
      const checklist = readChecklist(made.map(([mark], i) => `${mark} item ${i}\n`).join(''));
      const edits = made.flatMap(([, chosen], index): RowEdit[] =>
        chosen
          ? [{ kind: 'setItemStatus', target: { index, text: checklist.rows[index]?.text ?? '' }, status: 'done' }]
          : [],
      );
      const single = edits.reduce((now, edit) => readChecklist(performEdit(now, edit)), checklist);
      expect(performEdit(checklist, { kind: 'changeChecklistItems', edits })).toBe(single.text);
    }),
  );
});

/** What was thrown, or the result. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}

/** The values of an item, one after the other, each in the whole text. */
function inWhole(checklist: Checklist, index: number, values: ItemValues): string {
  let now = checklist;
  const step = (edit: (now: Checklist, target: Target) => TextChange[]) => {
    const target = { index, text: now.rows[index]?.text ?? '' };
    now = readChecklist(applyChanges(now.text, edit(now, target)), statuses);
  };
  const { text, mandatory, assignee, dueDate, details } = values;
  if (text !== undefined) step((here, row) => edits.rename(here, row, text));
  if (mandatory !== undefined) step((here, row) => edits.setMandatory(here, row, mandatory));
  if (typeof assignee === 'string') step((here, row) => edits.setAssignee(here, row, assignee));
  if (typeof dueDate === 'string') step((here, row) => edits.setDueDate(here, row, dueDate));
  if (details !== undefined) step((here, row) => edits.setDetails(here, row, details));
  return now.text;
}

const someValues = fc.record(
  {
    text: lineText,
    mandatory: fc.boolean(),
    assignee: fc.constant('a:1'),
    dueDate: fc.constant('2026-12-24'),
    details: fc.array(lineText, { maxLength: 3 }).map(lines => lines.join('\n')),
  },
  { requiredKeys: [] },
);

test('values of an item in a large text lead where they do in the whole text', () => {
  fc.assert(
    fc.property(storedText, fc.nat(), someValues, (text, at, values) => {
      const checklist = readChecklist(text, statuses);
      if (checklist.rows.length === 0) return;
      const index = at % checklist.rows.length;
      const target = { index, text: checklist.rows[index]?.text ?? '' };
      expect(outcome(() => performEdit(checklist, { kind: 'updateChecklistItem', target, values }))).toBe(
        outcome(() => inWhole(checklist, index, values)),
      );
    }),
  );
});

test('a change of many rows does not read the whole text for each', () => {
  const checklist = readChecklist(Array.from({ length: 500 }, (_, index) => `- item ${index}\n`).join(''));
  const rowEdits = checklist.rows.map(
    ({ text }, index): RowEdit => ({
      kind: 'updateChecklistItem',
      target: { index, text },
      values: { text: `new ${index}`, mandatory: true, details: 'a' },
    }),
  );
  const again = vi.spyOn(TreeFragment, 'applyChanges');
  const text = performEdit(checklist, { kind: 'changeChecklistItems', edits: rowEdits });
  expect(again).not.toHaveBeenCalled();
  again.mockRestore();
  expect(text.split('\n').slice(0, 4)).toEqual(['- ! new 0', '> a', '- ! new 1', '> a']);
});

test('each value of many rows costs one reading of its row at most', () => {
  const checklist = readChecklist(Array.from({ length: 50 }, (_, index) => `- item ${index}\n`).join(''));
  const read = vi.spyOn(Parser.prototype, 'startParse');
  const readings = (values: ItemValues) => {
    read.mockClear();
    const edits = checklist.rows.map(
      ({ text }, index): RowEdit => ({ kind: 'updateChecklistItem', target: { index, text }, values }),
    );
    performEdit(checklist, { kind: 'changeChecklistItems', edits });
    return read.mock.calls.length;
  };
  expect(readings({ text: 'new text' })).toBeGreaterThan(0);
  const text = 'new text';
  expect(readings({ assignee: 'a:1' })).toBeLessThanOrEqual(50);
  expect(readings({ dueDate: '2026-12-24' })).toBeLessThanOrEqual(50);
  expect(readings({ mandatory: true })).toBeLessThanOrEqual(50);
  expect(readings({ text, mandatory: true, assignee: 'a:1', dueDate: '2026-12-24' })).toBeLessThanOrEqual(200);
  read.mockRestore();
});

const long = `Long ${'_*'.repeat(2_000)}`;
const ofLong = (values: ItemValues): RowEdit => ({
  kind: 'updateChecklistItem',
  target: { index: 0, text: long },
  values,
});
test('an edit that a long row cannot have is refused', () => {
  const row = `[Status] ${long}`;
  const checklist = readChecklist(row, statuses);
  const edit = { kind: 'setItemStatus', target: { index: 0, text: row }, status: 'nothing' } as const;
  expect(() => performEdit(checklist, edit)).toThrow('This status does not exist.');
  const header = readChecklist(`# ${long}`);
  expect(() => performEdit(header, ofLong({ mandatory: true }))).toThrow('A header has no status');
});

test('a text has rows where one line is not blank', () => {
  fc.assert(
    fc.property(anyText, text => {
      expect(hasRows(text)).toBe(readChecklist(text).rows.length > 0);
    }),
  );
});

test('an edit that deletes or moves rows says which rows are left, in their order, also among equal rows', () => {
  const several = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      markedText,
      fc.constantFrom('delete', 'deleteSeveral', 'move', 'moveSection'),
      several,
      fc.nat(),
      (text, kind, chosen, at) => {
        const checklist = readChecklist(text, statuses);
        const { rows } = checklist;
        if (rows.length === 0) return;
        const indexes = [...new Set(chosen.map(each => each % rows.length))];
        const targets = indexes.map(index => ({ index, text: rows[index]?.text ?? '' }));
        const [target] = targets;
        if (!target || (kind === 'moveSection' && rows[target.index]?.kind !== 'header')) return;
        const edits: Record<typeof kind, ChecklistEdit> = {
          delete: { kind: 'deleteChecklistItem', target },
          deleteSeveral: {
            kind: 'changeChecklistItems',
            edits: targets.map(each => ({ kind: 'deleteChecklistItem', target: each })),
          },
          move: { kind: 'moveChecklistItem', targets, section: false, index: at % (rows.length + 1) },
          moveSection: { kind: 'moveChecklistItem', targets: [target], section: true, index: at % (rows.length + 1) },
        };
        const saying = (index: number) =>
          JSON.stringify([rows[index]?.text, rows[index]?.details.map(line => line.text)]);
        const after = readChecklist(performEdit(checklist, edits[kind]), statuses).rows;
        const said = after.map(row => JSON.stringify([row.text, row.details.map(line => line.text)]));
        const ids =
          rowIdsAfter(
            edits[kind],
            rows.map((_, index) => String(index)),
            checklist,
          ) ?? [];
        expect(ids.map(id => saying(Number(id)))).toEqual(said);
        expect(new Set(ids).size).toBe(ids.length);
      },
    ),
  );
});
