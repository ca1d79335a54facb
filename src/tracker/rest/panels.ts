import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { findProject } from '../site/site.ts';
import { requireSignedIn } from './access.ts';
import { actorOf } from './changes.ts';
import { badRequest, forbidden } from './errors.ts';

const body = v.object({
  /** Identifier of an issue panel's module. */
  moduleId: v.string(),
  projectList: v.array(v.object({ projectIdOrKey: v.string(), action: v.picklist(['PIN', 'UNPIN']) })),
});

/** Pins Forge panels to all issues of a project, asynchronously. */
export function panelRoutes(app: FastifyInstance, context: Context): void {
  const { site, forge, tasks } = context;
  app.post('/forge/panel/action/bulk/async', ({ caller, body: given }, reply) => {
    requireScope(caller, 'ADMIN');
    requireSignedIn(caller);
    if (!holds(caller, 'ADMINISTER')) throw forbidden('Only administrators of Jira can pin panels.');
    const { moduleId, projectList } = parseAs(body, given);
    const panel = forge?.panels.find(moduleId);
    if (!panel) throw badRequest(`There is no panel ${moduleId}.`);
    const changes = projectList.map(({ projectIdOrKey, action }) => {
      const project = findProject(site, projectIdOrKey);
      if (!project) throw badRequest(`There is no project ${projectIdOrKey}.`);
      return { project, isPinned: action === 'PIN' };
    });
    const task = tasks.begin(`PIN ${panel}`, actorOf(caller), async () => {
      for (const { project, isPinned } of changes) await forge?.panels.pin(panel, project.id, isPinned);
    });
    return reply.code(202).send({ taskId: task.id });
  });
}
