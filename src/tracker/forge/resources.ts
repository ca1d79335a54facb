import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { CSPInjectionService, CSPProcessingService } from '@forge/csp';
import { load } from 'cheerio/slim';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Log } from '../log.ts';
import { globalBridge } from './global-bridge.ts';
import type { ForgePlatform } from './platform.ts';

const SCRIPTS_PATH = '/forge-cdn';
const RESIZER_MODULE = 'iframe-resizer/js/iframeResizer.contentWindow.min.js';

/** Added to the head of each page: the platform's bridge, and a script that reports the page's height. */
const HEAD_HTML = `<script src="${SCRIPTS_PATH}/global-bridge.js"></script><script defer src="${SCRIPTS_PATH}/iframe-resizer.js"></script>`;

const hostQuery = v.object({ hostname: v.optional(v.string()) });

/**
 * The server of the app's pages: another origin than the tracker's, with the vendor's content policy and without source
 * maps. It does not listen yet.
 */
export async function createResources({
  platform,
  dist,
  siteUrls,
  logLevel,
}: {
  platform: ForgePlatform;
  /** Folder of the built pages. */
  dist: string;
  /** Sites that may embed them. */
  siteUrls: readonly string[];
  logLevel: string;
}): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
  });
  const [{ key: resource }] = platform.manifest.resources;
  const policy = policyFor(platform, app.log);

  app.addHook('onRequest', async (request, reply) => {
    if (!/^localhost(:\d+)?$/.test(request.headers.host ?? '')) return reply.code(421).send('');
    reply.header('x-content-type-options', 'nosniff');
  });

  app.get(`${SCRIPTS_PATH}/global-bridge.js`, (_, reply) => reply.type('text/javascript').send(globalBridge));
  const resizer = await readFile(createRequire(import.meta.url).resolve(RESIZER_MODULE), 'utf8');
  app.get(`${SCRIPTS_PATH}/iframe-resizer.js`, (_, reply) => reply.type('text/javascript').send(resizer));

  app.get(`/${resource}/index.html`, async (request, reply) => {
    const html = await readFile(join(dist, 'index.html'), 'utf8').catch(() => undefined);
    if (html === undefined) return reply.callNotFound();
    const { hostname } = parseAs(hostQuery, request.query);
    const site = siteUrls.find(url => url === hostname) ?? siteUrls[0];
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy(html, site ?? ''))
      .send(html.replace(/<head[^>]*>/, head => head + HEAD_HTML));
  });
  await app.register(fastifyStatic, {
    root: dist,
    prefix: `/${resource}/`,
    index: false,
    dotfiles: 'ignore',
    allowedPath: path => !/\.(map|html)$/.test(path),
  });
  return app;
}

/**
 * The vendor's policy, by the manifest's permissions and the page. Without its report address: no reports leave the
 * machine.
 */
function policyFor(
  { manifest, remoteUrl }: ForgePlatform,
  log: Pick<Log, 'info'>,
): (html: string, siteUrl: string) => string {
  const { permissions } = manifest;
  const details = new CSPProcessingService({ info: (...text: unknown[]) => log.info(text.join(' ')) }, load);
  const injection = new CSPInjectionService();
  const client = permissions.external.fetch.client.map(entry => (typeof entry === 'string' ? entry : remoteUrl));
  const pagePermissions = { scopes: [], content: permissions.content, external: { fetch: { client } } };
  return (html, siteUrl) =>
    injection
      .getInjectableCSP({
        existingCSPDetails: details.getCspDetails(html, pagePermissions),
        microsEnv: 'prod',
        hostname: siteUrl,
      })
      .filter(directive => !directive.startsWith('report-uri'))
      .join('; ');
}
