import * as v from 'valibot';
import {
  changeAnswer,
  changeRequest,
  checklist,
  foundChecklists,
  issueRef,
  revisionId,
  revisions,
  revisionsQuery,
  searchQuery,
  storedRevision,
  templates,
  templatesQuery,
} from './schemas.ts';

/** The base path of the REST API. */
export const API_PATH = '/api/v1';

/** A token can read, or also change. */
export const tokenScopes = ['READ', 'WRITE'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** An operation of the REST API, by which the server registers a route and the OpenAPI document describes it. */
export interface Operation {
  method: 'GET' | 'POST';
  /** Below `API_PATH`, with parameters in braces. */
  path: string;
  summary: string;
  description: string;
  /** The required scope of the token; `null` for no token. */
  needs: TokenScope | null;
  params: Readonly<Record<string, v.GenericSchema>>;
  query: v.StrictObjectSchema<v.ObjectEntries, undefined>;
  headers: Readonly<Record<string, string>>;
  body?: v.GenericSchema;
  answer: v.GenericSchema;
  /** The answer may also be the checklist's text. */
  asText?: true;
  /** The answer's ETag has the revision. */
  etag?: true;
}

const none = v.strictObject({});
const issue = { issue: issueRef };
const ifNoneMatch = {
  'If-None-Match': 'The ETag of a known answer: the answer is 304 without a body where it is the same.',
};

export const operations = {
  readChecklist: {
    method: 'GET',
    path: '/issues/{issue}/checklist',
    summary: 'Read a checklist',
    description:
      'Answers rows and text, or with `Accept: text/plain` the text alone. An issue without a checklist has an empty one.',
    needs: 'READ',
    params: issue,
    query: none,
    headers: ifNoneMatch,
    answer: checklist,
    asText: true,
    etag: true,
  },
  listRevisions: {
    method: 'GET',
    path: '/issues/{issue}/checklist/revisions',
    summary: 'List the revisions of a checklist',
    description: 'Newest first, by page. A page may have fewer entries than asked for, or none, and still a next one.',
    needs: 'READ',
    params: issue,
    query: revisionsQuery,
    headers: {},
    answer: revisions,
  },
  readRevision: {
    method: 'GET',
    path: '/issues/{issue}/checklist/revisions/{revision}',
    summary: 'Read a revision of a checklist',
    description: 'Answers the text of an earlier version.',
    needs: 'READ',
    params: { ...issue, revision: revisionId },
    query: none,
    headers: {},
    answer: storedRevision,
  },
  changeChecklist: {
    method: 'POST',
    path: '/issues/{issue}/checklist/changes',
    summary: 'Change a checklist',
    description:
      'Makes one change. `If-Match` or `base` says on what it was made: with `If-Match` it is refused where the checklist has changed since (412), with `base` it is merged. `If-Match: *` is the newest revision.',
    needs: 'WRITE',
    params: issue,
    query: none,
    headers: {
      'If-Match': 'The ETag of the checklist that the change was made on, or `*`. Without it, `base` is required.',
      'Idempotency-Key':
        'Made up by the client, 1 to 80 printable characters. A repeated request with the same key is answered as the first one, and refused (409) where its body is another one.',
    },
    body: changeRequest,
    answer: changeAnswer,
    etag: true,
  },
  searchChecklists: {
    method: 'GET',
    path: '/checklists',
    summary: 'Search checklists',
    description: 'Finds issues by their checklists, among those that the app knows. Newest issues first.',
    needs: 'READ',
    params: {},
    query: searchQuery,
    headers: {},
    answer: foundChecklists,
  },
  listTemplates: {
    method: 'GET',
    path: '/templates',
    summary: 'List templates',
    description: 'The templates of the site and of one project, by name.',
    needs: 'READ',
    params: {},
    query: templatesQuery,
    headers: {},
    answer: templates,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Read this document',
    description: 'The OpenAPI document of this API.',
    needs: null,
    params: {},
    query: none,
    headers: {},
    answer: v.looseObject({ openapi: v.string() }),
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
