import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { FIELD_CAPACITY } from '../../domain/constants.ts';
import { readAs } from '../../domain/shape.ts';
import { priorities, securityLevels } from '../site/catalogue.ts';
import type { Field } from '../site/fields.ts';
import type { Change, Issue } from '../site/model.ts';
import { people } from '../site/people.ts';
import { documentShape, fromDocument, rerender } from '../site/richtext.ts';
import { statusOf } from '../site/site.ts';
import type { Version } from './beans.ts';
import { RestError } from './errors.ts';

/** The patch of an edit, or the reason why a field refuses its value. */
type Setting = { patch: Partial<Issue> } | { error: string };

const tooLong = (version: Version): string =>
  version === 3
    ? 'CONTENT_LIMIT_EXCEEDED'
    : `The entered text is too long. It exceeds the allowed limit of ${FIELD_CAPACITY.toLocaleString('en')} characters.`;

/** An object of the site, named in any of these ways. */
export const reference = v.object({
  id: v.optional(v.string()),
  key: v.optional(v.string()),
  name: v.optional(v.string()),
});
const account = v.object({ accountId: v.string() });
const labelsShape = v.array(v.pipe(v.string(), v.regex(/^\S+$/)));

/**
 * The issue with the values set; all of them or, with a `RestError` that names each refused field, none.
 * `onScreen` tells which fields can be set there.
 */
export function editIssue(
  issue: Issue,
  values: Record<string, unknown>,
  { fields, onScreen, version }: { fields: readonly Field[]; onScreen: (field: Field) => boolean; version: Version },
): Issue {
  const errors: Record<string, string> = {};
  let edited = issue;
  for (const [id, value] of Object.entries(values)) {
    const field = fields.find(candidate => candidate.id === id);
    const setting =
      field?.editable && onScreen(field)
        ? settingOf(edited, field, value, version)
        : { error: `Field '${id}' cannot be set. It is not on the appropriate screen, or unknown.` };
    if ('error' in setting) errors[id] = setting.error;
    else edited = { ...edited, ...setting.patch };
  }
  if (Object.keys(errors).length > 0) throw new RestError(400, [], errors);
  return edited;
}

function settingOf(issue: Issue, field: Field, value: unknown, version: Version): Setting {
  switch (field.id) {
    case 'summary':
      return summarySetting(value);
    case 'priority': {
      const { id, name } = readAs(reference, value) ?? {};
      const foundPriority = priorities.find(priority => priority.id === id || priority.name === name);
      return foundPriority
        ? { patch: { priorityId: foundPriority.id } }
        : { error: 'The priority selected is invalid.' };
    }
    case 'assignee': {
      if (value === null) return { patch: { assigneeId: null } };
      const accountId = readAs(account, value)?.accountId;
      const foundPerson = people.find(person => person.accountId === accountId && person.role !== 'customer');
      return foundPerson
        ? { patch: { assigneeId: foundPerson.accountId } }
        : { error: `User '${accountId ?? ''}' cannot be assigned issues.` };
    }
    case 'security': {
      if (value === null) return { patch: { securityId: null } };
      const { id, name } = readAs(reference, value) ?? {};
      const foundLevel = securityLevels.find(level => level.id === id || level.name === name);
      return foundLevel
        ? { patch: { securityId: foundLevel.id } }
        : { error: 'The security level selected is invalid.' };
    }
    case 'labels': {
      const labels = readAs(labelsShape, value);
      return labels
        ? { patch: { labels: [...new Set(labels)].sort((a, b) => a.localeCompare(b, 'en')) } }
        : { error: 'The labels must be strings without spaces.' };
    }
    default:
      return textSetting(issue, field, value, version);
  }
}

function summarySetting(value: unknown): Setting {
  if (typeof value !== 'string' || value.trim() === '') return { error: 'You must specify a summary of the issue.' };
  if (/[\r\n]/.test(value)) return { error: 'The summary is invalid because it contains newline characters.' };
  if (value.length > 255) return { error: 'Summary must be less than 255 characters.' };
  return { patch: { summary: value.trim() } };
}

function textSetting(issue: Issue, field: Field, value: unknown, version: Version): Setting {
  let text: string;
  if (value === null) text = '';
  else if (field.rich && version === 3) {
    const document = readAs(documentShape, value);
    if (!document) {
      return { error: 'Operation value must be an Atlassian Document (see the Atlassian Document Format)' };
    }
    text = fromDocument(document);
  } else if (typeof value === 'string') text = value;
  else return { error: 'Operation value must be a string' };
  const single = field.custom !== undefined && !field.rich;
  if (single && text.length > 255)
    return { error: 'The entered text is too long. It exceeds the allowed limit of 255 characters.' };
  if (text.length > FIELD_CAPACITY) return { error: tooLong(version) };
  const stored = field.rich ? rerender(text) : text;
  if (field.id === 'description') return { patch: { description: stored } };
  return { patch: { custom: { ...issue.custom, [field.id]: stored } } };
}

/** The changes of an edit, in the changelog's format. */
export function changesBetween(before: Issue, after: Issue, fields: readonly Field[]): Change['items'] {
  return fields.flatMap(field => {
    const [from, to] = [plain(before, field), plain(after, field)];
    if (isDeepStrictEqual(from, to)) return [];
    return {
      field: field.custom ? field.name : field.id,
      fieldId: field.id,
      fieldtype: field.custom ? 'custom' : 'jira',
      ...(field.id === 'status' ? { from: before.statusId, to: after.statusId } : { from: null, to: null }),
      fromString: from,
      toString: to,
    };
  });
}

function plain(issue: Issue, field: Field): string | null {
  switch (field.id) {
    case 'summary':
      return issue.summary;
    case 'description':
      return issue.description || null;
    case 'status':
      return statusOf(issue.statusId).name;
    case 'priority':
      return issue.priorityId;
    case 'assignee':
      return issue.assigneeId;
    case 'security':
      return issue.securityId;
    case 'labels':
      return issue.labels.join(' ');
    default:
      return issue.custom[field.id] || null;
  }
}
