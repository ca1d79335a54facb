import type { FastifyInstance } from 'fastify';
import { versionLabel } from '../../../domain/build.ts';
import { edition } from '../../../domain/edition.ts';
import { descriptor } from '../../../platform/descriptor.ts';

/** Serves the add-on's descriptor for this edition, as installed from `baseUrl`. */
export function descriptorRoute(app: FastifyInstance, baseUrl: string): void {
  const filled = descriptor({ ...edition, baseUrl, version: versionLabel });
  app.get('/atlassian-connect.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(filled));
}
