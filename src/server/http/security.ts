import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Paths for frames of other origins: with a session token in a header, never with cookies. */
const paths: readonly string[] = ['/graphql', '/api/live', '/api/export', '/api/analytics'];
/** The longest time for which browsers cache a preflight response. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/** Permits calls from pages of these origins. */
export async function registerCors(app: FastifyInstance, origins: readonly (string | RegExp)[]): Promise<void> {
  await app.register(cors, {
    delegator: ({ url = '' }, callback) =>
      callback(null, {
        origin: paths.includes(url.split('?', 1)[0] ?? '') && [...origins],
        methods: ['GET', 'POST'],
        allowedHeaders: ['authorization', 'content-type', 'app-key'],
        maxAge: PREFLIGHT_MAX_AGE_SECONDS,
        hideOptionsRoute: true,
      }),
  });
}

export interface SecurityOptions {
  baseUrl: string;
  /** URL of the host's script; its origin also serves theme styles, and the local tracker's avatars. */
  hostScriptUrl: string;
  /** Sites that may embed the app's frames. */
  frameAncestors: readonly string[];
}

/** Origin of the tracker's typeface, which the host's script loads. */
const FONT_ORIGIN = 'https://ds-cdn.prod-east.frontend.public.atl-paas.net';

/** Sets response headers for pages in frames of the tracker. */
export async function registerSecurity(app: FastifyInstance, options: SecurityOptions): Promise<void> {
  const host = new URL(options.hostScriptUrl).origin;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", host],
        // The component kit writes styles at run time; the host's script loads the theme's.
        'style-src': ["'self'", "'unsafe-inline'", host, FONT_ORIGIN],
        'font-src': ["'self'", 'data:', host, FONT_ORIGIN],
        // Avatars and icons have many origins.
        'img-src': ["'self'", 'https:', 'data:', host],
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': [...options.frameAncestors],
      },
    },
    // `X-Frame-Options` cannot have the list above.
    frameguard: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: options.baseUrl.startsWith('https:'),
  });
}
