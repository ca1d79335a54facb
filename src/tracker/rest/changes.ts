import type { Context } from '../context.ts';
import { eventOf } from '../forge/events.ts';
import type { Caller } from '../permissions.ts';
import { fieldsOf } from '../site/fields.ts';
import type { Issue } from '../site/model.ts';
import { findProject, linkIssues, projectOf } from '../site/site.ts';
import type { TrackerEvent, WebhookEvent } from '../webhooks.ts';
import { accountBean, fieldValue } from './beans.ts';
import { changesBetween } from './edit.ts';

/** Writes to issues: each change is stored first, then sent to the add-on. */

/** Applies to each issue. */
const MAX_HISTORY_CHANGES = 1_000;

let lastChange = 0;
/** Increasing from change to change, also across restarts. */
const nextChange = (): string => {
  lastChange = Math.max(Date.now(), lastChange + 1);
  return String(lastChange);
};

/** Stores an edited or transitioned issue. An edit without changes is not recorded. */
export async function saveIssue(
  context: Context,
  caller: Caller,
  before: Issue,
  edited: Issue,
  eventType: 'issue_updated' | 'issue_generic' = 'issue_updated',
): Promise<void> {
  const items = changesBetween(before, edited, fieldsOf(context.site, context.apps()));
  if (items.length === 0) return;
  const updated = new Date().toISOString();
  const change = { id: nextChange(), author: actorOf(caller), created: updated, items };
  const issue = { ...edited, updated, history: [change, ...edited.history].slice(0, MAX_HISTORY_CHANGES) };
  await context.site.issues.put(issue.id, issue);
  publish(context, caller, 'jira:issue_updated', issue, {
    issue_event_type_name: eventType,
    changelog: { id: change.id, items },
  });
}

/** Stores a new issue under its project's next key, with its properties, and links at both ends. */
export async function createIssue(
  context: Context,
  caller: Caller,
  draft: Omit<Issue, 'id' | 'key' | 'created' | 'updated'>,
  properties: readonly { key: string; value: unknown }[] = [],
): Promise<Issue> {
  const { site } = context;
  const project = findProject(site, draft.projectId);
  if (!project) throw new Error(`There is no project ${draft.projectId}.`);
  const ids = [10_000, ...site.issues.list().map(({ id }) => Number(id))];
  const createdAt = new Date().toISOString();
  const id = String(Math.max(...ids) + 1);
  const key = `${project.key}-${project.nextNumber}`;
  const issue: Issue = { ...draft, id, key, links: [], created: createdAt, updated: createdAt };
  await Promise.all([
    site.projects.put(project.id, { ...project, nextNumber: project.nextNumber + 1 }),
    site.issues.put(id, issue),
    ...properties.map(({ key, value }) => site.properties.put(`issue/${id}/${key}`, value)),
  ]);
  for (const { issueId, typeId, outward } of draft.links)
    await (outward ? linkIssues(site, id, issueId, typeId) : linkIssues(site, issueId, id, typeId));
  publish(context, caller, 'jira:issue_created', site.issues.get(id) ?? issue, {
    issue_event_type_name: 'issue_created',
  });
  return issue;
}

/** Removes an issue and its properties. Links to it are ignored from then on. */
export async function deleteIssue(context: Context, caller: Caller, issue: Issue): Promise<void> {
  const { site } = context;
  for (const { id } of site.properties.list(`issue/${issue.id}/`)) await site.properties.delete(id);
  await site.issues.delete(issue.id);
  publish(context, caller, 'jira:issue_deleted', issue, { issue_event_type_name: 'issue_deleted' });
}

export async function putIssueProperty(
  context: Context,
  caller: Caller,
  issue: Issue,
  key: string,
  value: unknown,
): Promise<void> {
  await context.site.properties.put(`issue/${issue.id}/${key}`, value);
  publish(context, caller, 'issue_property_set', issue, { property: { key, value } });
}

export async function deleteIssueProperty(context: Context, caller: Caller, issue: Issue, key: string): Promise<void> {
  await context.site.properties.delete(`issue/${issue.id}/${key}`);
  publish(context, caller, 'issue_property_deleted', issue, { property: { key } });
}

function publish(
  { site, apps, forge, webhooks }: Context,
  caller: Caller,
  event: WebhookEvent,
  issue: Issue,
  body: Record<string, unknown>,
): void {
  const actor = actorOf(caller);
  const fields = Object.fromEntries(fieldsOf(site, apps()).map(field => [field.id, fieldValue(site, issue, field, 2)]));
  const trackerEvent: TrackerEvent = {
    event,
    issue,
    project: projectOf(site, issue),
    actor,
    body: {
      user: accountBean({ site, apps }, actor),
      issue: { id: issue.id, key: issue.key, self: `${site.url}/rest/api/2/issue/${issue.id}`, fields },
      ...body,
    },
  };
  webhooks.send(trackerEvent);
  forge?.events.publish(eventOf(forge.app.installed, trackerEvent));
}

/** Account id of the caller; empty for an anonymous one. */
export const actorOf = (caller: Caller): string =>
  caller.kind === 'person' ? caller.person.accountId : caller.kind === 'app' ? caller.app.account : '';
