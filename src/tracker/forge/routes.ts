import type { FastifyPluginCallback } from 'fastify';
import * as z from 'zod';
import type { Context, Forge } from '../context.ts';
import { contextOf, placeShape } from '../host/modules.ts';
import { type Caller, holds } from '../permissions.ts';
import { forbidden, RestError } from '../rest/errors.ts';
import { visitorOf } from '../session.ts';
import type { HostForge, HostInvocation } from '../wire.ts';
import { invokeRemote } from './invoke.ts';
import { forgeModulesAt } from './modules.ts';

/** Most milliseconds of an event's delay. */
const LATEST = 180_000;

const invocation: z.ZodType<HostInvocation> = z.object({
  place: placeShape,
  key: z.string(),
  issueKey: z.string().exactOptional(),
  projectKey: z.string().exactOptional(),
  modal: z.unknown().optional(),
  path: z.string().startsWith('/'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).exactOptional(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).exactOptional(),
  body: z.unknown().optional(),
});
const settings: z.ZodType<Partial<HostForge>> = z.strictObject({
  tokenSeconds: z.number().min(0).exactOptional(),
  invokeSeconds: z.number().positive().exactOptional(),
  eventDelayMs: z.number().min(0).max(LATEST).exactOptional(),
  isLicensed: z.boolean().exactOptional(),
});
const action = z.object({ action: z.enum(['install', 'uninstall']) });

/** Forge routes of the page, and settings for tests; shapes in wire.ts. */
export const forgeRoutes: FastifyPluginCallback<{ context: Context; forge: Forge }> = (app, options, done) => {
  const { context, forge } = options;
  const { platform, events, app: site } = forge;

  app.post('/invoke', { bodyLimit: 6 * 1024 * 1024 }, async (request, reply) => {
    const wanted = invocation.parse(request.body);
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    const [mounted] = forgeModulesAt(context, caller, wanted.place, contextOf(context, caller, wanted), wanted);
    const installed = site.installed();
    if (!mounted || !installed) throw new RestError(404, 'There is no such module here.');
    return invokeRemote(platform, installed, mounted, wanted);
  });

  app.get('/', () => platform.settings);
  app.put('/', (request, reply) => {
    Object.assign(platform.settings, settings.parse(request.body));
    return reply.code(204).send();
  });

  app.post('/tick', (_, reply) => {
    events.tick(site.installed);
    return reply.code(204).send();
  });

  app.post('/app', async (request, reply) => {
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    if (!holds(caller, 'ADMINISTER')) throw forbidden('Site administrators only.');
    await site[action.parse(request.body).action]();
    return site.state();
  });
  done();
};
