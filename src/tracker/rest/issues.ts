import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { type Caller, holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { issueTypes, linkTypes, priorities, workflows } from '../site/catalogue.ts';
import { type Field, fieldsOf, textOf } from '../site/fields.ts';
import type { Issue, Project } from '../site/model.ts';
import { toHtml } from '../site/richtext.ts';
import { childrenOf, findIssue, projectOf } from '../site/site.ts';
import { editableIssue, maySee, visibleIssue, visibleProject } from './access.ts';
import { fieldBean, fieldValue, type Version } from './beans.ts';
import { changeBean, PAGE } from './changelog.ts';
import { createIssue, deleteIssue, saveIssue } from './changes.ts';
import { editIssue } from './edit.ts';
import { badRequest, forbidden, RestError } from './errors.ts';

const params = z.object({ issue: z.string() });
/** A parameter may come repeated as well as comma-joined. */
const list = z
  .union([z.string(), z.array(z.string())])
  .transform(value =>
    [value]
      .flat()
      .join(',')
      .split(',')
      .map(entry => entry.trim())
      .filter(Boolean),
  )
  .default([]);
const readQuery = z.object({ fields: list, properties: list, expand: list });
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform(value => value === 'true');
const editQuery = z.object({ overrideScreenSecurity: flag });
const editBody = z.object({ fields: z.record(z.string(), z.unknown()).default({}) });
const deleteQuery = z.object({ deleteSubtasks: flag });
const reference = z.object({ id: z.string().optional(), key: z.string().optional(), name: z.string().optional() });
const createBody = z.object({
  fields: z.looseObject({ project: reference, issuetype: reference, parent: reference.optional() }),
  properties: z.array(z.object({ key: z.string(), value: z.json() })).default([]),
  update: z
    .object({
      issuelinks: z.array(z.object({ add: z.object({ type: reference, outwardIssue: reference }) })).default([]),
    })
    .optional(),
});

const EXPAND = 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations';

/** Issues and fields: create, read, edit, delete. */
export function issueRoutes(app: FastifyInstance, context: Context, version: Version): void {
  const { site, apps } = context;
  const editing = (project: Project, override = false) => ({
    fields: fieldsOf(site, apps()),
    onScreen: (field: Field) => override || !project.offScreen.includes(field.id),
    version,
  });

  app.get('/field', request => {
    requireScope(request.caller, 'READ');
    return fieldsOf(site, apps()).map(fieldBean);
  });

  app.get('/issue/:issue', request => {
    requireScope(request.caller, 'READ');
    const issue = visibleIssue(context, request.caller, params.parse(request.params).issue);
    return issueBean(context, request.caller, issue, readQuery.parse(request.query), version);
  });

  app.put('/issue/:issue', async (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const { caller } = request;
    const issue = editableIssue(context, caller, params.parse(request.params).issue);
    const body = editBody.safeParse(request.body);
    if (!body.success) throw badRequest('Invalid request payload. Refer to the REST API documentation and try again.');
    const override = caller.kind === 'app' && editQuery.parse(request.query).overrideScreenSecurity;
    const edited = editIssue(issue, body.data.fields, editing(projectOf(site, issue), override));
    await saveIssue(context, caller, issue, edited);
    return reply.code(204).send();
  });

  app.post('/issue', async (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const { caller } = request;
    const body = createBody.safeParse(request.body);
    if (!body.success) throw new RestError(400, [], { project: 'Specify a valid project ID or key' });
    const { project: ofProject, issuetype, parent: ofParent, ...values } = body.data.fields;
    const project = visibleProject(context, caller, ofProject.id ?? ofProject.key ?? '');
    if (!holds(caller, 'CREATE_ISSUES', { project }))
      throw forbidden('You do not have permission to create issues in this project.');
    const type = issueTypes.find(({ id, name }) => id === issuetype.id || name === issuetype.name);
    if (!type || !project.issueTypeIds.includes(type.id)) {
      throw new RestError(400, [], { issuetype: 'Specify a valid issue type' });
    }
    const parent = ofParent && findIssue(site, ofParent.id ?? ofParent.key ?? '');
    if (type.subtask && parent?.projectId !== project.id) {
      throw new RestError(400, [], { parent: 'Issue type is a sub-task but parent issue key or id not specified.' });
    }
    const links = (body.data.update?.issuelinks ?? []).map(({ add }) => {
      const linkType = linkTypes.find(({ id, name }) => id === add.type.id || name === add.type.name);
      const other = findIssue(site, add.outwardIssue.id ?? add.outwardIssue.key ?? '');
      if (!linkType || !other) throw new RestError(400, [], { issuelinks: 'No issue link type or issue like that.' });
      return { issueId: other.id, typeId: linkType.id, outward: true };
    });
    const account = caller.kind === 'person' ? caller.person.accountId : project.leadId;
    const blank: Issue = {
      id: '',
      key: '',
      projectId: project.id,
      typeId: type.id,
      statusId: workflows[project.kind][0],
      priorityId: priorities[2]?.id ?? '',
      summary: '',
      description: '',
      reporterId: account,
      assigneeId: null,
      parentId: parent?.id ?? null,
      labels: [],
      securityId: null,
      links,
      created: '',
      updated: '',
      history: [],
      custom: {},
    };
    const draft = editIssue(blank, { summary: null, ...values }, editing(project));
    const issue = await createIssue(context, caller, draft, body.data.properties);
    return reply
      .code(201)
      .send({ id: issue.id, key: issue.key, self: `${site.url}/rest/api/${version}/issue/${issue.id}` });
  });

  app.delete('/issue/:issue', async (request, reply) => {
    requireScope(request.caller, 'DELETE');
    const { caller } = request;
    const issue = visibleIssue(context, caller, params.parse(request.params).issue);
    if (!holds(caller, 'DELETE_ISSUES', { issue, project: projectOf(site, issue) })) {
      throw forbidden('You do not have permission to delete issues in this project.');
    }
    const children = childrenOf(site, issue);
    if (children.length > 0 && !deleteQuery.parse(request.query).deleteSubtasks) {
      throw badRequest(
        `The issue '${issue.key}' has subtasks. You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks.`,
      );
    }
    for (const child of children) await deleteIssue(context, caller, child);
    await deleteIssue(context, caller, issue);
    return reply.code(204).send();
  });
}

/** An issue with the fields, properties and expansions that are wanted, as the caller sees it. */
export function issueBean(
  context: Context,
  caller: Caller,
  issue: Issue,
  wanted: z.infer<typeof readQuery>,
  version: Version,
): Record<string, unknown> {
  const { site, apps } = context;
  const sees = (other: Issue) => maySee(context, caller, other);
  const fields = chosen(fieldsOf(site, apps()), wanted.fields)
    .map(field => ({ field, value: fieldValue(site, issue, field, version, sees) }))
    .filter(({ value }) => value !== undefined);
  const map = <T>(read: (field: Field, value: unknown) => T) =>
    Object.fromEntries(fields.map(({ field, value }) => [field.id, read(field, value)]));
  const expanded = (name: string) => wanted.expand.includes(name);
  return {
    expand: EXPAND,
    id: issue.id,
    self: `${site.url}/rest/api/${version}/issue/${issue.id}`,
    key: issue.key,
    ...(expanded('renderedFields') && {
      renderedFields: map(field => (field.rich ? toHtml(textOf(issue, field)) : null)),
    }),
    ...(expanded('names') && { names: map(field => field.name) }),
    ...(expanded('schema') && { schema: map(field => fieldBean(field).schema) }),
    ...(expanded('changelog') && {
      // The newest, as many as the tracker gives at once.
      changelog: { histories: issue.history.slice(0, PAGE).map(change => changeBean(context, change)) },
    }),
    ...(wanted.properties.length > 0 && {
      properties: propertiesOf(site.properties.list(`issue/${issue.id}/`), wanted.properties),
    }),
    fields: map((_, value) => value),
  };
}

/** `*all`, `*navigable`, names, and names taken out by a minus; nothing said is all. */
function chosen(all: Field[], names: string[]): Field[] {
  const out = names.filter(name => name.startsWith('-')).map(name => name.slice(1));
  const included = names.filter(name => !name.startsWith('-'));
  const everything = included.length === 0 || included.some(name => name === '*all' || name === '*navigable');
  return all.filter(
    ({ id, key }) => (everything || included.includes(id) || included.includes(key)) && !out.includes(id),
  );
}

/** The named properties, or all by `*all`, as one object; what an issue does not have is left out. */
export function propertiesOf(entries: { id: string; value: unknown }[], names: string[]): Record<string, unknown> {
  const everything = names.includes('*all');
  return Object.fromEntries(
    entries
      .map(({ id, value }) => [id.split('/').slice(2).join('/'), value] as const)
      .filter(([key]) => everything || names.includes(key)),
  );
}
