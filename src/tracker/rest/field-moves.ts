import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TaskProgressObject } from 'jira.js/cloud';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { requireScope } from '../session.ts';
import { AppRefusal, appsOnly } from './errors.ts';

const named = v.object({ connectKey: v.string(), field: v.string() });
const taskQuery = v.object({ retriggerCompletedMigration: v.optional(v.picklist(['true', 'false'])) });

/** Each task began at this time. */
const TASK_BEGIN = new Date(0).toISOString();
const TASK_PATH = '/atlassian-connect/1/migration/:connectKey/:field/task';

/** The tasks that move the data of Connect's fields to Forge: each has the state that the settings name. */
export function fieldMoveRoutes(app: FastifyInstance, { site, forge }: Context): void {
  const states = () => forge?.platform.settings.fieldMoves ?? {};

  /** The module of the field, which has a task, and its state. */
  function taskOf({ caller, params }: FastifyRequest) {
    if (caller.kind !== 'app') throw appsOnly();
    const { connectKey, field } = parseAs(named, params);
    const status = connectKey === caller.app.key ? states()[field] : undefined;
    if (status === undefined) throw new AppRefusal(404, 'No migration task exists for this field.');
    return { field, status };
  }

  app.get(TASK_PATH, request => {
    requireScope(request.caller, 'READ');
    const { field, status } = taskOf(request);
    return {
      ...{ self: `${site.url}${request.url}`, id: field, status, progress: status === 'COMPLETE' ? 100 : 0 },
      ...{ submittedBy: 0, submitted: TASK_BEGIN, lastUpdate: TASK_BEGIN, elapsedRuntime: 0 },
    } satisfies Omit<TaskProgressObject, 'submitted' | 'lastUpdate'> & { submitted: string; lastUpdate: string };
  });

  // Begins a task again; one that is complete only on demand.
  app.post(TASK_PATH, (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const { field, status } = taskOf(request);
    const { retriggerCompletedMigration } = parseAs(taskQuery, request.query);
    if (status !== 'COMPLETE' || retriggerCompletedMigration === 'true') states()[field] = 'RUNNING';
    return reply.code(202).send();
  });
}
