import type * as v from 'valibot';
import { type JsonSchema, namedSchemas } from '../../../domain/api/json-schema.ts';
import { API_PATH, type Operation, operations } from '../../../domain/api/operations.ts';
import * as schemas from '../../../domain/api/schemas.ts';
import { build } from '../../../domain/build/build.ts';
import { changeSchema } from '../../../domain/change.ts';
import { edition } from '../../../domain/edition.ts';

/** Schemas with a name in the document. */
const components = {
  Checklist: schemas.checklist,
  Row: schemas.row,
  Diagnostic: schemas.diagnostic,
  Change: changeSchema,
  ChangeRequest: schemas.changeRequest,
  ChangeAnswer: schemas.changeAnswer,
  Revisions: schemas.revisions,
  StoredRevision: schemas.storedRevision,
  FoundChecklists: schemas.foundChecklists,
  Templates: schemas.templates,
  Problem: schemas.problem,
};

const { all, refer } = namedSchemas(components, '#/components/schemas/');

/** The statuses of errors, and when they are answered. */
const errors: Readonly<Record<number, string>> = {
  400: 'The input is malformed.',
  401: 'The token is missing, invalid, revoked or expired.',
  403: 'The token can only read, the app has no permission, or the license is not active.',
  404: 'The issue does not exist, or is hidden from the app or the token.',
  409: 'The row has changed, or the Idempotency-Key was used for another request.',
  412: 'The checklist has changed since the revision of If-Match.',
  413: 'The request is too large.',
  415: 'The request is not JSON.',
  422: 'The change is refused for what it says; `diagnostics` names rows.',
  428: 'Neither If-Match nor a base says on what the change was made.',
  429: 'There are more requests than the limit permits.',
  502: 'Jira refused.',
  503: 'Jira or the database does not answer.',
};
const common = [400, 429];
const withToken = [401, 403, 404, 503];
const ofChanges = [409, 412, 413, 415, 422, 428, 502];

function parameters(where: 'path' | 'query', entries: Readonly<Record<string, v.GenericSchema>>): JsonSchema[] {
  return Object.entries(entries).map(([name, schema]) => {
    const { description, ...rest } = refer(schema);
    const required = where === 'path' || schema.type !== 'exact_optional';
    return { name, in: where, required, schema: rest, ...(description !== undefined && { description }) };
  });
}

const headerParameters = (headers: Readonly<Record<string, string>>): JsonSchema[] =>
  Object.entries(headers).map(([name, description]) => ({
    ...{ name, in: 'header', required: false, description, schema: { type: 'string' } },
  }));

const limitHeaders = Object.fromEntries(
  ['Limit', 'Remaining', 'Reset'].map(name => [`RateLimit-${name}`, { schema: { type: 'integer' } }]),
);
const etagHeader = {
  ETag: {
    schema: { type: 'string' },
    description: 'The revision in quotes; that of a read also names its content. Both are what `If-Match` takes',
  },
};

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

function responses({ answer, asText, etag, needs, body, headers }: Operation): JsonSchema {
  const refused = [...common, ...(needs === null ? [] : withToken), ...(body ? ofChanges : [])].sort((a, b) => a - b);
  const problem = { 'application/problem+json': { schema: refer(schemas.problem) } };
  return {
    200: {
      description: 'The answer.',
      headers: { ...(needs !== null && limitHeaders), ...(etag && etagHeader) },
      content: { ...json(refer(answer)), ...(asText && { 'text/plain': { schema: { type: 'string' } } }) },
    },
    ...('If-None-Match' in headers && { 304: { description: 'The answer has not changed.' } }),
    ...Object.fromEntries(
      refused.map(status => [status, { description: errors[status] ?? 'An error.', content: problem }]),
    ),
  };
}

function operationObject(id: string, operation: Operation): JsonSchema {
  const { summary, description, needs, params, query, headers, body } = operation;
  return {
    ...{ operationId: id, summary, description },
    security: needs === null ? [] : [{ token: [] }],
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query.entries as Readonly<Record<string, v.GenericSchema>>),
      ...headerParameters(headers),
    ],
    ...(body && { requestBody: { required: true, content: json(refer(body)) } }),
    responses: responses(operation),
  };
}

/** The OpenAPI 3.1 document of all operations, made of the schemas by which the server parses. */
export function openApiDocument(baseUrl: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(id, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${edition.name} API`,
      version: build.version,
      description:
        'Reads and changes checklists of issues, as the app. Site administrators create tokens in the settings.',
    },
    servers: [{ url: `${baseUrl}${API_PATH}` }],
    paths,
    components: {
      schemas: all,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of the site' } },
    },
  };
}
