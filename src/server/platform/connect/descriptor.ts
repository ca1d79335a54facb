import type { FastifyInstance } from 'fastify';
import template from '../../../../atlassian-connect.json' with { type: 'json' };
import { versionLabel } from '../../../domain/build.ts';
import { edition } from '../../../domain/edition.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

function fill(value: Json, values: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string') return value.replace(/\{\{(\w+)\}\}/g, (whole, name) => values[name] ?? whole);
  if (Array.isArray(value)) return value.map(entry => fill(entry, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fill(entry, values)]));
}

/** The add-on's descriptor for this edition, as served from `baseUrl`. */
export const descriptor = (baseUrl: string): Json =>
  fill(template, {
    baseUrl,
    addonKey: edition.key,
    name: edition.name,
    label: edition.label,
    logo: edition.logo,
    version: versionLabel,
  });

export function descriptorRoute(app: FastifyInstance, baseUrl: string): void {
  const filled = descriptor(baseUrl);
  app.get('/atlassian-connect.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(filled));
}
