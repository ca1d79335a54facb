import type { FastifyPluginCallback } from 'fastify';
import { Mismatch } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../faults/faults.ts';
import { guard } from '../faults/guard.ts';
import type { Caller } from '../permissions.ts';
import { meter } from '../quota/meter.ts';
import type { Quota } from '../quota/quota.ts';
import { callerOf } from '../session.ts';
import { accountReportRoute } from './account-reports.ts';
import { bulkPropertyRoutes } from './bulk-properties.ts';
import { changelogRoutes } from './changelog.ts';
import { RestError } from './errors.ts';
import { fieldMoveRoutes } from './field-moves.ts';
import { issueRoutes } from './issues.ts';
import { linkRoutes } from './links.ts';
import { notifyRoutes } from './notify.ts';
import { observe, type Served } from './observe.ts';
import { panelRoutes } from './panels.ts';
import { permissionRoutes } from './permissions.ts';
import { pickerRoutes } from './picker.ts';
import { projectRoutes } from './projects.ts';
import { propertyRoutes } from './properties.ts';
import { searchRoutes } from './search.ts';
import { transitionRoutes } from './transitions.ts';
import { userRoutes } from './users.ts';
import { workflowRuleRoutes } from './workflow-rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** The tracker's REST API below `/rest`, versions 2 and 3. */
export const restRoutes: FastifyPluginCallback<{
  context: Context;
  faults: Faults;
  quota: Quota;
  onServed?: ((served: Served) => void) | undefined;
}> = (app, options, done) => {
  const { context, faults, quota, onServed } = options;
  app.decorateRequest('caller');
  // The vendor takes an empty body as none, whatever its type.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, parsed) => {
    if (body === '') return parsed(null, undefined);
    return parseJson(request, String(body), parsed);
  });
  if (onServed) observe(app, onServed);
  meter(app, quota, context.site.url);
  guard(app, faults);
  app.addHook('onRequest', async request => {
    request.caller = await callerOf(context, request);
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.status >= 500) request.log.error(error);
    return reply.code(refusal.status).send(refusal.body);
  });
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ errorMessages: [`There is no ${request.method} ${request.url.split('?')[0]} here.`], errors: {} }),
  );
  propertyRoutes(app, context);
  accountReportRoute(app, context);
  fieldMoveRoutes(app, context);
  for (const [path, version] of [
    ['2', 2],
    ['latest', 2],
    ['3', 3],
  ] as const) {
    void app.register(
      (scope, _, ready) => {
        issueRoutes(scope, context, version);
        changelogRoutes(scope, context);
        bulkPropertyRoutes(scope, context);
        linkRoutes(scope, context);
        transitionRoutes(scope, context);
        notifyRoutes(scope, context);
        pickerRoutes(scope, context);
        searchRoutes(scope, context, version);
        projectRoutes(scope, context);
        userRoutes(scope, context);
        permissionRoutes(scope, context);
        panelRoutes(scope, context);
        workflowRuleRoutes(scope, context);
        ready();
      },
      { prefix: `/api/${path}` },
    );
  }
  done();
};

function refusalOf(error: unknown): RestError {
  if (error instanceof RestError) return error;
  if (error instanceof Mismatch) return new RestError(400, error.message);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 400) {
    return new RestError(400, 'There was an error parsing JSON. Check that your request body is valid.');
  }
  if (status < 500) return new RestError(status, error instanceof Error ? error.message : 'Bad request');
  return new RestError(500, 'Internal server error');
}
