import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { programOf } from '../run/built.ts';
import { freePort } from '../run/free-port.ts';

async function run(env: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, programOf('tracker/demo'), { env: { ...process.env, ...env } });
  let said = '';
  child.stderr.on('data', chunk => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

test('a busy port is named together with a remedy', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const { code, said } = await run({ PORT: String(await freePort()), TRACKER_PORT: port });
  other.close();
  expect([code, said]).toEqual([
    1,
    `Port ${port} is in use. Stop what runs there, or set TRACKER_PORT to another port.\n`,
  ]);
});

test('a port that is none is refused', async () => {
  expect(await run({ PORT: 'web' })).toMatchObject({ code: 1, said: expect.stringContaining('PORT') });
});
