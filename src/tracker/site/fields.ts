import type { App } from '../apps.ts';
import type { CustomField, Issue } from './model.ts';
import type { Site } from './site.ts';

/** A field of issues in GET /field. */
export interface Field {
  id: string;
  key: string;
  name: string;
  custom?: CustomField;
  /** Its type in the schema, e.g. `string`, `user`. */
  type: string;
  /** Long text with markup: a document in version 3 of the REST API, a string in version 2. */
  rich: boolean;
  /** Can be set by editing the issue. */
  editable: boolean;
}

const system = (id: string, name: string, type: string, traits: Partial<Field> = {}): Field => ({
  id,
  key: id,
  name,
  type,
  rich: false,
  editable: false,
  ...traits,
});

const systemFields: readonly Field[] = [
  system('summary', 'Summary', 'string', { editable: true }),
  system('issuetype', 'Issue Type', 'issuetype'),
  system('project', 'Project', 'project'),
  system('parent', 'Parent', 'issuelink'),
  system('subtasks', 'Sub-tasks', 'array'),
  system('issuelinks', 'Linked Issues', 'array'),
  system('status', 'Status', 'status'),
  system('priority', 'Priority', 'priority', { editable: true }),
  system('assignee', 'Assignee', 'user', { editable: true }),
  system('reporter', 'Reporter', 'user'),
  system('creator', 'Creator', 'user'),
  system('security', 'Security Level', 'securitylevel', { editable: true }),
  system('labels', 'Labels', 'array', { editable: true }),
  system('created', 'Created', 'datetime'),
  system('updated', 'Updated', 'datetime'),
  system('description', 'Description', 'string', { rich: true, editable: true }),
];

/** The site's fields: its own and those of the installed apps, in order, each once. */
export function fieldsOf(site: Site, apps: readonly App[]): Field[] {
  const storedFields = site.customFields.list().map(({ value }) => value);
  const brought = new Set(apps.flatMap(app => storedFields.filter(({ key }) => app.brings(key))));
  const custom = [...brought].map(field => ({
    id: field.id,
    key: field.key,
    name: field.name,
    custom: field,
    type: field.value && 'type' in field.value && field.value.type === 'number' ? 'number' : 'string',
    rich: field.type === 'rich_text',
    editable: field.type !== 'read_only',
  }));
  return [...systemFields, ...custom];
}

/** The text of a field that holds text. */
export const textOf = (issue: Issue, field: Field): string =>
  field.id === 'description' ? issue.description : (issue.custom[field.id] ?? '');
