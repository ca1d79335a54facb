import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { onTestFinished } from 'vitest';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

type Answer = { status: number; headers?: Record<string, string> } | undefined;

/** A server that receives webhooks. */
export interface Receiver {
  url: string;
  host: string;
  received: Received[];
  /** Answers each request; by default with 204. `undefined` leaves it without an answer. */
  answer(request: Received): Answer | Promise<Answer>;
}

/** Starts a receiver on a free port of this machine, until the test ends. */
export async function startReceiver(): Promise<Receiver> {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const received = { path: request.url ?? '', headers: request.headers, body };
    receiver.received.push(received);
    const answer = await receiver.answer(received);
    if (answer) response.writeHead(answer.status, answer.headers).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const receiver: Receiver = { host, url: `http://${host}/hook`, received: [], answer: () => ({ status: 204 }) };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** The signature of a body, by an independent implementation. */
export function signatureOf(secret: string, body: string, seconds = Math.floor(Date.now() / 1000)): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** Whether a received request is signed with the secret. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const signature = String(headers['smart-checklist-signature']);
  const seconds = Number(/^t=(\d+),/.exec(signature)?.[1]);
  return signature === signatureOf(secret, body, seconds);
}
