import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { listenPostgres, usualTimes } from '../../../src/server/store/listen.ts';
import { openStore, answerTimeout as statementWait, usualLimits } from '../../../src/server/store/open.ts';
import { routeTo } from '../support/database-route.ts';
import { createDatabase } from '../support/postgres.ts';

test('a broken connection is reopened, and listeners are notified of the gap', async () => {
  const admin = new pg.Client(`${inject('postgres')}/postgres`);
  await admin.connect();
  onTestFinished(() => admin.end());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  const errors: Error[] = [];
  const store = await openStore({
    databaseUrl: `${inject('postgres')}/${name}`,
    folder: '',
    onError: error => errors.push(error),
  });
  onTestFinished(() => store.close());
  const received: string[] = [];
  const stop = await store.listen(
    'news',
    payload => received.push(payload),
    () => received.push('gap'),
  );
  onTestFinished(stop);
  const notify = (text: string) => store.tenant('t', tx => sql`select pg_notify('news', ${text})`.execute(tx));

  await notify('one');
  await expect.poll(() => received).toEqual(['one']);
  const named =
    "select distinct application_name from pg_stat_activity where backend_type = 'client backend' and datname = $1";
  expect((await admin.query(named, [name])).rows).toEqual([{ application_name: 'checklist' }]);
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query ilike 'listen%'`,
    [name],
  );
  await expect.poll(() => received).toEqual(['one', 'gap']);
  expect(errors).not.toHaveLength(0);
  await notify('two');
  await expect.poll(() => received).toEqual(['one', 'gap', 'two']);
});

test('a frozen connection is replaced, and no other that may be frozen is used', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const route = await routeTo(databaseUrl);
  const store = await openStore({
    databaseUrl: route.url,
    folder: '',
    // A statement on a frozen connection fails long after the test.
    limits: { statementTimeout: 600_000, listen: { heartbeat: 20, answerTimeout: 500, reconnect: 10 } },
    onError: () => {},
  });
  const received: string[] = [];
  const stop = await store.listen(
    'news',
    payload => received.push(payload),
    () => received.push('gap'),
  );
  onTestFinished(async () => {
    await stop();
    await store.close();
    route.close();
  });
  await Promise.all(Array.from({ length: usualLimits.connections }, () => store.ping()));
  route.freeze();
  await expect.poll(() => received).toEqual(['gap']);
  await store.tenant('t', tx => sql`select pg_notify('news', 'one')`.execute(tx));
  await expect.poll(() => received).toEqual(['gap', 'one']);
});

test('a frozen connection is noticed and replaced within ten seconds', () => {
  const { heartbeat, answerTimeout, reconnect } = usualTimes;
  expect(heartbeat + answerTimeout + reconnect).toBeLessThan(10_000);
});

test('a request that was sent on a frozen connection fails within ten seconds', () => {
  expect(statementWait(usualLimits)).toBeLessThanOrEqual(10_000);
});

test('a server that accepts a connection without answering causes a timeout and a retry', async () => {
  const real = new URL(`${inject('postgres')}/postgres`);
  const sockets: Socket[] = [];
  const between = createServer(socket => {
    sockets.push(socket.on('error', () => {}));
    // The first connection gets no answer.
    if (sockets.length === 1) return;
    const onward = dial(Number(real.port), real.hostname).on('error', () => {});
    sockets.push(onward);
    socket.pipe(onward).pipe(socket);
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
  const address = between.address();
  const url = new URL(real);
  url.port = typeof address === 'object' && address ? String(address.port) : '';
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    between.close();
  });
  const errors: Error[] = [];
  const stop = await listenPostgres(url.href, { onError: error => errors.push(error) })(
    'quiet',
    () => {},
    () => {},
  );
  expect(errors).toHaveLength(1);
  await stop();
});
