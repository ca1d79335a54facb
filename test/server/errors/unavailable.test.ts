import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { openStore, usualLimits } from '../../../src/server/store/open.ts';
import { createDatabase } from '../support/postgres.ts';

/** A proxy to a database. While it is lost, data is dropped and no connection is closed; frozen connections stay so. */
async function routeTo(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets: Socket[] = [];
  let isLost = false;
  let opened = 0;
  let firstAlive = 0;
  const between = createServer(socket => {
    const onward = dial(Number(port), hostname);
    const number = opened++;
    const ends = [
      [socket, onward],
      [onward, socket],
    ] as const;
    for (const [from, to] of ends) {
      sockets.push(from.on('error', () => {}));
      from.on('data', data => !isLost && number >= firstAlive && to.write(data)).on('end', () => to.end());
    }
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
  const address = between.address();
  url.port = typeof address === 'object' && address ? String(address.port) : '';
  const close = () => {
    for (const socket of sockets) socket.destroy();
    between.close();
  };
  return {
    url: url.href,
    lose(lost: boolean) {
      isLost = lost;
    },
    freeze() {
      firstAlive = opened;
    },
    close,
  };
}

test('queries on a lost connection reject as unavailable, and later connections work', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const route = await routeTo(databaseUrl);
  const store = await openStore({
    databaseUrl: route.url,
    folder: '',
    limits: { statementTimeout: 2_000 },
    onError: () => {},
  });
  onTestFinished(async () => {
    await store.close();
    route.close();
  });
  await store.ping();
  route.lose(true);
  // More than the pool has connections.
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => store.ping()));
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  route.lose(false);
  await store.ping();
}, 60_000);

test('a frozen connection fails one caller, not each caller that meets another one', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const route = await routeTo(databaseUrl);
  const store = await openStore({
    databaseUrl: route.url,
    folder: '',
    limits: { statementTimeout: 500 },
    onError: () => {},
  });
  onTestFinished(async () => {
    await store.close();
    route.close();
  });
  const ping = () => store.ping();
  await Promise.all(Array.from({ length: usualLimits.connections }, ping));
  route.freeze();
  await expect(store.tenant('one', tx => tx.selectFrom('tenant').selectAll().execute())).rejects.toThrow(
    StoreUnavailable,
  );
  for (let attempt = 0; attempt < usualLimits.connections; attempt += 1) await ping();
}, 60_000);
