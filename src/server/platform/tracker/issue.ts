import * as v from 'valibot';
import { predecessor } from '../../../domain/editions.ts';
import { byName, parseAs, readAs } from '../../../domain/shape.ts';
import { storageKey } from '../../../domain/storage.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { type ChangelogPart, readEmbeddedChangelog } from './changelog.ts';
import type { Tracker } from './client.ts';

/** The checklist properties and the fields of an issue. */
export interface TrackerIssue {
  property: unknown;
  /** The property of the previous edition. */
  inherited: unknown;
  /** Id of its project, if the response has it. */
  project: string | undefined;
  /** Whether that project has a portal, if the response says so. */
  service: boolean | undefined;
  /** In the tracker's order. */
  fields: readonly { id: string; name: string; value: unknown }[];
}

const issueShape = v.object({
  id: v.string(),
  key: v.string(),
  fields: byName,
  names: v.optional(v.record(v.string(), v.string()), {}),
  properties: byName,
});

const projectShape = v.object({ id: v.string() });
/** Id of an issue's project, if its fields have it. */
export const projectIn = ({ project }: Readonly<Record<string, unknown>>): string | undefined =>
  readAs(projectShape, project)?.id;

const typedShape = v.object({ projectTypeKey: v.string() });
/** Whether an issue's project has a portal, if its fields say so. */
export function isServiceIn({ project }: Readonly<Record<string, unknown>>): boolean | undefined {
  const type = readAs(typedShape, project)?.projectTypeKey;
  return type === undefined ? undefined : type === SERVICE_PROJECT;
}

/** Whether this is an issue id, safe in paths. */
export const isIssueId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id);

/** Whether this is an issue's key, safe in paths. */
export const isIssueKey = (key: string): boolean => /^[A-Z][A-Z0-9_]{0,254}-[1-9]\d{0,14}$/i.test(key);

/** The path of an issue, by its id or key. */
export const issuePath = (id: string): string => `/rest/api/2/issue/${id}`;
const PROPERTY = storageKey('checklist');
const INHERITED_PROPERTY = predecessor && storageKey('checklist', predecessor.key);
/** Keys of the issue properties with a checklist: this edition's and the previous edition's. */
export const CHECKLIST_PROPERTIES: readonly string[] = INHERITED_PROPERTY ? [PROPERTY, INHERITED_PROPERTY] : [PROPERTY];
/** Selects the checklist properties of an issue. */
export const checklistsIn = (
  properties: Readonly<Record<string, unknown>>,
): Pick<TrackerIssue, 'property' | 'inherited'> => ({
  property: properties[PROPERTY],
  inherited: INHERITED_PROPERTY && properties[INHERITED_PROPERTY],
});
/** Property for a foreign value of unknown format, before it is overwritten. */
const FOREIGN_PROPERTY = `${PROPERTY}.foreign`;

/** An issue as one call reads it. */
export interface ReadIssue {
  id: string;
  key: string;
  issue: TrackerIssue;
  /** The newest part of its changelog. */
  changes: ChangelogPart;
}

/** Reads properties, fields, names and changelog in one call, by id or key. */
export async function readIssueWithChanges(tracker: Tracker, idOrKey: string): Promise<ReadIssue> {
  const answer = await tracker({
    name: 'readIssue',
    method: 'GET',
    path: issuePath(idOrKey),
    query: { properties: CHECKLIST_PROPERTIES.join(','), expand: 'names,changelog' },
  });
  if (answer.status !== 200) throw new TrackerRefused('readIssue', answer);
  const { id, key, fields, names, properties } = parseAs(issueShape, answer.body);
  const issue: TrackerIssue = {
    ...checklistsIn(properties),
    project: projectIn(fields),
    service: isServiceIn(fields),
    fields: Object.entries(names).map(([fieldId, name]) => ({ id: fieldId, name, value: fields[fieldId] })),
  };
  return { id, key, issue, changes: readEmbeddedChangelog(answer.body) };
}

/** An issue's project; the type `service_desk` has portal requests. */
export interface TrackerProject {
  id: string;
  type: string | undefined;
}
export const SERVICE_PROJECT = 'service_desk';

const placeShape = v.object({
  key: v.string(),
  fields: v.object({ project: v.object({ id: v.string(), projectTypeKey: v.optional(v.string()) }) }),
});

/** Reads an issue's project, and its key, which changes with it. */
export async function readProject(tracker: Tracker, id: string): Promise<TrackerProject & { key: string }> {
  const query = { fields: 'project' };
  const answer = await tracker({ name: 'readProject', method: 'GET', path: issuePath(id), query });
  if (answer.status !== 200) throw new TrackerRefused('readProject', answer);
  const { key, fields } = parseAs(placeShape, answer.body);
  return { id: fields.project.id, type: fields.project.projectTypeKey, key };
}

async function putProperty(tracker: Tracker, id: string, key: string, json: unknown, once: boolean): Promise<void> {
  const path = `${issuePath(id)}/properties/${encodeURIComponent(key)}`;
  const answer = await tracker({ name: 'writeProperty', method: 'PUT', path, json, once });
  if (answer.status >= 300) throw new TrackerRefused('writeProperty', answer);
}

/** Writes the property once; rejects with `TrackerUnavailable` if that may have taken effect. */
export const writeProperty = (tracker: Tracker, id: string, value: unknown): Promise<void> =>
  putProperty(tracker, id, PROPERTY, value, true);

/**
 * Compare-and-set of the property: writes only if its value is `current`, `undefined` for none. The tracker does it
 * later and reports no result: read the property again to see it.
 */
export async function swapProperty(tracker: Tracker, id: string, value: unknown, current: unknown): Promise<void> {
  const filter = {
    entityIds: [Number(id)],
    ...(current === undefined ? { hasProperty: false } : { currentValue: current }),
  };
  const answer = await tracker({
    name: 'swapProperty',
    method: 'PUT',
    path: `/rest/api/3/issue/properties/${encodeURIComponent(PROPERTY)}`,
    json: { value, filter },
    once: true,
  });
  // Accepted, with the URL of a task.
  if (answer.status !== 303 && answer.status >= 300) throw new TrackerRefused('swapProperty', answer);
}

/** Whether writes of fields may leave out the mail to watchers, which takes an administrator of the project. */
export interface MailSuppression {
  isDenied(): boolean;
  /** Called after a write. It was sent with mail if the one without was refused. */
  note(isMailed: boolean): Promise<void>;
}

/**
 * Writes one field once, without mail to the issue's watchers if the tracker permits that; see `writeProperty`. The
 * tracker refuses the whole write from an app that does not administer the project: then it is written with mail.
 */
export async function writeField(
  tracker: Tracker,
  id: string,
  { field, value }: { field: string; value: string },
  suppression: MailSuppression,
): Promise<void> {
  const call = {
    name: 'writeField',
    method: 'PUT',
    path: issuePath(id),
    json: { fields: { [field]: value } },
    once: true,
  } as const;
  const first = suppression.isDenied() ? undefined : await tracker({ ...call, query: { notifyUsers: 'false' } });
  // The second answer counts, whatever the first one says.
  const answer = first && first.status !== 403 ? first : await tracker(call);
  if (answer.status >= 300) throw new TrackerRefused('writeField', answer);
  await suppression.note(answer !== first);
}

/** Saves another app's value of the property before it is overwritten. */
export const keepForeign = (tracker: Tracker, id: string, { property }: TrackerIssue): Promise<void> =>
  putProperty(tracker, id, FOREIGN_PROPERTY, property, false);
