import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { editSchema } from '../../src/domain/change.ts';
import { environment, jsonOf, onText } from './environment.ts';

const text = '# Release\n- ! Write tests [~accountid:ana] 2026-11-20\n> ABC-12 first\n+ Ship it\n';

test('read gives rows with positions in the text, and progress', async () => {
  expect(await jsonOf(text, 'read')).toEqual({
    rows: [
      {
        ...{
          kind: 'header',
          level: 1,
          text: 'Release',
          words: 'Release',
          from: 0,
          to: 10,
          content: { from: 2, to: 9 },
        },
        ...{ details: [], mentions: [], issueKeys: [], gates: [], customers: false, marks: [] },
      },
      {
        ...{
          kind: 'checkbox',
          text: 'Write tests [~accountid:ana] 2026-11-20',
          words: 'Write tests',
          from: 10,
          to: 69,
        },
        ...{ content: { from: 14, to: 53 }, details: [{ from: 56, to: 68, text: 'ABC-12 first' }] },
        ...{ status: { slug: 'todo', name: 'To Do', checked: false, color: 'gray' }, mandatory: true },
        ...{ assignee: 'ana', dueDate: '2026-11-20', mentions: ['ana'], issueKeys: ['ABC-12'] },
      },
      {
        ...{
          kind: 'checkbox',
          text: 'Ship it',
          words: 'Ship it',
          from: 69,
          to: 79,
          content: { from: 71, to: 78 },
          details: [],
        },
        ...{ status: { slug: 'done', name: 'Done', checked: true, color: 'green' }, mandatory: false },
        ...{ mentions: [], issueKeys: [] },
      },
    ],
    progress: { total: 2, checked: 1, percent: 50, mandatoryOpen: 1 },
    sections: [{ header: 0, end: 3, progress: { total: 2, checked: 1, percent: 50, mandatoryOpen: 1 } }],
  });
});

test('tree gives an outline, or nested nodes', async () => {
  expect((await onText('- a **b**', 'tree')).output).toBe(
    'Checklist 0-9\n  Item 0-9\n    TodoMark 0-1 "-"\n    Bold 4-9\n      EmphasisMark 4-6 "**"\n      EmphasisMark 7-9 "**"\n',
  );
  expect(await jsonOf('- a', 'tree', '--json')).toEqual({
    ...{ name: 'Checklist', from: 0, to: 3 },
    children: [{ name: 'Item', from: 0, to: 3, children: [{ name: 'TodoMark', from: 0, to: 1 }] }],
  });
});

test('lint names the place of each finding and ends with 1', async () => {
  const { output, code } = await onText('- a\n- b 30.02.2026\n', 'lint');
  expect(output).toMatch(/^<stdin>:2:5: warning: .*30\.02\.2026.* \[IMPOSSIBLE_DATE\]/);
  expect(code).toBe(1);
  expect(await onText('- a\n', 'lint')).toEqual({ output: '', errors: '', code: 0 });
  expect(await jsonOf('-', 'lint', '--json')).toMatchObject({
    diagnostics: [{ code: 'EMPTY_ITEM', line: 1, column: 1 }],
  });
  expect((await onText('- a\n- b', 'lint', '--max-items', '1')).output).toContain('LIMIT_REACHED');
});

test('lint --fix prints a text from standard input fixed, and changes a file', async () => {
  const source = '- a 30.02.2026\n- @bob\n';
  const printed = await onText(source, 'lint', '--fix');
  expect(printed.output).toBe('- a 28.02.2026\n- @bob\n');
  expect(printed.errors).toContain('UNRESOLVED_MENTION');
  expect(printed.code).toBe(1);
  const files = environment({ 'a.txt': source });
  expect((await run(['lint', '--fix', 'a.txt'], files)).output).toBe('');
  expect(files.written.get('a.txt')).toBe('- a 28.02.2026\n- @bob\n');
});

test('normalise gives lines marks, and refuses nothing', async () => {
  expect((await onText('> a\n\n + b', 'normalise')).output).toBe('- a\n+ b\n');
  expect(await jsonOf('a', 'normalise', '--json')).toEqual({ text: '- a' });
  expect(await onText(' \n>', 'normalise')).toEqual({ output: '', errors: 'This field is required.\n', code: 1 });
});

test('edit prints the changed text', async () => {
  const change = JSON.stringify({ kind: 'setItemStatus', target: { index: 1, text: 'b' }, status: 'done' });
  expect((await onText('- a\n- b', 'edit', '--change', change)).output).toBe('- a\n+ b');
  expect(await jsonOf('- a\n- b', 'edit', '--change', change, '--json')).toEqual({
    ...{ text: '- a\n+ b', changes: [{ from: 4, to: 5, insert: '+' }] },
  });
});

test('edit ends with 1 where the text refuses, with 2 where the change is none', async () => {
  const edit = (change: unknown) => onText('# a', 'edit', '--change', JSON.stringify(change));
  const target = { index: 0, text: 'a' };
  const gone = { index: 0, text: 'b' };
  expect(await edit({ kind: 'deleteChecklistItem', target: gone })).toMatchObject({ output: '', code: 1 });
  expect(await edit({ kind: 'setItemStatus', target, status: 'done' })).toMatchObject({ code: 1 });
  expect(await edit({ kind: 'updateChecklistItem', target, values: { text: ' ' } })).toMatchObject({ code: 1 });
  expect(await edit({ kind: 'explode', target })).toMatchObject({ output: '', code: 2 });
  const incomplete = await edit({ kind: 'setItemStatus', target });
  expect(incomplete).toMatchObject({ errors: expect.stringContaining('status'), code: 2 });
  expect(await edit({ kind: 'clearChecklist', target })).toMatchObject({ output: '', code: 2 });
  expect(await edit(null)).toMatchObject({ code: 2 });
  expect(await onText('- a', 'edit', '--change', '{')).toEqual({
    ...{ output: '', errors: '--change is no JSON.\n', code: 2 },
  });
});

test('edit names the account whose name it needs to clear an assignment', async () => {
  const target = { index: 0, text: 'ask [~accountid:ana] now' };
  const clear = (more: object) => {
    const change = { kind: 'updateChecklistItem', target, values: { assignee: null, ...more } };
    return onText('- ask [~accountid:ana] now', 'edit', '--change', JSON.stringify(change));
  };
  expect(await clear({})).toMatchObject({ output: '', errors: expect.stringContaining('name is needed'), code: 1 });
  expect(await clear({ names: { ana: 'Ana' } })).toMatchObject({ output: '- ask Ana now', code: 0 });
  expect((await run(['edit', '--help'], environment())).output).toContain('required in "names"');
});

test('the help of edit names every change that it makes', async () => {
  const { output } = await run(['edit', '--help'], environment());
  for (const { entries } of editSchema.options) expect(output).toContain(`"kind": "${entries.kind.literal}"`);
});

test('convert and export change the notation', async () => {
  expect((await onText('- [x] a\n- [ ] b', 'convert', '--from', 'github')).output).toBe('+ a\n- b\n');
  expect(await jsonOf('- [x] a', 'convert', '--json')).toMatchObject({ text: '+ a', notation: 'github', lost: [] });
  expect((await onText('+ a', 'export', '--to', 'github')).output).toBe('- [x] a\n');
  const { output, errors } = await onText('- **a**', 'export', '--to', 'text');
  expect(output).toBe('☐ a\n');
  expect(errors).toMatch(/^Line 1: /);
  expect(await onText('', 'export', '--to', 'yaml')).toMatchObject({ code: 2 });
});

test.each([
  ['no text', '', 'There is nothing in this text that fits into a checklist.'],
  [
    'a page of scripts',
    '<html><script>alert(1)</script></html>',
    'There is nothing in this text that fits into a checklist.',
  ],
  [
    'an image alone',
    '<html><body><img src="https://e.com/a.png" alt="a"></body></html>',
    "There is nothing in this text that fits into a checklist. An image isn't kept.",
  ],
  [
    'an archive',
    `PK\u0003\u0004${'\uFFFD\u0001ab\u0006\uFFFD'.repeat(100)}`,
    "This isn't text: it looks like the content",
  ],
  ['a text beyond 500,000 characters', '- [ ] a\n'.repeat(62_501), '500,008 characters. At most 500,000 are read.'],
])('convert refuses %s, with the reason and without output', async (_, input, reason) => {
  const { output, errors, code } = await onText(input, 'convert');
  expect([output, code]).toEqual(['', 1]);
  expect(errors).toContain(reason);
});

test('merge joins both sides, and ends with 1 where they contradict', async () => {
  const files = { b: '- a\n- b\n', m: '+ a\n- b\n', t: '- a\n- b\n- c\n', u: 'x a\n- b\n' };
  const args = (theirs: string) => ['merge', '--base', 'b', '--mine', 'm', '--theirs', theirs];
  const fine = await run(args('t'), environment(files));
  expect([JSON.parse(fine.output), fine.code]).toEqual([{ text: '+ a\n- b\n- c\n', conflicts: [] }, 0]);
  const conflict = await run(args('u'), environment(files));
  expect(JSON.parse(conflict.output).conflicts).toEqual([
    { row: 'a', attribute: 'status', mine: 'Done', theirs: 'Skipped' },
  ]);
  expect(conflict.code).toBe(1);
});

test('merge --write is a merge driver: the result is in the file of --mine', async () => {
  const files = environment({ b: '- a\n', m: '+ a\n', t: '- a\n- c\n' });
  const result = await run(['merge', '--write', '--base', 'b', '--mine', 'm', '--theirs', 't'], files);
  expect(result).toEqual({ output: '', errors: '', code: 0 });
  expect(files.written.get('m')).toBe('+ a\n- c\n');
});

test('a registry gives statuses of its own', async () => {
  const status = { slug: 'hold', name: 'On hold', checked: true, color: 'red' };
  const read = (registry: unknown) =>
    run(['read', '--statuses', 's.json'], environment({ 's.json': JSON.stringify(registry) }, '- [ON HOLD] a'));
  const { rows } = JSON.parse((await read([status])).output);
  expect(rows[0]).toMatchObject({ text: 'a', status });
  // Names that clash, hold brackets or are too long make no status, which is reported but no failure.
  const odd = [status, status, { ...status, slug: 'o', name: '[x]' }, { ...status, slug: 'l', name: 'n'.repeat(51) }];
  const result = await read(odd);
  expect(result.code).toBe(0);
  expect(result.errors.split('\n').map(line => line.slice(0, 30))).toEqual([
    's.json: status 2, "On hold": A',
    's.json: status 3, "[x]": The n',
    's.json: status 4, "nnnnnnnnnnn',
    '',
  ]);
  for (const registry of [{}, [{}], ['x'], [{ ...status, color: 'pink' }], null]) {
    expect(await read(registry)).toMatchObject({ output: '', code: 2 });
  }
});
