import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { closeSilentConnections } from '../../../src/server/http/closing.ts';

test('an idle connection does not delay a closing server', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  closeSilentConnections(app);
  app.get('/', async () => 'here');
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  expect(await (await fetch(address)).text()).toBe('here');
  const socket = connect(Number(address.port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const taken = once(app.server, 'connection');
  await Promise.all([once(socket, 'connect'), taken]);
  const closed = once(socket, 'close');
  await app.close();
  await closed;
});
