import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ItemValues } from '../../src/domain/change.ts';
import { compareRows, type RowChange } from '../../src/text/compare.ts';
import { align } from '../../src/text/identity.ts';
import { performEdit } from '../../src/text/perform.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Row } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { anyText, statuses } from './arbitrary.ts';

const read = (text: string) => readChecklist(text, statuses);

/** Changes as short lines. */
const reported = (before: string, after: string, ids = {}) =>
  compareRows(read(before), read(after), ids).map(change => {
    const show = (value: unknown) => (typeof value === 'object' && value && 'slug' in value ? value.slug : value);
    return 'from' in change
      ? `${change.row}: ${change.kind} ${show(change.from)} → ${show(change.to)}`
      : `${change.row}: ${change.kind}`;
  });

describe('reports', () => {
  test.each<[string, string, string, string[]]>([
    ['nothing', '- a', '- a', []],
    [
      'nothing of blanks and marks that mean the same',
      '- a\nb\n- ! [ON HOLD] c',
      '  -  a\n\n- b\n- [on  hold] ! c',
      [],
    ],
    ['an addition and a deletion', '- milk\n- b', '- b\n- stamps', ['stamps: added', 'milk: deleted']],
    ['a header', '- a', '# Section\n- a', ['Section: added']],
    ['a status', '- a', '~ a', ['a: status todo → in_progress']],
    ['a status of the site’s own', '- [ON HOLD] a', '+ [Released] a', ['a: status on_hold → released']],
    ['a flag', '- a', '- ! a', ['a: mandatory false → true']],
    [
      'another wording',
      '- write tests',
      '- write all tests',
      ['write all tests: reworded write tests → write all tests'],
    ],
    [
      'another wording of a header',
      '# Release it',
      '# Release it now',
      ['Release it now: reworded Release it → Release it now'],
    ],
    ['another level', '# Release', '## Release', ['Release: retyped # → ##']],
    [
      'a moved section as one change',
      '# One\n- a\n- b\n# Two\n- c\n- d\n- e\n# Three\n- f',
      '# Two\n- c\n- d\n- e\n# One\n- a\n- b\n# Three\n- f',
      ['One: moved One → One'],
    ],
    [
      'a moved section with its subsections, and what changed in it',
      '# One\n- a\n## Part\n- b\n# Two\n- c\n- d\n- e\n- f\n',
      '# Two\n- c\n- d\n- e\n- f\n# One\n- new\n+ a\n## Part\n- b\n',
      ['One: moved One → One', 'new: added', 'a: status todo → done'],
    ],
    [
      'items that left for another section',
      '# One\n- a\n# Two\n- b\n- c\n- d',
      '# One\n# Two\n- b\n- c\n- d\n- a',
      ['a: moved One → Two'],
    ],
    ['a person', '- a', '- a [~accountid:x]', ['a [~accountid:x]: assignee undefined → x']],
    [
      'a person inside the sentence',
      '- ask x',
      '- ask [~accountid:x]',
      ['ask [~accountid:x]: reworded ask x → ask [~accountid:x]', 'ask [~accountid:x]: assignee undefined → x'],
    ],
    ['another person', '- a [~accountid:x]', '- a [~accountid:y]', ['a [~accountid:y]: assignee x → y']],
    [
      'a second person',
      '- a [~accountid:x]',
      '- a [~accountid:x] [~accountid:y]',
      ['a [~accountid:x] [~accountid:y]: reworded a [~accountid:x] → a [~accountid:x] [~accountid:y]'],
    ],
    ['a day', '- a 2026-01-01', '- a 02.01.2026', ['a 02.01.2026: dueDate 2026-01-01 → 2026-01-02']],
    [
      'a day in another notation',
      '- a 2026-01-01',
      '- a 01.01.2026',
      ['a 01.01.2026: reworded a 2026-01-01 → a 01.01.2026'],
    ],
    [
      'person and day in another order',
      '- a 2026-01-01 [~accountid:x]',
      '- a [~accountid:x] 2026-01-01',
      ['a [~accountid:x] 2026-01-01: reworded a 2026-01-01 [~accountid:x] → a [~accountid:x] 2026-01-01'],
    ],
    [
      'marks of a header',
      '# Release !before:Done',
      '# Release !before:[In review] !before:Done !customers',
      ['Release: gates Done → In review, Done', 'Release: customers false → true'],
    ],
    [
      'marks of a header written otherwise',
      '# Release !before:Done !customers',
      '# Release  !customers !before:[Done]',
      [],
    ],
    [
      'a renamed header with marks',
      '# Release it !before:Done',
      '# Release it now',
      ['Release it now: reworded Release it → Release it now', 'Release it now: gates Done → '],
    ],
    [
      'a move out of a section that got a mark',
      '# One\n- a\n# Two\n- b\n- c\n- d',
      '# One !before:Done\n# Two\n- b\n- c\n- d\n- a',
      ['One: gates  → Done', 'a: moved One → Two'],
    ],
    ['details', '- a\n> x', '- a\n> x\n> y', ['a: details x → x\ny']],
    ['a move', '# A\n- a\n- b\n# B\n- c', '# A\n- b\n# B\n- c\n- a', ['a: moved A → B']],
    ['a move within', '- a\n- b\n- c', '- b\n- c\n- a', ['a: moved  → ']],
    [
      'several things of one row',
      '- a',
      '# B\n- b\n+ ! a',
      ['B: added', 'b: added', 'a: status todo → done', 'a: mandatory false → true'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(reported(before, after)).toEqual(expected);
  });

  test('what lasting ids say', () => {
    const ids = { before: ['1', '2'], after: ['2', '1'] };
    expect(reported('- same\n- same', '- same\n+ same', ids)).toContain('same: status todo → done');
    expect(reported('- one', '# two', { before: ['1'], after: ['1'] })).toEqual([
      'two: retyped - → #',
      'two: reworded one → two',
    ]);
  });

  test('which row it was, in the later text or, deleted, in the earlier one', () => {
    expect(compareRows(read('- milk\n# B\n- c'), read('# B\n- c\n+ stamps'))).toMatchObject([
      { kind: 'added', index: 2, header: false },
      { kind: 'deleted', index: 0, row: 'milk' },
    ]);
  });
});

const modelOf = (row: Row) => ({
  kind: row.kind,
  text: row.text,
  details: row.details.map(({ text }) => text),
  ...(row.kind === 'header' ? { level: row.level } : { status: row.status.slug, mandatory: row.mandatory }),
});

test('a version differs from itself in nothing', () => {
  fc.assert(
    fc.property(anyText, text => {
      expect(compareRows(read(text), read(text))).toEqual([]);
    }),
  );
});

test('every row that was changed, moved, added or deleted is named, and no other', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const [was, is] = [read(before), read(after)];
      const changes = compareRows(was, is);
      const named = (kind: (kind: RowChange['kind']) => boolean, index: number) =>
        changes.some(change => kind(change.kind) && change.index === index);
      const origin = align(
        was,
        was.rows.map((_, index) => String(index)),
        is,
        () => 'new',
      );

      is.rows.forEach((row, index) => {
        const from = was.rows[Number(origin[index])];
        expect(named(kind => kind === 'added', index)).toBe(!from);
        const same = from && JSON.stringify(modelOf(from)) === JSON.stringify(modelOf(row));
        if (from) expect(named(kind => !['added', 'deleted', 'moved'].includes(kind), index)).toBe(!same);
      });
      was.rows.forEach((_, index) => {
        expect(named(kind => kind === 'deleted', index)).toBe(!origin.includes(String(index)));
      });
      const stayed = origin
        .filter((from, index) => from !== 'new' && !named(kind => kind === 'moved', index))
        .map(Number);
      expect(stayed).toEqual([...stayed].sort((a, b) => a - b));
    }),
    runs(1000),
  );
});

const line = fc
  .tuple(
    fc.constantFrom('- ', '+ ', '~ ', 'x ', '- ! ', '- [ON HOLD] ', '+ [Released] ! '),
    fc.constantFrom('alpha', 'ask [~accountid:b] first', '**bold**', 'by 2026-02-02 at the latest'),
    fc.constantFrom('', ' [~accountid:a]', ' [~accountid:b]'),
    fc.constantFrom('', ' 2026-01-01', ' 31/12/2026'),
    fc.constantFrom('', '\n> why', '\n> one\n> two'),
  )
  .map(parts => parts.join(''));

test('applying the reported changes gives the later row', () => {
  fc.assert(
    fc.property(line, line, (before, after) => {
      const [was, is] = [read(before), read(after)];
      let text = before;
      const values = (values: ItemValues) => {
        const now = read(text);
        const target = { index: 0, text: now.rows[0]?.text ?? '' };
        text = performEdit(now, { kind: 'updateChecklistItem', target, values });
      };
      const changes = compareRows(was, is, { before: ['1'], after: ['1'] });
      const reworded = changes.some(({ kind }) => kind === 'reworded');
      for (const change of changes) {
        if (change.kind === 'reworded') values({ text: change.to });
        if (change.kind === 'mandatory') values({ mandatory: change.to });
        if (change.kind === 'details') values({ details: change.to });
        if (change.kind === 'status') {
          const now = read(text);
          const target = { index: 0, text: now.rows[0]?.text ?? '' };
          text = performEdit(now, { kind: 'setItemStatus', target, status: change.to.slug });
        }
        // A wording bears its people and days.
        if (change.kind === 'assignee' && !reworded) values({ assignee: change.to ?? null, names: { a: 'A', b: 'B' } });
        if (change.kind === 'dueDate' && !reworded) values({ dueDate: change.to ?? null });
      }
      const item = (row: Row | undefined) =>
        row?.kind === 'checkbox' && {
          status: row.status.slug,
          mandatory: row.mandatory,
          assignee: row.assignee,
          dueDate: row.dueDate,
          details: row.details.map(detail => detail.text),
          ...(reworded && { text: row.text }),
        };
      expect(item(read(text).rows[0])).toEqual(item(is.rows[0]));
    }),
  );
});
