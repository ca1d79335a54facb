import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { type Caller, holds, knownPermissions, type Permission, type Where } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Person } from '../site/model.ts';
import { people, personOf } from '../site/people.ts';
import { findIssue, findProject, projectOf } from '../site/site.ts';
import { isShown, maySee, requireSignedIn } from './access.ts';
import { personBean } from './beans.ts';
import { badRequest, forbidden, issueNotFound, projectNotFound, RestError } from './errors.ts';

const mineQuery = z.object({
  permissions: z.string().optional(),
  issueKey: z.string().optional(),
  issueId: z.string().optional(),
  projectKey: z.string().optional(),
  projectId: z.string().optional(),
});
const ids = z.array(z.coerce.string()).default([]);
const holdersQuery = z.object({
  permissions: z.string(),
  projectKey: z.string(),
  maxResults: z.coerce.number().int().min(1).default(50),
});
const checkBody = z.object({
  accountId: z.string().optional(),
  globalPermissions: z.array(z.string()).default([]),
  projectPermissions: z.array(z.object({ permissions: z.array(z.string()), issues: ids, projects: ids })).default([]),
});
const projectsBody = z.object({ permissions: z.array(z.string()).min(1) });

/** Permissions of the caller, or of another user. */
export function permissionRoutes(app: FastifyInstance, context: Context): void {
  const { site, apps } = context;
  const known = () => knownPermissions(apps());

  app.get('/permissions', ({ caller }) => {
    requireScope(caller, 'READ');
    requireSignedIn(caller);
    return {
      permissions: Object.fromEntries(
        known().map(({ key, name, description, scope }) => [key, { key, name, type: scope, description }]),
      ),
    };
  });

  app.get('/mypermissions', ({ caller, query }) => {
    requireScope(caller, 'READ');
    const wanted = mineQuery.parse(query);
    if (wanted.permissions === undefined) throw badRequest("The 'permissions' query parameter is required.");
    const asked = recognised(
      known(),
      wanted.permissions
        .split(',')
        .map(key => key.trim())
        .filter(Boolean),
    );
    const where = whereOf(context, caller, wanted);
    return {
      permissions: Object.fromEntries(
        asked.map(({ key, name, description, scope }) => [
          key,
          { id: key, key, name, type: scope, description, havePermission: holds(caller, key, where) },
        ]),
      ),
    };
  });

  app.get('/user/permission/search', ({ caller, query }) => {
    requireScope(caller, 'READ', 'manage:jira-configuration');
    const { permissions, projectKey, maxResults } = holdersQuery.parse(query);
    const project = findProject(site, projectKey);
    if (!project) throw projectNotFound(projectKey);
    if (!holds(caller, 'ADMINISTER') && !holds(caller, 'ADMINISTER_PROJECTS', { project })) {
      throw forbidden('You do not have permission to search for users with permissions.');
    }
    const keys = permissions.split(',');
    recognised(known(), keys);
    const may = (person: Person) => keys.every(key => holds({ kind: 'person', person }, key, { project }));
    return people
      .filter(may)
      .slice(0, maxResults)
      .map(person => personBean(site, person));
  });

  app.post('/permissions/project', ({ caller, body }) => {
    requireScope(caller, 'READ');
    requireSignedIn(caller);
    const parsed = projectsBody.safeParse(body);
    if (!parsed.success)
      throw badRequest('Invalid request payload. Refer to the REST API documentation and try again.');
    const { permissions } = parsed.data;
    recognised(known(), permissions);
    const projects = site.projects
      .list()
      .filter(({ value: project }) => permissions.every(key => holds(caller, key, { project })));
    return { projects: projects.map(({ value: { id, key } }) => ({ id: Number(id), key })) };
  });

  app.post('/permissions/check', ({ caller, body }) => {
    requireScope(caller, 'READ', 'read:permission:jira');
    requireSignedIn(caller);
    const parsed = checkBody.safeParse(body);
    if (!parsed.success)
      throw badRequest('Invalid request payload. Refer to the REST API documentation and try again.');
    const { accountId, globalPermissions, projectPermissions } = parsed.data;
    const subject = subjectOf(caller, accountId);
    recognised(known(), [...globalPermissions, ...projectPermissions.flatMap(({ permissions }) => permissions)]);
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

/** The permissions of these keys; all of them must be known. */
function recognised(known: Permission[], keys: string[]): Permission[] {
  const unknown = keys.filter(key => !known.some(permission => permission.key === key));
  if (unknown.length > 0) throw badRequest(`Unrecognized permission(s): ${unknown.join(', ')}`);
  return known.filter(({ key }) => keys.includes(key));
}

/** Issue before project; an inaccessible one is not found. */
function whereOf(context: Context, caller: Caller, wanted: z.infer<typeof mineQuery>): Where {
  const { site } = context;
  const ofIssue = wanted.issueKey ?? wanted.issueId;
  if (ofIssue !== undefined) {
    const issue = findIssue(site, ofIssue);
    if (!issue || (caller.kind !== 'anonymous' && !maySee(context, caller, issue))) throw issueNotFound();
    return { issue, project: projectOf(site, issue) };
  }
  const ofProject = wanted.projectKey ?? wanted.projectId;
  if (ofProject === undefined) return {};
  const project = findProject(site, ofProject);
  if (!project) throw projectNotFound(ofProject);
  return { project };
}

/** The account whose permissions are checked: the caller's own, or any for add-ons and administrators. */
function subjectOf(caller: Caller, accountId: string | undefined): Caller {
  const own = caller.kind === 'person' ? caller.person.accountId : undefined;
  if (accountId === undefined || accountId === own) return caller;
  if (!holds(caller, 'ADMINISTER')) throw forbidden('You do not have permission to check permissions of other users.');
  const person = personOf(accountId);
  if (!person) throw new RestError(400, `The user with account ID '${accountId}' does not exist.`);
  return { kind: 'person', person };
}
