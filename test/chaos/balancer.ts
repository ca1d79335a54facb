import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A load balancer for several processes of one server: a port that forwards each connection to one that listens. */
export interface Balancer {
  close(): Promise<void>;
}

export async function startBalancer(port: number, targets: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const pass = (client: Socket, left: number) => {
    const target = targets[turn++ % targets.length];
    if (left === 0 || target === undefined) return client.destroy();
    const server = connect(target, '127.0.0.1');
    server.once('connect', () => client.pipe(server).pipe(client));
    server.once('error', () => (server.pending || server.connecting ? pass(client, left - 1) : client.destroy()));
    server.once('close', hadError => hadError || client.destroy());
    client.once('close', () => server.destroy());
    open.add(server);
    server.once('close', () => open.delete(server));
    return undefined;
  };
  const server = createServer(client => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    pass(client, targets.length);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
