import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { runs } from '../run/seed.ts';
import { anyText } from '../text/arbitrary.ts';
import { environment, onText } from './environment.ts';

const commands = ['read', 'tree', 'lint', 'normalise', 'edit', 'convert', 'export', 'merge'];

test.each(commands)('%s explains itself', async name => {
  const { output, code } = await run([name, '--help'], environment());
  expect(output).toContain(`Usage: node dist/cli/main.js ${name} `);
  expect(code).toBe(0);
  expect((await run(['--help'], environment())).output).toContain(`  ${name} `);
  expect((await run(['help', name], environment())).output).toBe(output);
  expect((await run([name, '-h'], environment())).output).toBe(output);
});

test('wrong usage ends with 2 and one line that says what', async () => {
  const wrong = [
    ['nothing'],
    ['--json'],
    ['read', '--unknown'],
    ['read', 'a', 'b'],
    ['read', '--statuses'],
    ['read', 'no/such/file'],
    ['read', 'src'],
    ['read', '--statuses', 'no/such/file'],
    ['export'],
    ['convert', '--from', 'latin'],
    ['edit'],
    ['merge', '--base', 'package.json'],
    ['lint', '--max-items', 'many'],
    ['help', 'nothing'],
  ];
  for (const args of wrong) {
    const { output, errors, code } = await run(args, environment());
    expect([output, code], args.join(' ')).toEqual(['', 2]);
    expect(errors, args.join(' ')).toMatch(/^[^\n]+\n$/);
  }
});

test('without a command the help goes to standard error', async () => {
  const { errors, code } = await run([], environment());
  expect([errors.startsWith('Works on checklists'), code]).toEqual([true, 2]);
});

test('a text enters as everywhere: LF only, without what cannot be stored, and says so', async () => {
  const { output, errors } = await onText('\uFEFF- a\0\r\n- b\r', 'export', '--to', 'text');
  expect(output).toBe((await onText('- a\n- b\n', 'export', '--to', 'text')).output);
  expect(errors).toBe('Removed 1 NUL character.\nRemoved 1 byte order mark.\n');
});

test('no text and no edit ends in anything but an output or a message', async () => {
  const calls = fc.constantFrom(
    ['read'],
    ['tree'],
    ['lint', '--json'],
    ['lint', '--fix'],
    ['normalise'],
    ['convert'],
    ['export', '--to', 'wiki'],
    ['edit', '--change', '{"kind":"clearChecklist"}'],
    ['edit', '--change', '{"kind":"setItemStatus","target":{"index":0,"text":"a"},"status":"done"}'],
  );
  await fc.assert(
    fc.asyncProperty(anyText, calls, async (text, args) => {
      const { code, errors } = await onText(text, ...args);
      expect(code === 2 ? errors : '').toBe('');
      if (args[0] === 'read' || args[0] === 'tree') expect(code).toBe(0);
    }),
    runs(300),
  );
  await fc.assert(
    fc.asyncProperty(fc.json(), async change => {
      expect((await onText('- a', 'edit', '--change', change)).code).toBe(2);
    }),
  );
});
