import * as z from 'zod';
import { predecessor } from '../../../domain/editions.ts';
import { storageKey } from '../../../domain/storage.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { type ChangelogPart, readEmbeddedChangelog } from './changelog.ts';
import type { Tracker } from './client.ts';

/** What an issue holds of ours: the property's value and the fields with their names. */
export interface TrackerIssue {
  property: unknown;
  /** The property of the edition before this one. */
  inherited: unknown;
  /** The id of its project, where the tracker says. */
  project: string | undefined;
  /** In the tracker's order. */
  fields: readonly { id: string; name: string; value: unknown }[];
}

const record = z.record(z.string(), z.unknown());
const issueShape = z.object({
  fields: record.default({}),
  names: z.record(z.string(), z.string()).default({}),
  properties: record.default({}),
});

const projectShape = z.object({ id: z.string() });
/** The id of an issue's project by its fields, where they say. */
export const projectIn = ({ project }: Readonly<Record<string, unknown>>): string | undefined =>
  projectShape.safeParse(project).data?.id;

/** Issue ids as the tracker makes them: they go into paths. */
export const isIssueId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id);

export const issuePath = (id: string): string => `/rest/api/2/issue/${id}`;
const PROPERTY = storageKey('checklist');
const INHERITED = predecessor && storageKey('checklist', predecessor.key);
/** The issue properties that hold a checklist: ours, and that of the edition before this one. */
export const CHECKLIST_PROPERTIES: readonly string[] = INHERITED ? [PROPERTY, INHERITED] : [PROPERTY];
/** Of an issue's properties those that hold a checklist. */
export const checklistsIn = (
  properties: Readonly<Record<string, unknown>>,
): Pick<TrackerIssue, 'property' | 'inherited'> => ({
  property: properties[PROPERTY],
  inherited: INHERITED && properties[INHERITED],
});
/** Where a value that is not ours to understand is kept when ours takes its place. */
const FOREIGN = `${PROPERTY}.foreign`;

/** Reads properties, fields and names in one call (spec §7 row 2), with the newest part of the issue's changelog. */
export async function readIssueWithChanges(
  tracker: Tracker,
  id: string,
): Promise<{ issue: TrackerIssue; changes: ChangelogPart }> {
  const answer = await tracker({
    name: 'readIssue',
    method: 'GET',
    path: issuePath(id),
    query: { properties: CHECKLIST_PROPERTIES.join(','), expand: 'names,changelog' },
  });
  if (answer.status !== 200) throw new TrackerRefused('readIssue', answer);
  const { fields, names, properties } = issueShape.parse(answer.body);
  const issue: TrackerIssue = {
    ...checklistsIn(properties),
    project: projectIn(fields),
    fields: Object.entries(names).map(([fieldId, name]) => ({ id: fieldId, name, value: fields[fieldId] })),
  };
  return { issue, changes: readEmbeddedChangelog(answer.body) };
}

/** A project as an issue names it; the type of one whose issues are customers' requests is `service_desk`. */
export interface TrackerProject {
  id: string;
  type: string | undefined;
}
export const SERVICE_PROJECT = 'service_desk';

const placeShape = z.object({
  fields: z.object({ project: z.object({ id: z.string(), projectTypeKey: z.string().optional() }) }),
});

/** The issue's project. */
export async function readProject(tracker: Tracker, id: string): Promise<TrackerProject> {
  const query = { fields: 'project' };
  const answer = await tracker({ name: 'readProject', method: 'GET', path: issuePath(id), query });
  if (answer.status !== 200) throw new TrackerRefused('readProject', answer);
  const { project } = placeShape.parse(answer.body).fields;
  return { id: project.id, type: project.projectTypeKey };
}

async function putProperty(tracker: Tracker, id: string, key: string, json: unknown, once: boolean): Promise<void> {
  const path = `${issuePath(id)}/properties/${encodeURIComponent(key)}`;
  const answer = await tracker({ name: 'writeProperty', method: 'PUT', path, json, once });
  if (answer.status >= 300) throw new TrackerRefused('writeProperty', answer);
}

/** Writes the property once; rejects with `TrackerUnavailable` where it is not known whether that took effect. */
export const writeProperty = (tracker: Tracker, id: string, value: unknown): Promise<void> =>
  putProperty(tracker, id, PROPERTY, value, true);

/**
 * Writes the property only if it has that value at that time, `undefined` for none. The tracker does it later, and does not
 * say whether it did: that shows when the property is read again.
 */
export async function swapProperty(tracker: Tracker, id: string, value: unknown, current: unknown): Promise<void> {
  const filter = { entityIds: [id], ...(current === undefined ? { hasProperty: false } : { currentValue: current }) };
  const answer = await tracker({
    name: 'swapProperty',
    method: 'PUT',
    path: `/rest/api/3/issue/properties/${encodeURIComponent(PROPERTY)}`,
    json: { value, filter },
    once: true,
  });
  // Accepted, with the address of a task.
  if (answer.status !== 303 && answer.status >= 300) throw new TrackerRefused('swapProperty', answer);
}

/** Writes one field once, without mail to everybody who watches the issue; see `writeProperty`. */
export async function writeField(tracker: Tracker, id: string, field: string, value: string): Promise<void> {
  const answer = await tracker({
    name: 'writeField',
    method: 'PUT',
    path: issuePath(id),
    query: { notifyUsers: 'false' },
    json: { fields: { [field]: value } },
    once: true,
  });
  if (answer.status >= 300) throw new TrackerRefused('writeField', answer);
}

/** Before the property is written over: what another app has left there, and is not taken up, is not lost. */
export const keepForeign = (tracker: Tracker, id: string, { property }: TrackerIssue): Promise<void> =>
  putProperty(tracker, id, FOREIGN, property, false);
