import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginCallback } from 'fastify';
import * as v from 'valibot';
import { integerText, parseAs } from '../domain/shape.ts';
import type { Addon } from './connect/addon.ts';
import type { InstallKey } from './connect/keys.ts';
import type { Forge } from './context.ts';
import { redirectOf } from './forge/redirect.ts';
import { bridgeFolder, hostScript } from './hostscript.ts';
import { imageOf } from './site/images.ts';

/** Addresses of pages; the page's script routes them. */
const pagePaths = [
  '/plugins/servlet/project-config/:key/workflows',
  '/',
  '/apps',
  '/dashboard',
  '/faults',
  '/quota',
  '/outbox',
  '/automation',
  '/browse/:key',
  '/portal/:key',
  '/mobile/:key',
  '/projects/:key/settings',
  '/projects/:key/workflow',
  '/projects/:key/board',
  '/projects/:key/issues',
  '/projects/:key/settings/:module',
  '/projects/:key/apps/:module',
  '/plugins/:module',
  '/admin/:module',
  '/jira/people/:id',
];

const NOT_BUILT = 'The page of the local tracker is not built yet. Run `npm run build`, then load this address again.';
const image = v.object({ group: v.string(), name: v.string() });
const sized = v.object({
  size: v.optional(v.pipe(integerText, v.minValue(8), v.maxValue(256)), 48),
});
const kid = v.object({ kid: v.string() });
const connectPage = v.object({ app: v.string(), module: v.string() });

interface PageOptions {
  siteUrl: string;
  pageDir: string;
  addons: readonly Addon[];
  forge: Forge | undefined;
  installKey: InstallKey;
  /** Whether an add-on has been reached since the start. */
  isReady: () => boolean;
}

/** All routes besides the APIs: the page, pictures, the script for frames, the public key of lifecycle calls. */
export const pageRoutes: FastifyPluginCallback<PageOptions> = (app, options, done) => {
  const { siteUrl, pageDir, addons, forge, installKey, isReady } = options;
  app.get('/health', () => ({
    status: 'ok',
    ready: isReady(),
    addons: addons.map(addon => addon.state()),
    ...(forge && { forge: forge.app.state() }),
  }));

  app.get('/install-keys/:kid', (request, reply) => {
    if (parseAs(kid, request.params).kid !== installKey.id) return reply.callNotFound();
    return reply.type('text/plain').send(installKey.publicKey);
  });

  app.get('/images/:group/:name.svg', (request, reply) => {
    const { group, name } = parseAs(image, request.params);
    const drawn = imageOf(group, name, parseAs(sized, request.query).size);
    if (drawn === undefined) return reply.callNotFound();
    return reply.type('image/svg+xml').header('cache-control', 'max-age=3600').send(drawn);
  });

  const script = hostScript(siteUrl);
  app.get('/atlassian-connect/all.js', async (_, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await script),
  );

  for (const sheet of ['surfaces.css', 'legacy-text-colors.css']) {
    app.get(`/${sheet}`, async (_, reply) => reply.type('text/css').send(await readFile(join(bridgeFolder, sheet))));
  }
  void app.register(fastifyStatic, { root: join(bridgeFolder, 'themes'), prefix: '/themes/', decorateReply: false });
  void app.register(fastifyStatic, { root: join(pageDir, 'assets'), prefix: '/assets/', decorateReply: false });

  app.get('/plugins/servlet/ac/:app/:module', (request, reply) => {
    const { app: addonKey, module } = parseAs(connectPage, request.params);
    const address = forge && redirectOf(forge, addonKey, module, request.url);
    return address === undefined ? reply.callNotFound() : reply.redirect(address);
  });

  for (const path of pagePaths) {
    app.get(path, async (_, reply) => {
      const html = await readFile(join(pageDir, 'index.html'), 'utf8').catch(() => undefined);
      if (html === undefined) return reply.code(503).type('text/plain').send(NOT_BUILT);
      return reply.type('text/html').header('cache-control', 'no-cache').send(html);
    });
  }
  done();
};
