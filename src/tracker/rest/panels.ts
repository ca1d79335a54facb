import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { findProject } from '../site/site.ts';
import { requireSignedIn } from './access.ts';
import { actorOf } from './changes.ts';
import { badRequest, forbidden } from './errors.ts';

const body = z.object({
  /** Identifier of an issue panel's module. */
  moduleId: z.string(),
  projectList: z.array(z.object({ projectIdOrKey: z.string(), action: z.enum(['PIN', 'UNPIN']) })),
});

/** Pins Forge panels to all issues of a project, asynchronously. */
export function panelRoutes(app: FastifyInstance, context: Context): void {
  const { site, forge, tasks } = context;
  app.post('/forge/panel/action/bulk/async', ({ caller, body: given }, reply) => {
    requireScope(caller, 'ADMIN');
    requireSignedIn(caller);
    if (!holds(caller, 'ADMINISTER')) throw forbidden('Only administrators of Jira can pin panels.');
    const parsed = body.safeParse(given);
    if (!parsed.success) throw badRequest(z.prettifyError(parsed.error));
    const { moduleId, projectList } = parsed.data;
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
