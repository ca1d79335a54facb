import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, type DiagnoseOptions, diagnose, diagnosing, fixesOf } from '../../src/text/diagnose.ts';
import { applyChanges } from '../../src/text/document.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { anyText, statuses, storedText } from './arbitrary.ts';

const findings = (text: string, options?: DiagnoseOptions) => {
  const checklist = readChecklist(text, statuses);
  return diagnose(checklist, options).map(finding => ({ ...finding, fixes: fixesOf(checklist, finding, options) }));
};
const codes = (text: string) => findings(text).map(({ code }) => code);
const changes = (text: string, options?: DiagnoseOptions) => {
  const checklist = readChecklist(text, statuses);
  return changesOf(checklist, diagnose(checklist, options), options);
};
const fixed = (text: string) => applyChanges(text, changes(text));

test('a text without faults has no findings', () => {
  expect(
    findings(
      '# A\n> why\n- a [~accountid:x] 2026-11-20\n+ [Released] b\n- [ABC-12] c\n# B\n- a\n- [docs](https://a.b)\n\n',
    ),
  ).toEqual([]);
});

test.each([
  ['# A !before: b', '# A b'],
  ['# A !before:[ ]', '# A'],
  ['# !Before:', '# '],
])('a gate without a name is reported, and %j becomes %j', (text, after) => {
  expect(codes(text)).toEqual(['EMPTY_GATE']);
  expect(fixed(text)).toBe(after);
});

test.each(['- A !before:', '# `!before:`', '# **a !before: b**', '# A\n> !before:', '# A!before:'])(
  '%j has no gate',
  text => {
    expect(codes(text)).toEqual([]);
  },
);

test('a mark that stands twice is reported, and the second one goes', () => {
  expect(codes('# A !before:Done !before:[done] !customers b !customers')).toEqual([
    'DUPLICATE_MARK',
    'DUPLICATE_MARK',
  ]);
  expect(fixed('# A !before:Done !before:[done] !customers b !customers')).toBe('# A !before:Done !customers b');
});

test('a gate before a status that the project does not have is reported where its statuses are known', () => {
  const text = '# A !before:Donne !before:[in  REVIEW]\n# B !before:Elsewhere\n# C !before:Dnoe !before:Done';
  const gateNames = ['To Do', 'In Review', 'Done'];
  expect(codes(text)).toEqual([]);
  const found = findings(text, { gateNames });
  expect(found.map(({ code, message }) => [code, message])).toEqual([
    ['UNKNOWN_GATE', 'This project has no status called Donne.'],
    ['UNKNOWN_GATE', 'This project has no status called Elsewhere.'],
    ['UNKNOWN_GATE', 'This project has no status called Dnoe.'],
  ]);
  expect(applyChanges(text, changes(text, { gateNames }))).toBe(text.replace('Donne', 'Done'));
  const [spaced] = findings('# A !before:[in revue]', { gateNames });
  expect(spaced?.fixes).toMatchObject([{ title: 'Change to In Review', changes: [{ insert: '!before:[In Review]' }] }]);
});

test('a finding says where it is, what it is, and how bad', () => {
  expect(findings('- a\n# x\n\r\n- due 30.02.2026\r- ')).toEqual([
    {
      from: 16,
      to: 26,
      line: 4,
      column: 7,
      severity: 'warning',
      code: 'IMPOSSIBLE_DATE',
      message: "The date 30.02.2026 doesn't exist.",
      fixes: [{ kind: 'change', title: 'Change to 28.02.2026', changes: [{ from: 16, to: 26, insert: '28.02.2026' }] }],
    },
    expect.objectContaining({ code: 'EMPTY_ITEM', line: 5, column: 1 }),
  ]);
});

test.each([
  ['- [ON HLD] a', '- [ON HOLD] a'],
  ['+ ! [on hold!]  a', '- ! [ON HOLD]  a'],
  ['- [Done] a', '+ a'],
  ['+ [in progres]', '~ '],
  ['- [Relesed] ! a', '+ [Released] ! a'],
])('the unknown status of %j is mended to %j', (text, expected) => {
  expect(codes(text)).toEqual(['UNKNOWN_STATUS']);
  expect(fixed(text)).toBe(expected);
});

test('a status like no other can only be created', () => {
  expect(findings('+ [QA FAILED] a')).toMatchObject([
    {
      code: 'UNKNOWN_STATUS',
      from: 2,
      to: 13,
      fixes: [{ kind: 'createStatus', name: 'QA FAILED', checked: true }],
    },
  ]);
});

test.each([
  ['+ [ON HOLD] a', '- [ON HOLD] a'],
  ['  - ! [released] a', '  + ! [released] a'],
])('the sign of %j is mended to %j', (text, expected) => {
  expect(codes(text)).toEqual(['WRONG_SIGN']);
  expect(fixed(text)).toBe(expected);
});

test('a person who is only named is to be picked, in details too', () => {
  expect(findings('- **@bob** `@no`\n> @eve.')).toMatchObject([
    { code: 'UNRESOLVED_MENTION', from: 4, to: 8, fixes: [{ kind: 'pickPerson', name: 'bob' }] },
    { code: 'UNRESOLVED_MENTION', from: 19, to: 23, line: 2, fixes: [{ kind: 'pickPerson', name: 'eve' }] },
  ]);
});

test.each([
  ['- a 30.02.2024', '- a 29.02.2024'],
  ['- a 2026-13-00 b', '- a 2026-12-01 b'],
  ['- **31/11/2026**\n> 00/00/2026', '- **30/11/2026**\n> 01/01/2026'],
])('the dates of %j are mended to %j', (text, expected) => {
  expect(fixed(text)).toBe(expected);
});

test('what only resembles a date is none', () => {
  expect(codes('- `30.02.2026` https://a.b/30.02.2026 1.30.02.2026 30.02.20261 30.02-2026 30.02.1800')).toEqual([]);
});

test('a detail with nothing above is joined to the row above, or else made an item', () => {
  expect(codes('- a\n\n> b\n> c')).toEqual(['ORPHAN_DETAIL']);
  expect(fixed('- a\n\n  \n > b\n> c')).toBe('- a\n > b\n> c');
  expect(fixed('> a')).toBe('- a');
  expect(fixed('>> + a\n> b')).toBe('+ a\n> b');
});

test('an empty detail with nothing above is made no empty item', () => {
  for (const empty of ['> - ', '> [ON HOLD] !']) expect(findings(empty)).toMatchObject([{ fixes: [] }]);
  expect(findings('> >\n> why')).toMatchObject([{ code: 'ORPHAN_DETAIL', fixes: [] }]);
  expect(findings('- a\n\n>')).toMatchObject([
    { code: 'ORPHAN_DETAIL', fixes: [{ title: 'Join with the item above' }] },
  ]);
});

test('a status that every site has is not offered to be created', () => {
  expect(findings('- [in  PROGRESS] a')).toMatchObject([{ code: 'UNKNOWN_STATUS', fixes: [{ kind: 'change' }] }]);
  expect(findings('- [in progres] a')).toMatchObject([{ fixes: [{ kind: 'change' }, { kind: 'createStatus' }] }]);
});

test('an item that stands twice in one section is found', () => {
  expect(codes('- a\n+ A\n# B\n- a')).toEqual(['DUPLICATE_ITEM']);
  expect(findings('- a\n- b\n- a')).toMatchObject([{ line: 3, column: 1, fixes: [] }]);
});

test('limits are found where they are given', () => {
  const limited = (text: string, options: DiagnoseOptions) =>
    findings(text, options).map(({ code, severity, line }) => [code, severity, line]);
  expect(limited('# A\n- a\n- b\n- c', { itemLimit: 2 })).toEqual([['LIMIT_REACHED', 'warning', 4]]);
  expect(limited('# A\n- a\n- b', { itemLimit: 2 })).toEqual([]);
  const capacity = { sizeOf: (text: string) => JSON.stringify(text).length, limit: 100 };
  expect(limited(`- a\n- ${'b'.repeat(95)}`, { capacity })).toEqual([['TOO_LARGE', 'error', 2]]);
  expect(limited(`- a\n- ${'b'.repeat(87)}`, { capacity })).toEqual([['NEARLY_FULL', 'warning', 2]]);
  expect(limited(`- a\n- ${'b'.repeat(80)}`, { capacity })).toEqual([]);
});

test('after a fix its finding is gone, and no text but the fix’s is touched', () => {
  fc.assert(
    fc.property(storedText, text => {
      const before = findings(text);
      for (const finding of before) {
        for (const fix of finding.fixes) {
          if (fix.kind !== 'change') continue;
          const after = findings(applyChanges(text, fix.changes));
          const count = (list: typeof before) => list.filter(({ code }) => code === finding.code).length;
          expect(count(after)).toBeLessThan(count(before));
        }
      }
    }),
    runs(3000),
  );
});

test('any text is diagnosed, inside its bounds, in order, and mended in a few rounds', () => {
  fc.assert(
    fc.property(anyText, text => {
      const found = findings(text, { itemLimit: 1, capacity: { sizeOf: ({ length }) => length, limit: 20 } });
      let last = 0;
      for (const { from, to, line, column } of found) {
        expect(from).toBeGreaterThanOrEqual(last);
        expect(to).toBeLessThanOrEqual(text.length);
        last = from;
        const lines = text.split(/\r\n|\n|\r/);
        expect(lines[line - 1]?.slice(column - 1, column + to - from - 1)).toBe(text.slice(from, to));
      }
      let mended = text;
      for (let round = 0; changes(mended).length > 0; round++) {
        expect(round).toBeLessThan(text.length + 2);
        mended = fixed(mended);
      }
    }),
    runs(2000),
  );
});

test('in steps the findings are the same, and a large text has many steps', () => {
  const checklist = readChecklist(Array.from({ length: 1000 }, (_, i) => `- item ${i} by 30.02.2026`).join('\n'));
  const steps = diagnosing(checklist);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses++;
  expect(pauses).toBe(10);
  expect(step.value).toEqual(diagnose(checklist));
});
