import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { requireScope } from '../session.ts';
import { RestError, unauthorized } from './errors.ts';

const named = v.object({ connectKey: v.string(), field: v.string() });

/** The tasks that move the data of Connect's fields to Forge: each has the state that the settings name. */
export function fieldMoveRoute(app: FastifyInstance, { forge }: Context): void {
  app.get('/atlassian-connect/1/migration/:connectKey/:field/task', request => {
    if (request.caller.kind !== 'app') throw unauthorized();
    requireScope(request.caller, 'READ');
    const { connectKey, field } = parseAs(named, request.params);
    const status = connectKey === request.caller.app.key ? forge?.platform.settings.fieldMoves[field] : undefined;
    if (status === undefined) throw new RestError(404, 'No migration task exists for this field.');
    const { url } = request;
    const times = { submitted: 0, lastUpdate: 0, elapsedRuntime: 0 };
    return { self: url, id: field, status, progress: status === 'COMPLETE' ? 100 : 0, submittedBy: 0, ...times };
  });
}
