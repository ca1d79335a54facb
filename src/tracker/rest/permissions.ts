import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { integerText, notArray, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { type Caller, holds, knownPermissions, type Permission, type Where } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Person } from '../site/model.ts';
import { people, personOf } from '../site/people.ts';
import { findIssue, findProject, projectOf } from '../site/site.ts';
import { isShown, maySee, requireSignedIn } from './access.ts';
import { personBean } from './beans.ts';
import { badRequest, forbidden, invalidPayload, issueNotFound, projectNotFound, RestError } from './errors.ts';

const mineQuery = v.object({
  permissions: v.optional(v.string()),
  issueKey: v.optional(v.string()),
  issueId: v.optional(v.string()),
  projectKey: v.optional(v.string()),
  projectId: v.optional(v.string()),
});
/** Numbers only, as documented. */
const ids = v.optional(v.array(v.pipe(v.number(), v.safeInteger(), v.transform(String))), []);
const holdersQuery = v.object({
  permissions: v.string(),
  /** Required unless an account is named; may be empty. */
  query: v.optional(v.string()),
  accountId: v.optional(v.string()),
  projectKey: v.string(),
  startAt: v.optional(v.pipe(integerText, v.minValue(0)), 0),
  maxResults: v.optional(v.pipe(integerText, v.minValue(1)), 50),
});
/** A search for users looks at the first accounts only. */
const MAX_SEARCHED_ACCOUNTS = 1_000;
const checkBody = v.pipe(
  notArray,
  v.object({
    accountId: v.optional(v.string()),
    globalPermissions: v.optional(v.array(v.string()), []),
    projectPermissions: v.optional(
      v.array(v.object({ permissions: v.array(v.string()), issues: ids, projects: ids })),
      [],
    ),
  }),
);
const projectsBody = v.object({ permissions: v.pipe(v.array(v.string()), v.minLength(1)) });

/** Permissions of the caller, or of another user. */
export function permissionRoutes(app: FastifyInstance, context: Context): void {
  const { site, apps } = context;
  const allPermissions = () => knownPermissions(apps());

  app.get('/permissions', ({ caller }) => {
    requireScope(caller, 'ADMIN', 'read:permission:jira');
    requireSignedIn(caller);
    return {
      permissions: Object.fromEntries(
        allPermissions().map(({ key, name, description, scope }) => [key, { key, name, type: scope, description }]),
      ),
    };
  });

  app.get('/mypermissions', ({ caller, query }) => {
    requireScope(caller, 'READ');
    const parsedQuery = parseAs(mineQuery, query);
    if (parsedQuery.permissions === undefined) throw badRequest("The 'permissions' query parameter is required.");
    const askedPermissions = recognised(
      allPermissions(),
      parsedQuery.permissions
        .split(',')
        .map(key => key.trim())
        .filter(Boolean),
    );
    const where = whereOf(context, caller, parsedQuery);
    return {
      permissions: Object.fromEntries(
        askedPermissions.map(({ key, name, description, scope }) => [
          key,
          { id: key, key, name, type: scope, description, havePermission: holds(caller, key, where) },
        ]),
      ),
    };
  });

  app.get('/user/permission/search', ({ caller, query }) => {
    requireScope(caller, 'READ', 'read:jira-user');
    const { permissions, projectKey, query: text, accountId, startAt, maxResults } = parseAs(holdersQuery, query);
    if (text === undefined && accountId === undefined) throw badRequest("The 'query' parameter is required.");
    const project = findProject(site, projectKey);
    if (!project) throw projectNotFound(projectKey);
    if (!holds(caller, 'ADMINISTER') && !holds(caller, 'ADMINISTER_PROJECTS', { project })) {
      throw forbidden('You do not have permission to search for users with permissions.');
    }
    const keys = permissions.split(',');
    recognised(allPermissions(), keys);
    const may = (person: Person) => keys.every(key => holds({ kind: 'person', person }, key, { project }));
    // Like the vendor, picks the accounts of the page first and looks at their permissions then.
    return matching(text ?? '', accountId)
      .slice(startAt, Math.min(startAt + maxResults, MAX_SEARCHED_ACCOUNTS))
      .filter(may)
      .map(person => personBean(site, person));
  });

  app.post('/permissions/project', ({ caller, body }) => {
    requireScope(caller, 'READ');
    requireSignedIn(caller);
    const { permissions } = parseAs(projectsBody, body, invalidPayload);
    recognised(allPermissions(), permissions);
    const projects = site.projects
      .list()
      .filter(({ value: project }) => permissions.every(key => holds(caller, key, { project })));
    return { projects: projects.map(({ value: { id, key } }) => ({ id: Number(id), key })) };
  });

  app.post('/permissions/check', ({ caller, body }) => {
    requireScope(caller, 'READ', 'read:permission:jira');
    requireSignedIn(caller);
    const { accountId, globalPermissions, projectPermissions } = parseAs(checkBody, body, invalidPayload);
    if (body !== null && typeof body === 'object' && 'projectPermissions' in body && projectPermissions.length === 0) {
      throw badRequest('The project permissions need at least one permission.');
    }
    const subject = subjectOf(caller, accountId);
    recognised(allPermissions(), [
      ...globalPermissions,
      ...projectPermissions.flatMap(({ permissions }) => permissions),
    ]);
    return {
      globalPermissions: globalPermissions.filter(key => holds(subject, key)),
      projectPermissions: projectPermissions.flatMap(({ permissions, issues, projects }) =>
        permissions.map(permission => ({
          permission,
          issues: issues
            .filter(id => {
              const issue = site.issues.get(id);
              return (
                issue &&
                isShown(context, subject, issue) &&
                holds(subject, permission, { issue, project: projectOf(site, issue) })
              );
            })
            .map(Number),
          projects: projects
            .filter(id => {
              const project = site.projects.get(id);
              return project && holds(subject, permission, { project });
            })
            .map(Number),
        })),
      ),
    };
  });
}

/** The site's accounts whose name or e-mail address contains the text, or the one of the id, by name. */
const matching = (text: string, accountId: string | undefined): Person[] =>
  people
    .filter(person =>
      accountId === undefined
        ? `${person.displayName} ${person.email}`.toLowerCase().includes(text.toLowerCase())
        : person.accountId === accountId,
    )
    .toSorted((one, other) => one.displayName.localeCompare(other.displayName));

/** The permissions of these keys; all of them must be known. */
function recognised(permissions: Permission[], keys: string[]): Permission[] {
  const unknown = keys.filter(key => !permissions.some(permission => permission.key === key));
  if (unknown.length > 0) {
    throw new RestError(400, [], Object.fromEntries(unknown.map(key => [key, 'Unrecognized permission'])));
  }
  return permissions.filter(({ key }) => keys.includes(key));
}

/** Issue before project; an inaccessible one is not found. */
function whereOf(context: Context, caller: Caller, parsedQuery: v.InferOutput<typeof mineQuery>): Where {
  const { site } = context;
  const ofIssue = parsedQuery.issueKey ?? parsedQuery.issueId;
  if (ofIssue !== undefined) {
    const issue = findIssue(site, ofIssue);
    if (!issue || (caller.kind !== 'anonymous' && !maySee(context, caller, issue))) throw issueNotFound();
    return { issue, project: projectOf(site, issue) };
  }
  const ofProject = parsedQuery.projectKey ?? parsedQuery.projectId;
  if (ofProject === undefined) return {};
  const project = findProject(site, ofProject);
  if (!project) throw projectNotFound(ofProject);
  return { project };
}

/** The account whose permissions are checked: the caller's own, or any for add-ons and administrators. */
function subjectOf(caller: Caller, accountId: string | undefined): Caller {
  const ownAccount = caller.kind === 'person' ? caller.person.accountId : undefined;
  if (accountId === undefined || accountId === ownAccount) return caller;
  if (!holds(caller, 'ADMINISTER')) throw forbidden('You do not have permission to check permissions of other users.');
  const person = personOf(accountId);
  if (!person) throw new RestError(400, `The user with account ID '${accountId}' does not exist.`);
  return { kind: 'person', person };
}
