import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { logStream } from '../../../src/server/http/log.ts';

test.runIf(process.platform === 'linux')('a full disk costs lines of the log, not the server', async () => {
  const stream = logStream('/dev/full');
  const failed = once(stream, 'error');
  const log = pino(stream);
  const write = () => {
    for (let line = 0; line < 2_000; line += 1) log.info({ line: 'x'.repeat(1_000) }, 'a line');
  };
  write();
  const [error] = await failed;
  expect(error).toMatchObject({ code: 'ENOSPC' });
  // More than waits for room.
  write();
  // It repeated the write for ever.
  stream.flushSync();
  stream.destroy();
});

test('lines are written in their order, those at the end as well', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'checklist-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log');
  const stream = logStream(file);
  await once(stream, 'ready');
  const log = pino(stream);
  // Writes run in another thread; what is left after them waits in the buffer.
  const written = once(stream, 'drain');
  for (let line = 0; line < 500; line += 1) log.info({ line });
  await written;
  stream.flushSync();
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line).line)).toEqual(Array.from({ length: 500 }, (_, line) => line));
});
