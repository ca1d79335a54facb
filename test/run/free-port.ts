import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range of outgoing connections: a killed server must find its own port free again. */
const FROM = 10_000;
/** Ports per worker, so that no other worker takes one between its choice and its use. */
const SPAN = 2_000;

const { VITEST_POOL_ID = '0' } = process.env;
const first = FROM + Number(VITEST_POOL_ID) * SPAN;
let taken = process.pid;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A port without a listener on the loopback, a new one at each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < SPAN; tries += 1) {
    taken += 1;
    const port = first + (taken % SPAN);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${first} to ${first + SPAN - 1} on 127.0.0.1 are taken.`);
}
