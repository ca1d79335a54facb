import type { FastifyPluginCallback } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context, Forge } from '../context.ts';
import { contextOf } from '../host/modules.ts';
import { type Caller, holds } from '../permissions.ts';
import { forbidden, RestError } from '../rest/errors.ts';
import { visitorOf } from '../session.ts';
import { forgeEdit, invocationShape } from '../wire/forge.ts';
import { invokeRemote } from './invoke.ts';
import { forgeModulesAt } from './modules.ts';

const action = v.object({ action: v.picklist(['install', 'uninstall']) });

/** Forge routes of the page, and settings for tests; shapes in `wire/forge.ts`. */
export const forgeRoutes: FastifyPluginCallback<{ context: Context; forge: Forge }> = (app, options, done) => {
  const { context, forge } = options;
  const { platform, events, app: site } = forge;

  app.post('/invoke', { bodyLimit: 6 * 1024 * 1024 }, async (request, reply) => {
    const invocation = parseAs(invocationShape, request.body);
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    const [mounted] = forgeModulesAt(
      context,
      caller,
      invocation.place,
      contextOf(context, caller, invocation),
      invocation,
    );
    const installed = site.installed();
    if (!mounted || !installed) throw new RestError(404, 'There is no such module here.');
    return invokeRemote(platform, installed, mounted, invocation);
  });

  app.get('/', () => platform.settings);
  app.put('/', (request, reply) => {
    Object.assign(platform.settings, parseAs(forgeEdit, request.body));
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
