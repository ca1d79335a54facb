import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseRefused, openReachable } from '../../../src/server/store/reachable.ts';

/** A message of PostgreSQL's about authentication: type, length, its kind, and what it says. */
function authentication(kind: number, says: string): Buffer {
  const numbers = Buffer.alloc(8);
  numbers.writeInt32BE(8 + says.length);
  numbers.writeInt32BE(kind, 4);
  return Buffer.concat([Buffer.from('R'), numbers, Buffer.from(says)]);
}

/** Asks for a password by SCRAM, and goes on after the first answer. */
const asking = [authentication(10, 'SCRAM-SHA-256\0\0'), authentication(11, 'r=nonce,s=c2FsdA==,i=4096')];

test('a database that asks for a password that the address has not is explained in words', async () => {
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    const messages = [...asking];
    socket.on('data', () => socket.write(messages.shift() ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const opening = openReachable({
    databaseUrl: `postgres://checklist@127.0.0.1:${port}/checklist`,
    folder: '',
    onError: () => {},
  });
  await expect(opening).rejects.toThrow(DatabaseRefused);
  await expect(opening).rejects.toThrow('The database asks for a password, and DATABASE_URL has none.');
});
