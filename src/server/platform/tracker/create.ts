import * as v from 'valibot';
import { parseAs, readAs } from '../../../domain/shape.ts';
import { storageKey } from '../../../domain/storage.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { issuePath } from './issue.ts';

/** Property of an issue that the app created, with the mark by which it is found again. */
const MARK_PROPERTY = `${storageKey('checklist')}.made-of`;

const issueType = v.object({ id: v.string(), subtask: v.boolean() });
const other = v.object({ id: v.string(), fields: v.object({ summary: v.string() }) });
const link = v.object({ inwardIssue: v.optional(other), outwardIssue: v.optional(other) });
const sourceShape = v.object({
  key: v.string(),
  fields: v.object({
    project: v.object({ id: v.string() }),
    issuetype: issueType,
    parent: v.optional(v.object({ id: v.string(), key: v.string() })),
    subtasks: v.optional(v.array(other), []),
    issuelinks: v.optional(v.array(link), []),
  }),
});
const projectShape = v.object({ issueTypes: v.array(issueType) });
const linkTypesShape = v.object({ issueLinkTypes: v.array(v.object({ id: v.string(), name: v.string() })) });
const madeShape = v.object({ id: v.string(), key: v.string() });
/** An issue that the app created. */
export type CreatedIssue = v.InferOutput<typeof madeShape>;
const markShape = v.object({ value: v.object({ mark: v.string() }) });

/** An issue for whose item another issue is created. */
export interface SourceIssue {
  id: string;
  key: string;
  project: string;
  type: { id: string; subtask: boolean };
  /** The issue above it, if any. */
  parent: { id: string; key: string } | undefined;
  /** Its sub-tasks and linked issues. */
  related: readonly { id: string; summary: string }[];
}

export async function readSource(tracker: Tracker, id: string): Promise<SourceIssue> {
  const query = { fields: 'project,issuetype,parent,subtasks,issuelinks' };
  const answer = await tracker({ name: 'readSource', method: 'GET', path: issuePath(id), query });
  if (answer.status !== 200) throw new TrackerRefused('readSource', answer);
  const { key, fields } = parseAs(sourceShape, answer.body);
  const linked = fields.issuelinks.flatMap(({ inwardIssue, outwardIssue }) => inwardIssue ?? outwardIssue ?? []);
  const related = [...fields.subtasks, ...linked].map(each => ({ id: each.id, summary: each.fields.summary }));
  return { id, key, project: fields.project.id, type: fields.issuetype, parent: fields.parent, related };
}

/** Issue types of a project, in the tracker's order. */
export async function issueTypesOf(tracker: Tracker, project: string): Promise<v.InferOutput<typeof issueType>[]> {
  const answer = await tracker({ name: 'readTypes', method: 'GET', path: `/rest/api/2/project/${project}` });
  if (answer.status !== 200) throw new TrackerRefused('readTypes', answer);
  return parseAs(projectShape, answer.body).issueTypes;
}

/** The default type of links between issues, `undefined` if the site has none. */
export async function linkTypeOf(tracker: Tracker): Promise<string | undefined> {
  const answer = await tracker({ name: 'readLinkTypes', method: 'GET', path: '/rest/api/2/issueLinkType' });
  // The site can switch links off.
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new TrackerRefused('readLinkTypes', answer);
  const types = parseAs(linkTypesShape, answer.body).issueLinkTypes;
  return (types.find(({ name }) => name === 'Relates') ?? types[0])?.id;
}

/** An issue to create: below another one, or linked to it. */
export interface IssueDraft {
  project: string;
  type: string;
  summary: string;
  mark: string;
  place: { parent: string } | { link: string; to: string };
}

/**
 * Creates an issue. Not retried automatically: rejects with `TrackerUnavailable` if it may
 * have been created, and with `TrackerRefused` if it was not.
 */
export async function makeIssue(
  tracker: Tracker,
  { project, type, summary, mark, place }: IssueDraft,
): Promise<CreatedIssue> {
  const below = 'parent' in place;
  const json = {
    fields: {
      project: { id: project },
      issuetype: { id: type },
      summary,
      ...(below && { parent: { key: place.parent } }),
    },
    ...(!below && {
      update: { issuelinks: [{ add: { type: { id: place.link }, outwardIssue: { key: place.to } } }] },
    }),
    properties: [{ key: MARK_PROPERTY, value: { mark } }],
  };
  const answer = await tracker({ name: 'makeIssue', method: 'POST', path: '/rest/api/2/issue', json, once: true });
  if (answer.status !== 201) throw new TrackerRefused('makeIssue', answer);
  return parseAs(madeShape, answer.body);
}

/** Finds the issue with this mark, among related issues of the source with this summary. */
export async function findCreatedIssue(
  tracker: Tracker,
  { related }: SourceIssue,
  { summary, mark }: Pick<IssueDraft, 'summary' | 'mark'>,
): Promise<CreatedIssue | undefined> {
  for (const { id } of related.filter(issue => issue.summary === summary)) {
    const path = `${issuePath(id)}/properties/${encodeURIComponent(MARK_PROPERTY)}`;
    const { body } = await tracker({ name: 'readMark', method: 'GET', path });
    if (readAs(markShape, body)?.value.mark !== mark) continue;
    const answer = await tracker({ name: 'readKey', method: 'GET', path: issuePath(id), query: { fields: 'summary' } });
    if (answer.status !== 200) throw new TrackerRefused('readKey', answer);
    return parseAs(madeShape, answer.body);
  }
  return undefined;
}

const statusShape = v.object({
  key: v.string(),
  fields: v.object({ status: v.object({ statusCategory: v.object({ key: v.string() }) }) }),
});

/** Whether an issue is done, as the category of its status says; `undefined` if the app cannot see the issue. */
export async function readDone(tracker: Tracker, id: string): Promise<boolean | undefined> {
  const answer = await tracker({ name: 'readDone', method: 'GET', path: issuePath(id), query: { fields: 'status' } });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new TrackerRefused('readDone', answer);
  return parseAs(statusShape, answer.body).fields.status.statusCategory.key === 'done';
}

const refusalShape = v.object({
  errorMessages: v.optional(v.array(v.string()), []),
  errors: v.optional(v.record(v.string(), v.string()), {}),
});

/** The tracker's error messages for an issue, shortened. */
export function reasonsOf({ body }: TrackerRefused): string {
  const { errorMessages = [], errors = {} } = readAs(refusalShape, body) ?? {};
  return [...errorMessages, ...Object.values(errors)].join(' ').slice(0, 300);
}
