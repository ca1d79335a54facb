import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { integerText, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { issueTypes, statuses, workflows } from '../site/catalogue.ts';
import type { Project } from '../site/model.ts';
import { requireSignedIn, visibleProject } from './access.ts';
import { pageBean, projectBean, projectLine, statusBean, typeBean } from './beans.ts';
import { badRequest } from './errors.ts';
import { propertiesOf } from './issues.ts';

const params = v.object({ project: v.string() });
const list = v.optional(
  v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform(value => [value].flat()),
  ),
  [],
);
/** Projects' properties may also be asked for as a JSON array. */
const properties = v.pipe(
  list,
  v.transform(values =>
    values.flatMap(value => value.replace(/^\[|\]$/g, '').split(',')).map(entry => entry.trim().replace(/^"|"$/g, '')),
  ),
);
const searchQuery = v.object({
  query: v.optional(v.string(), ''),
  orderBy: v.optional(v.string(), 'key'),
  startAt: v.optional(v.pipe(integerText, v.minValue(0)), 0),
  maxResults: v.optional(v.pipe(integerText, v.minValue(1)), 50),
  expand: v.optional(v.string(), ''),
  properties,
});

const MAX_RESULTS = 100;
const orders: Record<string, (project: Project) => string> = {
  name: project => project.name,
  key: project => project.key,
};

/** Projects: search and read. */
export function projectRoutes(app: FastifyInstance, context: Context): void {
  const { site } = context;
  const withProperties = (project: Project, names: string[]) =>
    names.length > 0 ? { properties: propertiesOf(site.properties.list(`project/${project.id}/`), names) } : {};

  app.get('/project/search', request => {
    requireScope(request.caller, 'READ');
    requireSignedIn(request.caller);
    const parsedQuery = parseAs(searchQuery, request.query);
    const order = orders[parsedQuery.orderBy.replace(/^[-+]/, '')];
    if (!order) throw badRequest(`The orderBy value '${parsedQuery.orderBy}' is not valid.`);
    const direction = parsedQuery.orderBy.startsWith('-') ? -1 : 1;
    const text = parsedQuery.query.toLowerCase();
    const matchingProjects = site.projects
      .list()
      .map(({ value }) => value)
      .filter(project => holds(request.caller, 'BROWSE_PROJECTS', { project }))
      .filter(({ name, key }) => name.toLowerCase().includes(text) || key.toLowerCase().includes(text))
      .sort((a, b) => direction * order(a).localeCompare(order(b), 'en'));
    const maxResults = Math.min(parsedQuery.maxResults, MAX_RESULTS);
    const detailed = /\b(lead|issueTypes|description)\b/.test(parsedQuery.expand);
    const page = { startAt: parsedQuery.startAt, maxResults };
    return pageBean(site, request.url, matchingProjects, page, project => ({
      ...(detailed ? projectBean(site, project) : projectLine(site, project)),
      ...withProperties(project, parsedQuery.properties),
    }));
  });

  app.get('/project/:project', request => {
    requireScope(request.caller, 'READ');
    const project = visibleProject(context, request.caller, parseAs(params, request.params).project);
    const names = parseAs(v.object({ properties }), request.query).properties;
    return { ...projectBean(site, project), ...withProperties(project, names) };
  });

  app.get('/issuetype', request => {
    requireScope(request.caller, 'READ');
    return issueTypes.map(({ id }) => typeBean(site, id));
  });

  app.get('/status', request => {
    requireScope(request.caller, 'READ');
    return statuses.map(({ id }) => statusBean(site, id));
  });

  app.get('/project/:project/statuses', request => {
    requireScope(request.caller, 'READ');
    const project = visibleProject(context, request.caller, parseAs(params, request.params).project);
    // A project has one workflow for all of its types.
    const workflowStatuses = workflows[project.kind].map(id => statusBean(site, id));
    return project.issueTypeIds.map(id => {
      const { self, name, subtask } = typeBean(site, id);
      return { self, id, name, subtask, statuses: workflowStatuses };
    });
  });
}
