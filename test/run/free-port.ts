import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to outgoing connections: a server that is killed must find its own free again. */
const FROM = 10_000;
/** How many ports each worker of a run has to itself, so that no other takes one between here and its use. */
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

/** A port on which no program listens on the loopback, another one at each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < SPAN; tries += 1) {
    taken += 1;
    const port = first + (taken % SPAN);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${first} to ${first + SPAN - 1} on 127.0.0.1 are taken.`);
}
