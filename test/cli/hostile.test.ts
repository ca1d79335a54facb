import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { environment, onText } from './environment.ts';

const ESCAPE = '\u001B';
const texts: [string, string][] = [
  ['controls of a terminal', `- [${ESCAPE}]0;title\u0007] ${ESCAPE}[2J\n- [nope${ESCAPE}[31m] b\n-\n`],
  ['controls of the direction', '- [\u202EEnoD] \u2066x\n- @\u202Ebob\n'],
  ['NUL and halves of pairs', '- a\u0000b \uD83D\n> \uDE00\n'],
  ['brackets in brackets', `- ${'['.repeat(50_000)}\n`],
  ['marks in marks', `- ${'*_~`'.repeat(20_000)}\n`],
  ['rows without an end', '- '.repeat(100_000)],
  ['details of details', '> '.repeat(100_000)],
];
const commands: string[][] = [
  ['read'],
  ['tree'],
  ['lint'],
  ['lint', '--json'],
  ['lint', '--fix'],
  ['normalise'],
  ['convert'],
  ['export', '--to', 'csv'],
  ['export', '--to', 'html'],
];

test.each(texts)('a text with %s is read by every command, or refused with a message', async (_name, text) => {
  for (const command of commands) {
    const { code, errors } = await onText(text, ...command);
    expect([0, 1, 2], command.join(' ')).toContain(code);
    if (code === 2) expect(errors, command.join(' ')).toMatch(/\w/);
  }
});

test.each(texts)('findings in a text with %s control no terminal', async (_name, text) => {
  const { output, errors } = await onText(text, 'lint');
  expect(output + errors).not.toMatch(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
});

test('statuses that are no statuses are refused with a message', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const file of ['', 'null', deep, '[{"slug":1}]', '[{"__proto__":{"slug":"x"}}]', `{"statuses":${deep}}`]) {
    const { code, errors } = await run(['read', '--statuses', 's.json'], environment({ 's.json': file }, '- a'));
    expect(code, file.slice(0, 40)).toBeGreaterThan(0);
    expect(errors).toMatch(/\w/);
  }
});
