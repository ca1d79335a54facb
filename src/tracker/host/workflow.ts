import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { type Caller, holds } from '../permissions.ts';
import { visibleProject } from '../rest/access.ts';
import { badRequest, forbidden, RestError } from '../rest/errors.ts';
import { transitionsIn } from '../rest/transitions.ts';
import { summaryOf } from '../rest/workflow-rules.ts';
import { visitorOf } from '../session.ts';
import type { Project } from '../site/model.ts';
import { type HostWorkflow, newRule, ruleEdit } from '../wire/workflow.ts';

const named = v.object({ key: v.string() });
const identified = v.object({ key: v.string(), id: v.string() });

/** The rules of a project's transitions, for its administrators; shapes in `wire/workflow.ts`. */
export const workflowRoutes: FastifyPluginCallback<{ context: Context }> = (app, { context }, done) => {
  const { site } = context;

  function administered(request: FastifyRequest, reply: FastifyReply): Project {
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    const project = visibleProject(context, caller, parseAs(named, request.params).key);
    if (!holds(caller, 'ADMINISTER_PROJECTS', { project }))
      throw forbidden("You don't have permission to administer this project.");
    return project;
  }
  function ruleOf(request: FastifyRequest, reply: FastifyReply) {
    const project = administered(request, reply);
    const rule = site.rules.get(parseAs(identified, request.params).id);
    if (rule?.projectId !== project.id) throw new RestError(404, 'This rule no longer exists.');
    return rule;
  }

  app.get('/workflow', (request, reply): HostWorkflow => {
    const project = administered(request, reply);
    const rules = site.rules
      .list()
      .filter(({ value }) => value.projectId === project.id)
      .map(({ value }) => {
        const { projectId: _, ...rule } = value;
        return { ...rule, summary: summaryOf(context, value) };
      });
    return { transitions: transitionsIn(project).map(({ id, name }) => ({ id, name })), rules };
  });

  app.post('/rules', async (request, reply) => {
    const project = administered(request, reply);
    const rule = parseAs(newRule, request.body);
    if (!transitionsIn(project).some(({ id }) => id === rule.transitionId))
      throw badRequest("This transition doesn't exist.");
    const id = String(Math.max(0, ...site.rules.list().map(({ id }) => Number(id))) + 1);
    await site.rules.put(id, { id, projectId: project.id, ...rule });
    return reply.code(201).send({ id });
  });

  app.put('/rules/:id', async (request, reply) => {
    const rule = ruleOf(request, reply);
    await site.rules.put(rule.id, { ...rule, ...parseAs(ruleEdit, request.body) });
    return reply.code(204).send();
  });

  app.delete('/rules/:id', async (request, reply) => {
    await site.rules.delete(ruleOf(request, reply).id);
    return reply.code(204).send();
  });
  done();
};
