import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A handled call of the REST API. */
export interface Served {
  method: string;
  /** Path and query. */
  url: string;
  by: 'addon' | 'people';
  headers: IncomingHttpHeaders;
  /** Milliseconds of the clock: when it arrived and when it had taken effect. */
  arrived: number;
  served: number;
  status: number;
  /** The parsed request body. */
  body: unknown;
  /** The answer's text. */
  answer: string;
  /** Whether the answer was sent whole; `false` if the connection ended before. */
  answered: Promise<boolean>;
}

const sent = (response: ServerResponse): Promise<boolean> =>
  new Promise(resolve => {
    if (response.closed) resolve(false);
    response.once('close', () => resolve(response.writableFinished));
  });

/** Reports every call when its answer is made, whether or not the answer arrives. */
export function observe(app: FastifyInstance, onServed: (served: Served) => void): void {
  const arrivals = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', async request => {
    arrivals.set(request, performance.now());
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { method, url, headers, body } = request;
    const served = performance.now();
    onServed({
      method,
      url,
      by: headers.authorization === undefined ? 'people' : 'addon',
      headers,
      arrived: arrivals.get(request) ?? served,
      served,
      status: reply.statusCode,
      body,
      answer: typeof payload === 'string' ? payload : '',
      answered: sent(reply.raw),
    });
    return payload;
  });
}
