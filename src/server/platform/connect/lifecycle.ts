import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import * as v from 'valibot';
import { versionLabel } from '../../../domain/build/build.ts';
import { edition } from '../../../domain/edition.ts';
import { descriptor } from '../../../platform/descriptor.ts';
import { BadInput, readInput, Unauthorized } from '../../errors/request.ts';
import { note } from '../../errors/request-notes.ts';
import { type Limits, routeLimits } from '../../quota/limits.ts';
import { LEEWAY_SECONDS } from '../clock.ts';
import { installationOf, isClientKey, type Tenants } from '../tenants.ts';
import { refuseLifetime, tokenOf } from '../tokens.ts';
import { type UsedToken, usedToken } from '../used-tokens.ts';
import type { InstallKeys } from './keys.ts';
import { pathOf, queryStringHash } from './qsh.ts';

/** Serves this edition's descriptor, for installation from `baseUrl`. */
export function descriptorRoute(app: FastifyInstance, baseUrl: string): void {
  const filled = descriptor({ ...edition, baseUrl, version: versionLabel });
  app.get('/atlassian-connect.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(filled));
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL's host matches `name:port`, `name` or `*.domain`. */
function fits(url: URL, pattern: string): boolean {
  if (pattern.startsWith('*.')) return url.host.endsWith(pattern.slice(1));
  return pattern === url.host || (pattern === url.hostname && loopback.has(url.hostname));
}

/**
 * A tenant's normalized URL, or `undefined` if none of the patterns allows its host. HTTP without TLS is allowed for
 * loopback only.
 */
export function allowedAddress(address: string, patterns: readonly string[]): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
  if (!safe || url.username || url.password || url.search || url.hash) return undefined;
  return patterns.some(pattern => fits(url, pattern)) ? url.href.replace(/\/+$/, '') : undefined;
}

export interface LifecycleOptions {
  limits: Pick<Limits, 'authenticate'>;
  tenants: Tenants;
  installKeys: InstallKeys;
  baseUrl: string;
  tenantHosts: readonly string[];
  /** Called after each installation. */
  installed(tenant: string): Promise<void>;
}

/** The used part of the tracker's callbacks. */
const callback = v.object({
  key: v.literal(edition.key),
  clientKey: v.custom<string>(isClientKey, 'Expected a client key'),
  eventType: v.picklist(['installed', 'uninstalled']),
});
const installation = v.object({
  ...callback.entries,
  baseUrl: v.string(),
  sharedSecret: v.pipe(v.string(), v.minLength(16), v.maxLength(512)),
  /** Installation id of the same app on Forge, if it is both. */
  installationId: v.optional(v.pipe(v.string(), v.maxLength(255))),
});

/** Actual bodies have about one thousand bytes. */
const BODY_LIMIT_BYTES = 16_384;

function keyIdOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    throw new Unauthorized('not an installation token');
  }
}

/**
 * Rejects unless the vendor signed exactly this request, for this app, on behalf of `clientKey`. The signature does not
 * cover the body, so the token is good for one request: the caller stores it with what the request does.
 */
async function verifySigned(request: FastifyRequest, clientKey: string, options: LifecycleOptions): Promise<UsedToken> {
  const { installKeys, baseUrl } = options;
  const token = tokenOf(request.headers.authorization);
  if (!token) throw new Unauthorized('no token', true);
  const key = await installKeys(keyIdOf(token));
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['RS256'],
    issuer: clientKey,
    audience: [baseUrl, `${baseUrl}/`],
    requiredClaims: ['exp', 'qsh'],
    clockTolerance: LEEWAY_SECONDS,
  }).catch((error: Error) => {
    throw new Unauthorized(error.message);
  });
  const { exp = 0 } = payload;
  refuseLifetime(payload);
  if (payload.qsh !== queryStringHash(request.method, request.url, pathOf(baseUrl))) {
    throw new Unauthorized('query string hash');
  }
  return usedToken(token, exp);
}

/** Callbacks for installation and uninstallation (Connect, "Lifecycle", signed install). */
export function lifecycleRoutes(app: FastifyInstance, options: LifecycleOptions): void {
  const route = { bodyLimit: BODY_LIMIT_BYTES, config: routeLimits.asVisitor };

  app.post('/installed', route, async (request, reply) => {
    const { clientKey, baseUrl, sharedSecret, installationId } = readInput(installation, request.body);
    const token = await options.limits.authenticate(request, () => verifySigned(request, clientKey, options));
    note(request, { tenant: clientKey });
    const url = allowedAddress(baseUrl, options.tenantHosts);
    if (!url) throw new BadInput('This site is not allowed here.');
    const forge = installationId && installationOf(installationId);
    await options.tenants.install({ id: clientKey, url, secret: sharedSecret, forge, token });
    request.log.info({ tenant: clientKey, url }, 'installed');
    // A failure after the installation does not undo it.
    await options.installed(clientKey).catch(error => request.log.error(error));
    return reply.code(204).send();
  });

  app.post('/uninstalled', route, async (request, reply) => {
    const { clientKey } = readInput(callback, request.body);
    const token = await options.limits.authenticate(request, () => verifySigned(request, clientKey, options));
    note(request, { tenant: clientKey });
    await options.tenants.uninstall(clientKey, token);
    request.log.info({ tenant: clientKey }, 'uninstalled');
    return reply.code(204).send();
  });
}
