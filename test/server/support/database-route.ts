import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

/** A proxy to a database. While it is lost, data is dropped and no connection is closed; frozen connections stay so. */
export async function routeTo(databaseUrl: string) {
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
