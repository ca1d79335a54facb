import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { requireAdmin } from '../access/project-permissions.ts';
import type { Authentication } from '../platform/authentication.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { personalCause } from '../quota/work.ts';
import type { Store } from '../store/store.ts';
import { exportLines } from './records.ts';

export interface ExportOptions {
  authentication: Authentication;
  store: Store;
  trackerOf: Trackers;
}

/** `GET /api/export` with the app's session token: a site's stored data as lines of JSON, for its administrators. */
export function exportRoute(app: FastifyInstance, { authentication, store, trackerOf }: ExportOptions): void {
  app.get('/api/export', async (request, reply) => {
    const caller = await authentication.session(request, reply);
    await requireAdmin(caller, trackerOf(caller.tenant, personalCause(caller.account)), null);
    return reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="smart-checklist.ndjson"')
      .header('cache-control', 'no-store')
      .send(Readable.from(exportLines(store, caller.tenant.id)));
  });
}
