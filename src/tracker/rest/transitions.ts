import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseAs, readAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { type Caller, holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { workflows } from '../site/catalogue.ts';
import type { Issue, Project } from '../site/model.ts';
import { projectOf, statusOf } from '../site/site.ts';
import { visibleIssue } from './access.ts';
import { statusBean } from './beans.ts';
import { saveIssue } from './changes.ts';
import { badRequest, RestError } from './errors.ts';
import { isOffered, refusalsOf } from './workflow-rules.ts';

const params = v.object({ issue: v.string() });
const body = v.object({ transition: v.object({ id: v.string() }) });

/** A transition from an issue's status to another. */
export interface Transition {
  id: string;
  name: string;
  statusId: string;
}

/** All transitions of a project. Each is named after its status. */
export const transitionsIn = ({ kind }: Pick<Project, 'kind'>): Transition[] =>
  workflows[kind].map((statusId, index) => ({ id: `${index + 1}1`, name: statusOf(statusId).name, statusId }));

/** The caller's transitions of an issue that workflow conditions allow; none without the permission. */
export function transitionsOf(context: Context, caller: Caller, issue: Issue): Transition[] {
  const project = projectOf(context.site, issue);
  if (!holds(caller, 'TRANSITION_ISSUES', { issue, project })) return [];
  return transitionsIn(project)
    .filter(({ statusId }) => statusId !== issue.statusId)
    .filter(transition => isOffered(context, caller, issue, transition));
}

/** Transitions of issues: list and perform. */
export function transitionRoutes(app: FastifyInstance, context: Context): void {
  app.get('/issue/:issue/transitions', request => {
    requireScope(request.caller, 'READ');
    const issue = visibleIssue(context, request.caller, parseAs(params, request.params).issue);
    const transitions = transitionsOf(context, request.caller, issue).map(({ id, name, statusId }) => {
      const traits = { hasScreen: false, isGlobal: true, isInitial: false, isAvailable: true, isConditional: false };
      return { id, name, to: statusBean(context.site, statusId), ...traits };
    });
    return { expand: 'transitions', transitions };
  });

  app.post('/issue/:issue/transitions', async (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const { caller } = request;
    const issue = visibleIssue(context, caller, parseAs(params, request.params).issue);
    const transitionId = readAs(body, request.body)?.transition.id;
    if (transitionId === undefined) throw badRequest("Missing 'transition' identifier");
    const transition = transitionsOf(context, caller, issue).find(({ id }) => id === transitionId);
    if (!transition) throw badRequest(`Transition id '${transitionId}' is not valid for this issue.`);
    const refusals = refusalsOf(context, caller, issue, transition);
    if (refusals.length > 0) throw new RestError(400, refusals);
    await saveIssue(context, caller, issue, { ...issue, statusId: transition.statusId }, 'issue_generic');
    return reply.code(204).send();
  });
}
