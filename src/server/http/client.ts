import { readFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { build } from '../../domain/build/build.ts';
import { edition } from '../../domain/edition.ts';
import { shell } from '../../domain/messages.ts';
import { readInput, Unauthorized } from '../errors/request.ts';
import { note } from '../errors/request-notes.ts';
import { noteLicense } from '../platform/connect/license.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Tokens } from '../platform/tokens.ts';
import type { Limits } from '../quota/limits.ts';
import { isHashed, isReadable, startSharing } from './assets.ts';

export interface ClientOptions {
  tokens: Tokens;
  limits: Limits;
  tenants: Pick<Tenants, 'change'>;
  /** The built client: `index.html`, hashed files in `assets/`, others beside them. */
  clientDir: string;
  /**
   * Hashed files of this build and of other builds, for all processes of the machine; `undefined`: only this build's
   * files.
   */
  assetsDir: string | undefined;
  hostScriptUrl: string;
}

/** Files with a hash in their name never change. */
const ASSET_MAX_AGE_SECONDS = 31_536_000;
const FILE_MAX_AGE_SECONDS = 3_600;

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

const unauthorizedPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(edition.name)}</title>
<p>${escaped(shell.unauthorized)}</p><p>${escaped(shell.support)}</p></html>
`;

/** Whether a path gets the page. Paths of APIs and files do not. */
const isPage = (path: string): boolean => !/^\/(api|graphql|webhooks|forge|assets)(\/|$)|\.[^/]*$/.test(path);

const pageQuery = v.object({ jwt: v.optional(v.string()), lic: v.optional(v.string()) });

/** Shares this build's hashed files. Returns the folder as a list: empty if there is none, or none that can be used. */
async function sharedAssets(app: FastifyInstance, clientDir: string, dir: string | undefined): Promise<string[]> {
  if (dir === undefined) return [];
  const folder = resolve(dir);
  const stop = await startSharing({ clientDir, folder, log: app.log });
  app.addHook('onClose', async () => stop());
  return (await isReadable(folder)) ? [folder] : [];
}

/** Serves the client: its files with long caching, and its page for all other paths. */
export async function clientRoutes(app: FastifyInstance, options: ClientOptions): Promise<void> {
  const { tokens, limits, tenants, hostScriptUrl } = options;
  const root = resolve(options.clientDir);
  /** Source maps are for developers. */
  const isPublic = (path: string) => build.development || !path.endsWith('.map');
  const usual = { index: false, cacheControl: false, dotfiles: 'ignore', suppressWarning: true } as const;

  const ownAssets = join(root, 'assets');
  await app.register(fastifyStatic, {
    ...usual,
    root: [ownAssets, ...(await sharedAssets(app, root, options.assetsDir))],
    prefix: '/assets/',
    decorateReply: false,
    allowedPath: (path, folder) => isPublic(path) && (folder === ownAssets || isHashed(path)),
    setHeaders: reply => void reply.header('cache-control', `public, max-age=${ASSET_MAX_AGE_SECONDS}, immutable`),
  });
  await app.register(fastifyStatic, {
    ...usual,
    root,
    // The page has a placeholder to fill in.
    allowedPath: path => posix.normalize(`/${path}`) !== '/index.html' && isPublic(path),
    setHeaders: reply => void reply.header('cache-control', `public, max-age=${FILE_MAX_AGE_SECONDS}`),
  });

  /** The page has no data of a tenant. A token in its URL must nevertheless be valid. */
  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { jwt, lic } = readInput(pageQuery, request.query);
    try {
      if (jwt !== undefined) {
        const { method, url } = request;
        const verify = () => tokens.request(jwt, method, url);
        const { tenant } = await limits.authenticate(request, verify, () => tokens.isOfKnownSite(jwt));
        note(request, { tenant: tenant.id });
        await noteLicense(tenants, tenant, lic);
      }
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      request.log.info({ reason: error.message }, 'unauthorized page');
      return reply.code(401).type('text/html').send(unauthorizedPage);
    }
    const html = await readFile(join(root, 'index.html'), 'utf8');
    return reply
      .type('text/html')
      .header('cache-control', 'no-cache')
      .send(html.replaceAll('%HOST_SCRIPT_URL%', escaped(hostScriptUrl)));
  }

  // The folder's path is not a file.
  app.get('/', page);
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isPage(path)) return page(request, reply);
    // A process that starts next may have the file.
    return reply.code(404).header('cache-control', 'no-store').send({ error: 'Not found.' });
  });
}
