import type { FastifyPluginCallback } from 'fastify';
import * as v from 'valibot';
import { Mismatch, parseAs } from '../../domain/shape.ts';
import { contextClaims } from '../connect/frames.ts';
import { signContext } from '../connect/tokens.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../faults/faults.ts';
import { forgeModulesAt } from '../forge/modules.ts';
import { forgeRoutes } from '../forge/routes.ts';
import { type Caller, holds } from '../permissions.ts';
import type { Quota } from '../quota/quota.ts';
import { isShown, visibleIssue, visibleProject } from '../rest/access.ts';
import { badRequest, forbidden, RestError } from '../rest/errors.ts';
import { signIn, visitorOf } from '../session.ts';
import type { Person } from '../site/model.ts';
import { personOf } from '../site/people.ts';
import { projectOf } from '../site/site.ts';
import { faultShape } from '../wire/faults.ts';
import { frameworkShape, placeShape } from '../wire/modules.ts';
import { quotaEdit } from '../wire/quota.ts';
import { addonAction, issueEdit, projectEdit } from '../wire/site.ts';
import { gadgetRoutes } from './gadgets.ts';
import { contextOf, modulesAt } from './modules.ts';
import { outboxRoutes } from './outbox.ts';
import { checklistField, hostIssue, hostState } from './views.ts';
import { workflowRoutes } from './workflow.ts';

const place = v.object({
  place: placeShape,
  framework: v.optional(frameworkShape, 'connect'),
  key: v.optional(v.string()),
  addonKey: v.optional(v.string()),
  issueKey: v.optional(v.string()),
  projectKey: v.optional(v.string()),
  rule: v.optional(v.string()),
  gadget: v.optional(v.string()),
});
const where = v.pick(place, ['addonKey', 'issueKey', 'projectKey']);
const named = v.object({ key: v.string() });
const identified = v.object({ id: v.string() });
const account = v.object({ accountId: v.string() });
interface HostOptions {
  context: Context;
  faults: Faults;
  quota: Quota;
  addonUrls: readonly string[];
}

/** The page's routes; shapes in the folder `wire`. */
export const hostRoutes: FastifyPluginCallback<HostOptions> = (app, options, done) => {
  const { context, faults, quota, addonUrls } = options;
  const { site, addons, forge } = context;
  const callerOf = (person: Person): Caller => ({ kind: 'person', person });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof RestError) return reply.code(error.status).send(error.body);
    if (error instanceof Mismatch) return reply.code(400).send(badRequest(error.message).body);
    request.log.error(error);
    return reply.code(500).send({ errorMessages: ['Internal server error'], errors: {} });
  });

  app.get('/state', async (request, reply) => {
    const visitor = visitorOf(request, reply);
    await Promise.all(addons.map(addon => addon.check()));
    await forge?.app.check();
    return hostState(context, visitor);
  });

  app.post('/user', (request, reply) => {
    const person = personOf(parseAs(account, request.body).accountId);
    if (!person) throw badRequest('No user has this account.');
    return hostState(context, signIn(reply, person));
  });

  app.get('/issues/:key', (request, reply) => {
    const caller = callerOf(visitorOf(request, reply));
    return hostIssue(context, caller, visibleIssue(context, caller, parseAs(named, request.params).key, isShown));
  });

  app.put('/projects/:key', async (request, reply) => {
    const caller = callerOf(visitorOf(request, reply));
    const project = visibleProject(context, caller, parseAs(named, request.params).key);
    if (!holds(caller, 'ADMINISTER_PROJECTS', { project }))
      throw forbidden("You don't have permission to administer this project.");
    const { checklistFieldOnScreen, apps, isTeamManaged } = parseAs(projectEdit, request.body);
    const field = checklistField(context);
    const otherFields = project.offScreen.filter(id => id !== field?.id);
    await site.projects.put(project.id, {
      ...project,
      ...(checklistFieldOnScreen !== undefined && {
        offScreen: field && !checklistFieldOnScreen ? [...otherFields, field.id] : otherFields,
      }),
      ...(apps !== undefined && { apps }),
      ...(isTeamManaged !== undefined && { isTeamManaged }),
    });
    return reply.code(204).send();
  });

  app.put('/issues/:key', async (request, reply) => {
    const caller = callerOf(visitorOf(request, reply));
    const issue = visibleIssue(context, caller, parseAs(named, request.params).key);
    if (!holds(caller, 'ADMINISTER_PROJECTS', { project: projectOf(site, issue) }))
      throw forbidden("You don't have permission to administer this project.");
    await site.issues.put(issue.id, { ...issue, ...parseAs(issueEdit, request.body) });
    return reply.code(204).send();
  });

  app.get('/modules', async (request, reply) => {
    const moduleQuery = parseAs(place, request.query);
    const caller = callerOf(visitorOf(request, reply));
    const about = contextOf(context, caller, moduleQuery);
    return moduleQuery.framework === 'forge'
      ? forgeModulesAt(context, caller, moduleQuery.place, about, moduleQuery).map(({ module }) => module)
      : modulesAt(context, caller, moduleQuery.place, about, moduleQuery);
  });

  app.get('/context-token', async (request, reply) => {
    const visitor = visitorOf(request, reply);
    const { addonKey, ...moduleQuery } = parseAs(where, request.query);
    const installed = addons
      .flatMap(addon => addon.installed() ?? [])
      .find(({ descriptor }) => addonKey === undefined || descriptor.key === addonKey);
    if (!installed) throw new RestError(404, "This app isn't installed.");
    const about = contextOf(context, callerOf(visitor), moduleQuery);
    const claims = contextClaims(installed.descriptor, about);
    reply.type('text/plain').header('cache-control', 'no-store');
    return signContext(installed.shared, visitor.accountId, claims);
  });

  app.post('/addon', async (request, reply) => {
    if (!holds(callerOf(visitorOf(request, reply)), 'ADMINISTER'))
      throw forbidden('Only site administrators can do this.');
    const { action, number } = parseAs(addonAction, request.body);
    const addon = addons[number];
    if (!addon) throw badRequest('No app has this number.');
    await addon[action]();
    return addon.state();
  });

  void app.register(workflowRoutes, { prefix: '/projects/:key', context });
  void app.register(gadgetRoutes, { prefix: '/gadgets', context });
  if (forge) void app.register(forgeRoutes, { prefix: '/forge', context, forge });

  outboxRoutes(app, context.outbox, addonUrls);

  app.get('/faults', () => faults.list());
  app.post('/faults', (request, reply) => {
    faults.add(parseAs(faultShape, request.body));
    return reply.code(204).send();
  });
  app.delete('/faults', (_, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
  app.delete('/faults/:id', (request, reply) => {
    if (!faults.remove(parseAs(identified, request.params).id))
      throw new RestError(404, 'This fault no longer exists.');
    return reply.code(204).send();
  });

  app.get('/quota', () => quota.view());
  app.put('/quota', (request, reply) => {
    quota.limit(parseAs(quotaEdit, request.body).limit);
    return reply.code(204).send();
  });
  app.delete('/quota', (_, reply) => {
    quota.reset();
    return reply.code(204).send();
  });
  done();
};
