import type { FastifyPluginCallback } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
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

const invocation: v.GenericSchema<unknown, HostInvocation> = v.object({
  place: placeShape,
  key: v.string(),
  issueKey: v.exactOptional(v.string()),
  projectKey: v.exactOptional(v.string()),
  modal: v.optional(v.unknown()),
  path: v.pipe(v.string(), v.startsWith('/')),
  method: v.exactOptional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  headers: v.exactOptional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  body: v.optional(v.unknown()),
});
const settings: v.GenericSchema<unknown, Partial<HostForge>> = v.strictObject({
  tokenSeconds: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  invokeSeconds: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  eventDelayMs: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(LATEST))),
  isLicensed: v.exactOptional(v.boolean()),
  contextChars: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(32_768))),
  closedAccounts: v.exactOptional(v.array(v.string())),
  updatedAccounts: v.exactOptional(v.array(v.string())),
  reportDays: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  replacesRules: v.exactOptional(v.boolean()),
});
const action = v.object({ action: v.picklist(['install', 'uninstall']) });

/** Forge routes of the page, and settings for tests; shapes in wire.ts. */
export const forgeRoutes: FastifyPluginCallback<{ context: Context; forge: Forge }> = (app, options, done) => {
  const { context, forge } = options;
  const { platform, events, app: site } = forge;

  app.post('/invoke', { bodyLimit: 6 * 1024 * 1024 }, async (request, reply) => {
    const wanted = parseAs(invocation, request.body);
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    const [mounted] = forgeModulesAt(context, caller, wanted.place, contextOf(context, caller, wanted), wanted);
    const installed = site.installed();
    if (!mounted || !installed) throw new RestError(404, 'There is no such module here.');
    return invokeRemote(platform, installed, mounted, wanted);
  });

  app.get('/', () => platform.settings);
  app.put('/', (request, reply) => {
    Object.assign(platform.settings, parseAs(settings, request.body));
    return reply.code(204).send();
  });

  app.post('/tick', (_, reply) => {
    events.tick(site.installed);
    return reply.code(204).send();
  });

  app.post('/app', async (request, reply) => {
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    if (!holds(caller, 'ADMINISTER')) throw forbidden('Site administrators only.');
    await site[parseAs(action, request.body).action]();
    return site.state();
  });
  done();
};
