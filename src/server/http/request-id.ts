import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Networks by the names that may stand for them. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is one of these proxies: addresses, networks, or names of networks. */
export function proxiesOf(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of proxies.flatMap(proxy => named[proxy] ?? proxy)) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return address => isIP(address) !== 0 && list.check(address, family(address));
}

const REQUEST_ID_HEADER = 'x-request-id';
/** Request ids as proxies make them: long enough to be unique, without characters that could break a line of a log. */
const wellFormed = /^[\w-]{16,64}$/;

/** Makes the id of a request, or takes a trusted proxy's: one id in its log, in ours and in the answer. */
export const requestIds =
  (isProxy: (address: string) => boolean) =>
  ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const sentId = headers[REQUEST_ID_HEADER];
    const isTaken = typeof sentId === 'string' && wellFormed.test(sentId) && isProxy(socket.remoteAddress ?? '');
    return isTaken ? sentId : randomUUID();
  };

/** Tells every answer's request id. */
export function answerIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
  });
}
