import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** What frames call that are served from elsewhere: with our session token in a header, never with cookies. */
const paths: readonly string[] = ['/graphql', '/api/live', '/api/export', '/api/analytics'];
/** Seconds for which a browser does not ask again; no browser keeps it longer. */
const MAX_AGE = 7_200;

/** Lets pages of these origins call us directly. */
export async function registerCors(app: FastifyInstance, origins: readonly (string | RegExp)[]): Promise<void> {
  await app.register(cors, {
    delegator: ({ url = '' }, callback) =>
      callback(null, {
        origin: paths.includes(url.split('?', 1)[0] ?? '') && [...origins],
        methods: ['GET', 'POST'],
        allowedHeaders: ['authorization', 'content-type', 'app-key'],
        maxAge: MAX_AGE,
        hideOptionsRoute: true,
      }),
  });
}
