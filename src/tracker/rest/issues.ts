import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { byName, notArray, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { type Caller, holds, maySuppressMail } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { issueTypes, linkTypes, priorities, workflows } from '../site/catalogue.ts';
import { type Field, fieldsOf, textOf } from '../site/fields.ts';
import type { Issue, Project } from '../site/model.ts';
import { toHtml } from '../site/richtext.ts';
import { childrenOf, findIssue, projectOf } from '../site/site.ts';
import { editableIssue, maySee, visibleIssue, visibleProject } from './access.ts';
import { fieldBean, fieldValue, type Version } from './beans.ts';
import { CHANGES_PER_PAGE, changeBean } from './changelog.ts';
import { createIssue, deleteIssue, saveIssue } from './changes.ts';
import { editIssue, reference } from './edit.ts';
import { badRequest, forbidden, invalidPayload, RestError } from './errors.ts';

const params = v.object({ issue: v.string() });
/** Names in a parameter, which may come repeated as well as comma-joined. */
export const nameList = v.optional(
  v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform(value =>
      [value]
        .flat()
        .join(',')
        .split(',')
        .map(entry => entry.trim())
        .filter(Boolean),
    ),
  ),
  [],
);
const readQuery = v.object({ fields: nameList, properties: nameList, expand: nameList });
const flag = v.pipe(
  v.optional(v.picklist(['true', 'false']), 'false'),
  v.transform(value => value === 'true'),
);
const editQuery = v.object({ notifyUsers: v.optional(v.picklist(['true', 'false']), 'true') });
const editBody = v.pipe(notArray, v.object({ fields: byName }));
const deleteQuery = v.object({ deleteSubtasks: flag });
const createBody = v.object({
  fields: v.looseObject({ project: reference, issuetype: reference, parent: v.optional(reference) }),
  properties: v.optional(v.array(v.object({ key: v.string(), value: v.unknown() })), []),
  update: v.optional(
    v.object({
      issuelinks: v.optional(v.array(v.object({ add: v.object({ type: reference, outwardIssue: reference }) })), []),
    }),
  ),
});

const EXPAND = 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations';

/** Issues and fields: create, read, edit, delete. */
export function issueRoutes(app: FastifyInstance, context: Context, version: Version): void {
  const { site, apps } = context;
  /** Screens count where an issue is created; an edit does not look at them. */
  const editing = (project?: Project) => ({
    fields: fieldsOf(site, apps()),
    onScreen: (field: Field) => !project?.offScreen.includes(field.id),
    version,
  });

  app.get('/field', request => {
    requireScope(request.caller, 'READ');
    return fieldsOf(site, apps()).map(fieldBean);
  });

  app.get('/issue/:issue', request => {
    requireScope(request.caller, 'READ');
    const issue = visibleIssue(context, request.caller, parseAs(params, request.params).issue);
    return issueBean(context, request.caller, issue, parseAs(readQuery, request.query), version);
  });

  app.put('/issue/:issue', async (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const { caller } = request;
    const issue = editableIssue(context, caller, parseAs(params, request.params).issue);
    const { fields } = parseAs(editBody, request.body, invalidPayload);
    const { notifyUsers } = parseAs(editQuery, request.query);
    if (notifyUsers === 'false' && !maySuppressMail(caller, projectOf(site, issue))) {
      throw forbidden('To discard the user notification either admin or project admin permissions are required.');
    }
    const edited = editIssue(issue, fields, editing());
    await saveIssue(context, caller, issue, edited);
    return reply.code(204).send();
  });

  app.post('/issue', async (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const { caller } = request;
    const withoutProject = () => new RestError(400, [], { project: 'Specify a valid project ID or key' });
    const { fields, properties, update } = parseAs(createBody, request.body, withoutProject);
    const { project: ofProject, issuetype, parent: ofParent, ...values } = fields;
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
    const links = (update?.issuelinks ?? []).map(({ add }) => {
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
      isArchived: false,
      links,
      created: '',
      updated: '',
      history: [],
      custom: {},
    };
    const draft = editIssue(blank, { summary: null, ...values }, editing(project));
    const issue = await createIssue(context, caller, draft, properties);
    return reply
      .code(201)
      .send({ id: issue.id, key: issue.key, self: `${site.url}/rest/api/${version}/issue/${issue.id}` });
  });

  app.delete('/issue/:issue', async (request, reply) => {
    requireScope(request.caller, 'DELETE');
    const { caller } = request;
    const issue = visibleIssue(context, caller, parseAs(params, request.params).issue);
    if (!holds(caller, 'DELETE_ISSUES', { issue, project: projectOf(site, issue) })) {
      throw forbidden('You do not have permission to delete issues in this project.');
    }
    const children = childrenOf(site, issue);
    if (children.length > 0 && !parseAs(deleteQuery, request.query).deleteSubtasks) {
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
  requestedParts: v.InferOutput<typeof readQuery>,
  version: Version,
): Record<string, unknown> {
  const { site, apps } = context;
  const sees = (other: Issue) => maySee(context, caller, other);
  const fields = chosen(fieldsOf(site, apps()), requestedParts.fields)
    .map(field => ({ field, value: fieldValue(site, issue, field, version, sees) }))
    .filter(({ value }) => value !== undefined);
  const map = <T>(read: (field: Field, value: unknown) => T) =>
    Object.fromEntries(fields.map(({ field, value }) => [field.id, read(field, value)]));
  const expanded = (name: string) => requestedParts.expand.includes(name);
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
      changelog: { histories: issue.history.slice(0, CHANGES_PER_PAGE).map(change => changeBean(context, change)) },
    }),
    ...(requestedParts.properties.length > 0 && {
      properties: propertiesOf(site.properties.list(`issue/${issue.id}/`), requestedParts.properties),
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
