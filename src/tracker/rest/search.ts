import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { integerText, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Issue } from '../site/model.ts';
import { findIssue, findProject } from '../site/site.ts';
import { maySee } from './access.ts';
import { aliasFilter } from './aliases.ts';
import type { Version } from './beans.ts';
import { badRequest, invalidPayload } from './errors.ts';
import { issueBean, nameList } from './issues.ts';

/** With fields, the real tracker gives no more issues in a page. */
const MAX_PAGE_SIZE = 100;

const searchQuery = v.object({
  jql: v.optional(v.string(), ''),
  fields: nameList,
  properties: nameList,
  expand: nameList,
  maxResults: v.optional(v.pipe(integerText, v.minValue(1)), 50),
  nextPageToken: v.optional(v.string()),
});
const fetchBody = v.object({
  issueIdsOrKeys: v.pipe(v.array(v.string()), v.minLength(1)),
  fields: v.optional(v.array(v.string()), []),
  properties: v.optional(v.array(v.string()), []),
  expand: v.optional(v.array(v.string()), []),
});
const countBody = v.object({ jql: v.string() });
const tokenShape = v.object({ jql: v.string(), start: v.pipe(v.number(), v.safeInteger()) });

const clause = /^(project|issue|key|id|parent)\s*(?:=\s*"?([\w-]+)"?|is\s+not\s+empty)$/i;
const among = /^(issue|key|id|parent)\s+in\s*\(([\w\s,"-]+)\)$/i;
const order = /\s*\border\s+by\s+created(?:\s+(asc|desc))?\s*$/i;
/** `in` and `not in` by ids, for single-valued attributes of an issue. */
const within = /^(project|issuetype|status)\s+(not\s+)?in\s*\(([\d\s,]+)\)$/i;

const idOf: Record<string, (issue: Issue) => string> = {
  project: ({ projectId }) => projectId,
  issuetype: ({ typeId }) => typeId,
  status: ({ statusId }) => statusId,
};

function idFilter(clause: string): ((issue: Issue) => boolean) | undefined {
  const [, field = '', not, ids = ''] = within.exec(clause) ?? [];
  const id = idOf[field.toLowerCase()];
  return id && (issue => ids.split(',').some(each => each.trim() === id(issue)) === (not === undefined));
}

/** Issues of a query, oldest first by default. Clauses are joined by `and`. */
function findIssues(context: Context, caller: Caller, jql: string): Issue[] {
  const [, direction] = order.exec(jql) ?? [];
  // Not within quotation marks.
  const clauses = jql
    .replace(order, '')
    .trim()
    .split(/\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/i)
    .map(clause => ({ clause, filter: idFilter(clause) ?? aliasFilter(context, caller, clause) }));
  const filters = clauses.flatMap(({ filter }) => filter ?? []);
  const otherClauses = clauses.flatMap(({ clause, filter }) => (filter ? [] : clause));
  if (otherClauses.length > 1) throw badRequest(`Error in the JQL Query: this tracker does not know '${jql}'.`);
  const issues = matching(context, caller, otherClauses[0] ?? 'project is not empty');
  const matchingIssues = issues.filter(issue => filters.every(filter => filter(issue)));
  return direction?.toLowerCase() === 'desc' ? matchingIssues.reverse() : matchingIssues;
}

/** Issues by project, id, key or parents, or all of them, oldest first. No other single clauses are supported. */
function matching(context: Context, caller: Caller, query: string): Issue[] {
  if (query === '') {
    throw badRequest('Unbounded JQL queries are not allowed here. Please add a search restriction to your query.');
  }
  const [, ofSeveral, several] = among.exec(query) ?? [];
  const [, field, value] = clause.exec(query) ?? [];
  if (field === undefined && several === undefined)
    throw badRequest(`Error in the JQL Query: this tracker does not know '${query}'.`);
  const visible = context.site.issues
    .list()
    .map(entry => entry.value)
    .filter(issue => maySee(context, caller, issue))
    .sort((one, other) => one.created.localeCompare(other.created) || Number(one.id) - Number(other.id));
  const visibleId = (named: string, of: string): string => {
    const issue = findIssue(context.site, named);
    if (issue && visible.includes(issue)) return issue.id;
    throw badRequest(`An issue with key '${named}' does not exist for field '${of}'.`);
  };
  const below = (parents: readonly string[]) =>
    visible.filter(({ parentId }) => parentId !== null && parents.includes(parentId));
  if (several !== undefined) {
    const of = ofSeveral?.toLowerCase() === 'parent' ? 'parent' : 'key';
    const ids = several.split(',').map(entry => visibleId(entry.trim().replaceAll('"', ''), of));
    return of === 'parent' ? below(ids) : visible.filter(({ id }) => ids.includes(id));
  }
  if (field?.toLowerCase() === 'parent')
    return value === undefined
      ? visible.filter(({ parentId }) => parentId !== null)
      : below([visibleId(value, 'parent')]);
  if (value === undefined) return visible;
  if (field?.toLowerCase() === 'project') {
    const project = findProject(context.site, value);
    if (!project) throw badRequest(`The value '${value}' does not exist for the field 'project'.`);
    return visible.filter(issue => issue.projectId === project.id);
  }
  const issue = findIssue(context.site, value);
  return visible.filter(({ id }) => id === issue?.id);
}

const tokenOf = (jql: string, start: number): string =>
  Buffer.from(JSON.stringify({ jql, start })).toString('base64url');

function startOf(token: string | undefined, jql: string): number {
  if (token === undefined) return 0;
  try {
    const parsed = parseAs(tokenShape, JSON.parse(Buffer.from(token, 'base64url').toString()));
    if (parsed.jql === jql) return parsed.start;
  } catch {}
  throw badRequest('The provided next page token is invalid or has expired.');
}

/** Search for issues, page by page, and several at once by id or key. */
export function searchRoutes(app: FastifyInstance, context: Context, version: Version): void {
  app.get('/search/jql', request => {
    requireScope(request.caller, 'READ');
    const { jql, fields, properties, expand, maxResults, nextPageToken } = parseAs(searchQuery, request.query);
    const issues = findIssues(context, request.caller, jql);
    const start = startOf(nextPageToken, jql);
    const end = start + Math.min(maxResults, MAX_PAGE_SIZE);
    // No fields requested means none here, not all.
    const requestedParts = { fields: fields.length ? fields : ['id'], properties, expand };
    return {
      issues: issues.slice(start, end).map(issue => issueBean(context, request.caller, issue, requestedParts, version)),
      isLast: end >= issues.length,
      ...(end < issues.length && { nextPageToken: tokenOf(jql, end) }),
    };
  });

  app.post('/issue/bulkfetch', request => {
    requireScope(request.caller, 'WRITE', 'read:jira-work');
    const { issueIdsOrKeys, ...requestedParts } = parseAs(fetchBody, request.body, invalidPayload);
    if (issueIdsOrKeys.length > MAX_PAGE_SIZE)
      throw badRequest(`No more than ${MAX_PAGE_SIZE} issues can be fetched at once.`);
    const visibleIssues = issueIdsOrKeys.flatMap(named => {
      const issue = findIssue(context.site, named);
      return issue && maySee(context, request.caller, issue) ? issue : [];
    });
    const issues = [...new Set(visibleIssues)].sort((one, other) => Number(one.id) - Number(other.id));
    return {
      issueErrors: [],
      issues: issues.map(issue => issueBean(context, request.caller, issue, requestedParts, version)),
    };
  });

  app.post('/search/approximate-count', request => {
    requireScope(request.caller, 'READ');
    const { jql } = parseAs(countBody, request.body, invalidPayload);
    return { count: findIssues(context, request.caller, jql).length };
  });
}
