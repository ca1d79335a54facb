import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
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

export interface SecurityOptions {
  baseUrl: string;
  /** The host's script; its place also serves theme styles, and the local tracker's avatars. */
  hostScriptUrl: string;
  /** Sites that may show our frames. */
  frameAncestors: readonly string[];
}

/** Where the host's script finds the tracker's typeface, once a site has it. */
const FONTS = 'https://ds-cdn.prod-east.frontend.public.atl-paas.net';

/** Response headers for pages that live in frames of the tracker. */
export async function registerSecurity(app: FastifyInstance, options: SecurityOptions): Promise<void> {
  const host = new URL(options.hostScriptUrl).origin;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", host],
        // The component kit writes styles at run time; the host's script loads the theme's.
        'style-src': ["'self'", "'unsafe-inline'", host, FONTS],
        'font-src': ["'self'", 'data:', host, FONTS],
        // Avatars and icons come from wherever the tracker keeps them.
        'img-src': ["'self'", 'https:', 'data:', host],
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': [...options.frameAncestors],
      },
    },
    // The one header that could name a site only, and not the list above.
    frameguard: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: options.baseUrl.startsWith('https:'),
  });
}
