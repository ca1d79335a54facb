import { readFile } from 'node:fs/promises';
import { join, posix, resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { build } from '../../domain/build.ts';
import { edition } from '../../domain/edition.ts';
import { shell } from '../../domain/messages.ts';
import type { Limits } from '../common/limits.ts';
import { readInput, Unauthorized } from '../errors/request.ts';
import { noteLicense } from '../platform/connect/license.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Tokens } from '../platform/tokens.ts';

export interface ClientOptions {
  tokens: Tokens;
  limits: Limits;
  tenants: Pick<Tenants, 'change'>;
  /** The built client: `index.html`, hashed files in `assets/`, others beside them. */
  clientDir: string;
  hostScriptUrl: string;
}

/** Cache lifetimes in seconds: of hashed files, which never change, and of others. */
const ASSET_AGE = 31_536_000;
const FILE_AGE = 3_600;

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

const unauthorizedPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(edition.name)}</title>
<p>${escaped(shell.unauthorized)}</p><p>${escaped(shell.support)}</p></html>
`;

/** Whether a path gets the page: not those of APIs and files. */
const isPage = (path: string): boolean => !/^\/(api|graphql|webhooks|forge|assets)(\/|$)|\.[^/]*$/.test(path);

const pageQuery = v.object({ jwt: v.optional(v.string()), lic: v.optional(v.string()) });

/** Serves the client: its files with long caching, and its page for all other paths. */
export async function clientRoutes(app: FastifyInstance, options: ClientOptions): Promise<void> {
  const { tokens, limits, tenants, hostScriptUrl } = options;
  const root = resolve(options.clientDir);
  const assets = `${join(root, 'assets')}${sep}`;

  await app.register(fastifyStatic, {
    root,
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    // The page has a placeholder to fill in. Source maps are for developers.
    allowedPath: path => posix.normalize(`/${path}`) !== '/index.html' && (build.development || !path.endsWith('.map')),
    setHeaders: (reply, path) => {
      const age = path.startsWith(assets) ? `public, max-age=${ASSET_AGE}, immutable` : `public, max-age=${FILE_AGE}`;
      reply.header('cache-control', age);
    },
  });

  /** The page has no data of a tenant. A token in its URL must nevertheless be valid. */
  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { jwt, lic } = readInput(pageQuery, request.query);
    try {
      if (jwt !== undefined) {
        const { method, url } = request;
        const { tenant } = await limits.authenticate(request, () => tokens.request(jwt, method, url));
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
    const read = request.method === 'GET' || request.method === 'HEAD';
    return read && isPage(path) ? page(request, reply) : reply.code(404).send({ error: 'Not found.' });
  });
}
