import { once } from 'node:events';
import { createServer, Server } from 'node:net';

/** Below the range of outgoing connections: a killed server must find its own port free again. */
const FROM = 10_000;
/** Ports per worker, so that no other worker takes one between its choice and its use. */
const SPAN = 2_000;

const { VITEST_POOL_ID = '0' } = process.env;
const first = FROM + Number(VITEST_POOL_ID) * SPAN;
let taken = process.pid;

/** Second address of the loopback, where a port is reserved. macOS lacks it until it is configured. */
const RESERVED_AT = '127.0.0.2';

/** Listens at an address, or says why not: `EADDRINUSE`, or `EADDRNOTAVAIL` where the machine lacks the address. */
async function listen(port: number, host: string): Promise<Server | string> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  // Held until this process ends, so that another run on the machine does not choose the port before its use.
  const reservation = await listen(port, RESERVED_AT);
  if (reservation === 'EADDRINUSE') return false;
  const server = await listen(port, '127.0.0.1');
  if (reservation instanceof Server) reservation.unref();
  if (!(server instanceof Server)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A port of the loopback without a listener and without a reservation of another run, a new one at each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < SPAN; tries += 1) {
    taken += 1;
    const port = first + (taken % SPAN);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${first} to ${first + SPAN - 1} on 127.0.0.1 are taken.`);
}
