import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { programOf, root } from '../run/built.ts';

/** The program as a process of its own. */
function start(args: readonly string[], cwd = root) {
  const child = spawn(process.execPath, [...programOf('cli/main'), ...args], { cwd });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  return { child, ended };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('reads standard input, and writes what it found and how it went', async () => {
  const { child, ended } = start(['lint']);
  child.stdin.end('- a\n-\n');
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(output).toMatch(/^<stdin>:2:1: .*EMPTY_ITEM/);
  expect([errors, code]).toEqual(['', 1]);
});

test('reads and changes files', async () => {
  const cwd = await folder();
  await writeFile(join(cwd, 'list.txt'), '- a 30.02.2026\r\n');
  const { child, ended } = start(['lint', '--fix', 'list.txt'], cwd);
  expect([await text(child.stderr), await ended]).toEqual(['', 0]);
  expect(await readFile(join(cwd, 'list.txt'), 'utf8')).toBe('- a 28.02.2026\n');
});

test('bad input is reported without a stack trace', async () => {
  const { child, ended } = start(['read', '.']);
  expect([await text(child.stderr), await ended]).toEqual(['Cannot read .: it is a folder.\n', 2]);
});

test('a closed output pipe causes no error', async () => {
  const { child, ended } = start(['read']);
  child.stdout.destroy();
  child.stdin.end('- a\n'.repeat(20_000));
  expect([await text(child.stderr), await ended]).toEqual(['', 0]);
});

test.each([
  ['Windows-1252', Buffer.from('- [x] Caf\xe9 \x80 5\n', 'latin1')],
  ['UTF-16', Buffer.from('- [x] Café € 5\n', 'utf16le')],
  ['UTF-16', Buffer.from('\uFEFF- [x] Café € 5\n', 'utf16le').swap16()],
])('convert reads a file in %s, and says so', async (encoding, bytes) => {
  const cwd = await folder();
  await writeFile(join(cwd, 'list.txt'), bytes);
  const { child, ended } = start(['convert', 'list.txt'], cwd);
  expect([await text(child.stdout), await text(child.stderr), await ended]).toEqual([
    '+ Café € 5\n',
    `list.txt: Read as ${encoding}.\n`,
    0,
  ]);
});

test('convert refuses bytes that are no text in any encoding', async () => {
  const cwd = await folder();
  await writeFile(join(cwd, 'a.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]));
  const { child, ended } = start(['convert', 'a.png'], cwd);
  expect([await text(child.stdout), await text(child.stderr), await ended]).toEqual([
    '',
    expect.stringContaining("This isn't text"),
    1,
  ]);
});

test('a file that is not UTF-8 is read as far as it goes, said so, and never overwritten', async () => {
  const cwd = await folder();
  const bytes = Buffer.from([0x2d, 0x20, 0xe9, 0x20, ...Buffer.from('30.02.2026\n')]);
  await writeFile(join(cwd, 'latin.txt'), bytes);
  const read = start(['lint', 'latin.txt'], cwd);
  expect([await text(read.child.stderr), await read.ended]).toEqual(['latin.txt: Replaced what is not UTF-8.\n', 1]);
  const fix = start(['lint', '--fix', 'latin.txt'], cwd);
  const message = 'Cannot write latin.txt: latin.txt is not UTF-8.\n';
  expect([await text(fix.child.stderr), await fix.ended]).toEqual([message, 2]);
  expect(await readFile(join(cwd, 'latin.txt'))).toEqual(bytes);
});
