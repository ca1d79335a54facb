import { isDeepStrictEqual } from 'node:util';
import { createQueryStringHash, decodeSymmetric, fromMethodAndUrl, SymmetricAlgorithm } from 'atlassian-jwt';
import { edition } from '../../../src/domain/edition.ts';
import { addonPermissions, permissionKey } from '../../../src/domain/permissions.ts';
import { answerCreation, PROJECT } from './issue-creation.ts';
import { answerProjects, OTHER_PROJECT } from './projects.ts';

/** Data of an issue in a fake tracker. */
export interface FakeIssue {
  properties: Record<string, unknown>;
  fields: Record<string, unknown>;
  /** The changelog, newest first. */
  histories?: FakeHistory[];
}

/** An entry of the changelog. */
export interface FakeHistory {
  id?: string;
  author?: { accountId: string };
  created: string;
  items: ({ field: string; fieldId?: string; to: string | null } & Record<string, unknown>)[];
}

/** Writes fields as an account, with a changelog entry. */
export function writeFields(issue: FakeIssue, fields: Record<string, unknown>, account: string): void {
  const items = Object.entries(fields).map(([fieldId, value]) => ({
    ...{ field: fieldId, fieldId, to: null, fromString: textOf(issue.fields[fieldId]), toString: textOf(value) },
  }));
  const id = String(1 + Number(issue.histories?.[0]?.id ?? 0));
  const entry = { id, author: { accountId: account }, created: new Date().toISOString(), items };
  issue.histories = [entry, ...(issue.histories ?? [])];
  Object.assign(issue.fields, fields);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Replaces the tracker's handling of a call: an answer, a failure (`'down'`), or `undefined` for the usual one. */
export type Fault = (call: { method: string; path: string; body: unknown }) => Response | 'down' | undefined;

export const isPropertyWrite: (call: Parameters<Fault>[0]) => boolean = ({ method, path }) =>
  method === 'PUT' && path.includes('/properties/');

/** Fails from the first write of a property on, which is recorded. */
export function silentAfterWrite(written: (body: unknown) => void): Fault {
  let silent = false;
  return call => {
    if (!isPropertyWrite(call)) return silent ? 'down' : undefined;
    silent = true;
    written(structuredClone(call.body));
    return 'down';
  };
}

export const OWN_FIELD = 'customfield_10100';
export const RIVAL_FIELD = 'customfield_10050';
/** Account of the add-on's own calls. */
export const ADDON_ACCOUNT = 'addon';

/** The configuration of a workflow rule, and its workflow. */
interface FakeRule {
  value: string;
  disabled: boolean;
  workflow?: string;
  draft?: boolean;
}

/** A tracker in memory: a `fetch` for the app's calls, with signature checks. */
export interface FakeTracker {
  fetch: typeof fetch;
  issues: Map<string, FakeIssue>;
  /** Properties of projects, by id. */
  projects: Map<string, Record<string, unknown>>;
  /** Names of all fields. */
  names: Record<string, string>;
  /** Permission keys by account, on every issue. The add-on has those of an editor unless it is named. */
  granted: Map<string, string[]>;
  /** Issues visible to the add-on only. */
  hidden: Set<string>;
  /** Whether the add-on administers no project. */
  isRestricted: boolean;
  /** Whether the add-on may read changelogs of many issues at once, which only Forge apps may. */
  hasBulkChangelogs: boolean;
  /** Known permission keys. */
  known: Set<string>;
  /** The app's workflow rules by their kind, in “Workflow” or a named workflow; without them the tracker refuses to say. */
  workflowRules: { validator?: FakeRule[]; condition?: FakeRule[] } | undefined;
  /** Workflow schemes by project; the tracker names none of other projects. */
  workflowSchemes: Map<string, { defaultWorkflow: string; issueTypeMappings?: Record<string, string> }>;
  faults: Fault[];
  /** Runs before a call is handled. */
  meanwhile: ((call: { method: string; path: string }) => Promise<unknown> | undefined)[];
  /** Selects calls that are handled, but whose answers are lost. */
  lost: ((call: { method: string; path: string }) => boolean)[];
  /** Page size of searches. */
  page: number;
  calls: { method: string; path: string; body: unknown }[];
  property(issue: string): unknown;
  /** Called after each write of a property by the add-on, as its webhook. */
  onProperty(issue: string): Promise<void>;
  /** Called after each write of fields by the add-on, as its webhook. */
  onFields(issue: string, fields: Record<string, unknown>): Promise<void>;
  /** Runs the task of a compare-and-set, by default at once, unlike the vendor's. */
  onSwap(task: () => Promise<void>): Promise<void>;
}

const json = (status: number, body?: unknown) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status });

/** Throws unless the request has a valid Connect signature, by an independent implementation. */
function verify(
  request: { method: string; url: URL; authorization: string | null },
  secret: string,
  key: string,
): void {
  const token = request.authorization?.replace(/^JWT /, '') ?? '';
  const claims = decodeSymmetric(token, secret, SymmetricAlgorithm.HS256);
  const path = request.url.pathname + request.url.search;
  if (claims.qsh !== createQueryStringHash(fromMethodAndUrl(request.method, path))) throw new Error('qsh');
  if (claims.iss !== edition.key || ![claims.aud].flat().includes(key)) throw new Error('iss or aud');
  if (claims.exp - claims.iat > 180) throw new Error('exp');
}

export function fakeTracker(clientKey: string, secret: string): FakeTracker {
  const tracker: FakeTracker = {
    issues: new Map(),
    projects: new Map([PROJECT, OTHER_PROJECT].map(id => [id, {}])),
    names: { summary: 'Summary', [RIVAL_FIELD]: 'Checklist Text', [OWN_FIELD]: 'Checklist Text' },
    granted: new Map(),
    hidden: new Set(),
    isRestricted: false,
    hasBulkChangelogs: true,
    known: new Set(Object.values(addonPermissions).map(module => permissionKey(module))),
    workflowRules: undefined,
    workflowSchemes: new Map([[PROJECT, { defaultWorkflow: 'Workflow' }]]),
    faults: [],
    meanwhile: [],
    lost: [],
    page: 50,
    calls: [],
    onProperty: async () => {},
    onFields: async () => {},
    onSwap: task => task(),
    property: issue => tracker.issues.get(issue)?.properties[`${edition.key}.checklist`],
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input);
      const method = init?.method ?? 'GET';
      try {
        verify({ method, url, authorization: new Headers(init?.headers).get('authorization') }, secret, clientKey);
      } catch {
        return json(401, { message: 'Unauthorized' });
      }
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const call = { method, path: url.pathname, body };
      tracker.calls.push(call);
      for (const happens of tracker.meanwhile) await happens(call);
      for (const fault of tracker.faults) {
        const answer = fault(call);
        if (answer === 'down') throw new TypeError('fetch failed');
        if (answer) return answer;
      }
      const given =
        answerCreation(tracker, call) ??
        answerProjects(tracker, call, url.searchParams) ??
        (await answer(tracker, call, url.searchParams));
      if (method === 'PUT' && given.status < 300) {
        const [, issue = '', rest] = /\/issue\/(\d+)(\/.+)?$/.exec(url.pathname) ?? [];
        if (isPropertyWrite(call)) await tracker.onProperty(issue);
        else if (issue && !rest && isFields(body)) await tracker.onFields(issue, body.fields);
      }
      if (tracker.lost.some(lost => lost(call))) throw new TypeError('fetch failed');
      return given;
    },
  };
  return tracker;
}

/** Workflows that have rules of the app of one kind, as the vendor lists them. */
function listRules({ workflowRules }: FakeTracker, query: URLSearchParams): Response {
  if (!workflowRules) return json(403, { errorMessages: ['Only Connect or Forge apps can use this operation.'] });
  const kind = query.get('types') === 'condition' ? 'condition' : 'validator';
  const values = (workflowRules[kind] ?? []).map(({ workflow = 'Workflow', draft = false, ...configuration }) => ({
    workflowId: { name: workflow, draft },
    [`${kind}s`]: [{ id: '1', key: `checklist-${kind}`, configuration }],
  }));
  return json(200, { values, isLast: true });
}

async function answer(
  tracker: FakeTracker,
  { method, path, body }: FakeTracker['calls'][number],
  query: URLSearchParams,
) {
  if (path === '/rest/api/2/field') {
    return json(200, [
      { id: 'summary', key: 'summary', name: 'Summary' },
      { id: RIVAL_FIELD, key: RIVAL_FIELD, name: 'Checklist Text', custom: true, schema: { type: 'string' } },
      { id: OWN_FIELD, key: `${edition.key}__checklist-text`, name: 'Checklist Text' },
    ]);
  }
  if (path === '/rest/api/3/workflow/rule/config') return listRules(tracker, query);
  if (path === '/rest/api/3/workflowscheme/project') {
    const workflowScheme = tracker.workflowSchemes.get(query.get('projectId') ?? '');
    return json(200, { values: workflowScheme ? [{ workflowScheme }] : [] });
  }
  if (path === '/rest/api/2/myself') return json(200, { accountId: ADDON_ACCOUNT });
  if (path === '/rest/api/3/user/permission/search') return searchHolders(tracker, query);
  if (path === '/rest/api/3/permissions/check') return checkPermissions(tracker, body);
  if (/^\/rest\/api\/[23]\/issue\/bulkfetch$/.test(path)) return fetchIssues(tracker, body);
  if (path === '/rest/api/3/changelog/bulkfetch')
    return tracker.hasBulkChangelogs ? fetchChangelogs(tracker, body) : json(403, { message: 'INACCESSIBLE' });
  if (path === '/rest/api/2/search/jql') return searchIssues(tracker, query);
  if (path === '/rest/api/2/search/approximate-count') return json(200, { count: tracker.issues.size });
  if (method === 'PUT' && path.startsWith('/rest/api/3/issue/properties/')) return swapProperty(tracker, path, body);
  const [, logged] = /^\/rest\/api\/3\/issue\/(\d+)\/changelog$/.exec(path) ?? [];
  if (logged) {
    const values = (tracker.issues.get(logged)?.histories ?? []).toReversed();
    const start = Number(query.get('startAt'));
    return json(200, { total: values.length, values: values.slice(start, start + Number(query.get('maxResults'))) });
  }
  const [, id = '', property] = /^\/rest\/api\/2\/issue\/(?:PR-)?(\d+)(?:\/properties\/(.+))?$/.exec(path) ?? [];
  const issue = tracker.issues.get(id);
  if (!issue) return json(404, { errorMessages: ['Issue does not exist or you do not have permission to see it.'] });
  if (method === 'PUT' && property) {
    issue.properties[decodeURIComponent(property)] = structuredClone(body);
    return json(200);
  }
  if (method === 'PUT' && query.get('notifyUsers') === 'false' && tracker.isRestricted) {
    return json(403, { errorMessages: [MAIL_DENIED], errors: {} });
  }
  if (method === 'PUT') {
    writeFields(issue, isFields(body) ? body.fields : {}, ADDON_ACCOUNT);
    return json(204);
  }
  const wanted = (query.get('properties') ?? '').split(',');
  const properties = Object.fromEntries(Object.entries(issue.properties).filter(([key]) => wanted.includes(key)));
  const placed = { project: { id: PROJECT, key: 'PR' }, issuetype: { id: '1', subtask: false }, created: LONG_AGO };
  const fields = { ...placed, ...issue.fields };
  const changelog = { histories: (issue.histories ?? []).slice(0, 100) };
  return json(200, { id, key: `PR-${id}`, fields, names: tracker.names, properties, changelog });
}

/** Accepts a task that writes the property where it matches the filter. */
async function swapProperty(tracker: FakeTracker, path: string, body: unknown): Promise<Response> {
  const { value, filter } = body as {
    value: unknown;
    filter: { entityIds: number[]; currentValue?: unknown; hasProperty?: boolean };
  };
  if (!filter.entityIds.every(Number.isSafeInteger)) return json(400, { errorMessages: ['Ids are numbers.'] });
  const key = decodeURIComponent(path.split('/').at(-1) ?? '');
  for (const id of filter.entityIds.map(String)) {
    await tracker.onSwap(async () => {
      const issue = tracker.issues.get(id);
      const held = issue?.properties[key];
      const fits = filter.hasProperty === false ? held === undefined : isDeepStrictEqual(held, filter.currentValue);
      if (!issue || !fits) return;
      issue.properties[key] = structuredClone(value);
      await tracker.onProperty(id);
    });
  }
  return json(303, { id: '1' });
}

const MAIL_DENIED = 'To discard the user notification either admin or project admin permissions are required.';

/** Default creation time of issues. */
const LONG_AGO = '2020-01-01T09:30:00.000+0000';

const isFields = (body: unknown): body is { fields: Record<string, unknown> } =>
  typeof body === 'object' && body !== null && 'fields' in body;

/** Finds one issue by `id = …`, else all, in pages from the token on. */
function searchIssues(tracker: FakeTracker, query: URLSearchParams): Response {
  const [, one] = /^id = (\d+)$/.exec(query.get('jql') ?? '') ?? [];
  const start = Number(query.get('nextPageToken') ?? 0);
  if (Number.isNaN(start)) return json(400, { errorMessages: ['The provided next page token is invalid.'] });
  const all = [...tracker.issues].filter(([id]) => one === undefined || id === one);
  const end = start + Math.min(tracker.page, Number(query.get('maxResults')));
  const pick = (values: Record<string, unknown>, wanted: string | null) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => wanted?.split(',').includes(key)));
  const issues = all.slice(start, end).map(([id, { fields, properties }]) => ({
    id,
    key: `P-${id}`,
    fields: pick({ project: { id: PROJECT }, ...fields }, query.get('fields')),
    properties: pick(properties, query.get('properties')),
  }));
  return json(200, { issues, isLast: end >= all.length, ...(end < all.length && { nextPageToken: String(end) }) });
}

/** Reads at most a hundred issues; missing ones are left out. */
function fetchIssues(tracker: FakeTracker, body: unknown): Response {
  const { issueIdsOrKeys, properties = [] } = body as { issueIdsOrKeys: string[]; properties?: string[] };
  if (issueIdsOrKeys.length > 100) return json(400, { errorMessages: ['Too many issues.'] });
  const placed = {
    project: { id: PROJECT, key: 'PR', name: 'A project' },
    status: { name: 'Open', statusCategory: { colorName: 'blue-gray' } },
    issuetype: { name: 'Task', iconUrl: 'https://site.example/task.svg' },
  };
  const issues = issueIdsOrKeys.flatMap(id => {
    const issue = tracker.issues.get(id);
    if (!issue) return [];
    const held = Object.entries(issue.properties).filter(([key]) => properties.includes(key));
    return { id, key: `PR-${id}`, fields: { ...placed, ...issue.fields }, properties: Object.fromEntries(held) };
  });
  return json(200, { issues, issueErrors: [] });
}

/** Reads changelogs of at most a thousand issues: whole entries with a requested field, oldest first. */
function fetchChangelogs(tracker: FakeTracker, body: unknown): Response {
  const {
    issueIdsOrKeys,
    fieldIds,
    maxResults,
    nextPageToken = '0',
  } = body as {
    issueIdsOrKeys: string[];
    fieldIds: string[];
    maxResults: number;
    nextPageToken?: string;
  };
  if (issueIdsOrKeys.length > 1_000) return json(400, { errorMessages: ['Too many issues.'] });
  const isWanted = ({ items }: FakeHistory) => items.some(({ fieldId }) => fieldId && fieldIds.includes(fieldId));
  const all = issueIdsOrKeys.flatMap(issueId =>
    (tracker.issues.get(issueId)?.histories ?? [])
      .filter(isWanted)
      .map(entry => ({ issueId, entry }))
      .toReversed(),
  );
  const start = Number(nextPageToken);
  const end = start + Math.min(maxResults, tracker.page);
  const issueChangeLogs = all.slice(start, end).map(({ issueId, entry }) => ({ issueId, changeHistories: [entry] }));
  return json(200, { issueChangeLogs, ...(end < all.length && { nextPageToken: String(end) }) });
}

function searchHolders({ granted, known }: FakeTracker, query: URLSearchParams): Response {
  const permission = query.get('permissions') ?? '';
  if (permission.includes('__') && !known.has(permission)) return json(400, { errorMessages: ['Unrecognized.'] });
  if (!query.has('query')) return json(400, { errorMessages: ["The 'query' parameter is required."] });
  // The accounts of the page come first, their permissions then.
  const page = [...granted].slice(0, Math.min(1_000, Number(query.get('maxResults'))));
  return json(
    200,
    page.flatMap(([accountId, keys]) => (keys.includes(permission) ? { accountId } : [])),
  );
}

interface PermissionQuestion {
  /** Without it, the question is about the add-on. */
  accountId?: string;
  projectPermissions?: { permissions: string[]; issues?: number[]; projects?: number[] }[];
  globalPermissions: string[];
}

function checkPermissions(tracker: FakeTracker, body: unknown) {
  const { accountId, projectPermissions: list, globalPermissions } = body as PermissionQuestion;
  if (list?.length === 0) return json(400, { errorMessages: ['At least one project permission is needed.'] });
  const projectPermissions = list ?? [];
  const asked = projectPermissions.flatMap(({ permissions }) => permissions);
  const unknown = asked.filter(key => key.includes('__') && !tracker.known.has(key));
  if (unknown.length) return json(400, { errorMessages: [`Unrecognized permission(s): ${unknown.join(', ')}`] });
  const own = accountId === undefined ? ['BROWSE_PROJECTS', 'EDIT_ISSUES'] : [];
  const granted = tracker.granted.get(accountId ?? ADDON_ACCOUNT) ?? own;
  const issues = projectPermissions
    .flatMap(each => each.issues ?? [])
    .filter(id => tracker.issues.has(String(id)) && !tracker.hidden.has(String(id)));
  const projects = projectPermissions.flatMap(each => each.projects ?? []).filter(id => String(id) === PROJECT);
  return json(200, {
    projectPermissions: asked
      .filter(key => granted.includes(key))
      .map(permission => ({ permission, issues, projects })),
    globalPermissions: globalPermissions.filter(key => granted.includes(key)),
  });
}
