import * as v from 'valibot';
import type { FakeTracker } from './tracker.ts';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

const key = v.object({ key: v.string() });
const draft = v.object({
  fields: v.object({
    project: v.object({ id: v.string() }),
    issuetype: v.object({ id: v.string() }),
    summary: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
    parent: v.optional(key),
  }),
  update: v.optional(
    v.object({
      issuelinks: v.tuple([v.object({ add: v.object({ type: v.object({ id: v.string() }), outwardIssue: key }) })]),
    }),
  ),
  properties: v.array(v.object({ key: v.string(), value: v.unknown() })),
});

const types = [
  { id: '1', subtask: false },
  { id: '5', subtask: true },
];

/** Id of the project of every issue. */
export const PROJECT = '10000';

/** Answers calls that create issues, with `PR-{id}` as the key; `undefined` for other calls. */
export function answerCreation(tracker: FakeTracker, { method, path, body }: FakeTracker['calls'][number]) {
  if (path === `/rest/api/2/project/${PROJECT}`) {
    const properties = tracker.projects.get(PROJECT) ?? {};
    return json(200, { id: PROJECT, key: `P${PROJECT}`, issueTypes: types, properties });
  }
  if (path === '/rest/api/2/issueLinkType') return json(200, { issueLinkTypes: [{ id: '9', name: 'Relates' }] });
  const [, id = '', property] = /^\/rest\/api\/2\/issue\/(\d+)\/properties\/(.+)$/.exec(path) ?? [];
  if (method === 'GET' && property) {
    const value = tracker.issues.get(id)?.properties[decodeURIComponent(property)];
    return value === undefined ? json(404, {}) : json(200, { key: property, value });
  }
  if (method !== 'POST' || path !== '/rest/api/2/issue') return undefined;
  const { fields, update, properties } = v.parse(draft, body);
  const made = String(Math.max(90_000, ...[...tracker.issues.keys()].map(Number)) + 1);
  const other = (fields.parent ?? update?.issuelinks[0].add.outwardIssue)?.key.replace('PR-', '') ?? '';
  const source = tracker.issues.get(other);
  if (!source) return json(400, { errorMessages: ['No such issue.'] });
  const line = { id: made, key: `PR-${made}`, fields: { summary: fields.summary } };
  const list = fields.parent ? 'subtasks' : 'issuelinks';
  const held = source.fields[list];
  source.fields[list] = [...(Array.isArray(held) ? held : []), fields.parent ? line : { inwardIssue: line }];
  tracker.issues.set(made, {
    properties: Object.fromEntries(properties.map(each => [each.key, each.value])),
    fields: { summary: fields.summary, issuetype: types.find(type => type.id === fields.issuetype.id) },
  });
  return json(201, { id: made, key: `PR-${made}` });
}
