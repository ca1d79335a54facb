import * as z from 'zod';
import { predecessor } from '../../domain/editions.ts';
import { parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import type { Tracker, TrackerAnswer } from './client.ts';

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

/** The answer that a call did not expect, with nothing of its body but what the caller looked for. */
export class TrackerRefused extends Error {
  override readonly name = 'TrackerRefused';
  readonly status: number;
  readonly body: unknown;

  constructor(call: string, { status, body }: TrackerAnswer) {
    super(`The tracker answered ${status} to ${call}.`);
    this.status = status;
    this.body = body;
  }
}

/** Reads properties, fields and names in one call (spec §7 row 2). */
export async function readIssue(tracker: Tracker, id: string): Promise<TrackerIssue> {
  const answer = await tracker({
    name: 'readIssue',
    method: 'GET',
    path: issuePath(id),
    query: { properties: CHECKLIST_PROPERTIES.join(','), expand: 'names' },
  });
  if (answer.status !== 200) throw new TrackerRefused('readIssue', answer);
  const { fields, names, properties } = issueShape.parse(answer.body);
  return {
    ...checklistsIn(properties),
    project: projectShape.safeParse(fields.project).data?.id,
    fields: Object.entries(names).map(([fieldId, name]) => ({ id: fieldId, name, value: fields[fieldId] })),
  };
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

/** Whether a write is still to be tried again, by what stands there now. */
export type Again = (now: TrackerIssue) => boolean | Promise<boolean>;

const asking = (tracker: Tracker, id: string, again: Again) => async () => again(await readIssue(tracker, id));

async function putProperty(tracker: Tracker, id: string, key: string, json: unknown, again?: Again): Promise<boolean> {
  const path = `${issuePath(id)}/properties/${encodeURIComponent(key)}`;
  const asked = again && { again: asking(tracker, id, again) };
  const answer = await tracker({ name: 'writeProperty', method: 'PUT', path, json, ...asked });
  if (answer.status >= 300) throw new TrackerRefused('writeProperty', answer);
  return answer.late === true;
}

/** Writes the property. */
export const writeProperty = (tracker: Tracker, id: string, value: unknown, again: Again): Promise<boolean> =>
  putProperty(tracker, id, PROPERTY, value, again);

/** Before the property is written: what another program may have left there is not lost. */
export async function keepForeign(tracker: Tracker, id: string, { property }: TrackerIssue): Promise<void> {
  if (parseChecklistProperty(property).kind === 'foreign') await putProperty(tracker, id, FOREIGN, property);
}

/**
 * Writes one field, without mail to everybody who watches the issue. Resolves with whether it may still arrive once more,
 * since a try got no answer.
 */
export async function writeField(
  tracker: Tracker,
  id: string,
  { field, value }: { field: string; value: string },
  again: Again,
): Promise<boolean> {
  const answer = await tracker({
    name: 'writeField',
    method: 'PUT',
    path: issuePath(id),
    query: { notifyUsers: 'false' },
    json: { fields: { [field]: value } },
    again: asking(tracker, id, again),
  });
  if (answer.status >= 300) throw new TrackerRefused('writeField', answer);
  return answer.late === true;
}
