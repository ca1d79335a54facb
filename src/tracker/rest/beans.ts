import type {
  DashboardUser,
  FieldDetails,
  IssueTypeDetails,
  Priority,
  StatusDetails,
  Project as VendorProject,
} from 'jira.js/cloud';
import type { App } from '../apps.ts';
import type { Context } from '../context.ts';
import { issueTypes, linkTypes, securityLevels } from '../site/catalogue.ts';
import { type Field, textOf } from '../site/fields.ts';
import type { CustomField, Issue, Person, Project } from '../site/model.ts';
import { personOf } from '../site/people.ts';
import { toDocument } from '../site/richtext.ts';
import { childrenOf, priorityOf, projectOf, type Site, statusOf, typeOf } from '../site/site.ts';
import { readOnlyValue } from './read-only-fields.ts';

/**
 * The REST API's shapes. They satisfy the models that `jira.js` generates of the vendor's own document: one of another shape
 * does not compile.
 */

export type Version = 2 | 3;

const AVATAR_SIZES = [48, 24, 16, 32];
const avatars = (url: string) =>
  Object.fromEntries(AVATAR_SIZES.map(size => [`${size}x${size}`, `${url}?size=${size}`]));

export const avatarOf = (site: Site, person: Person): string => `${site.url}/images/avatars/${person.accountId}.svg`;

export const personBean = (site: Site, person: Person) =>
  ({
    self: `${site.url}/rest/api/3/user?accountId=${encodeURIComponent(person.accountId)}`,
    accountId: person.accountId,
    accountType: person.role === 'customer' ? 'customer' : 'atlassian',
    emailAddress: person.email,
    avatarUrls: avatars(avatarOf(site, person)),
    displayName: person.displayName,
    active: true,
    timeZone: 'Europe/Berlin',
    locale: 'en_US',
  }) satisfies DashboardUser;

export const appBean = (site: Site, { account, name }: App) =>
  ({
    self: `${site.url}/rest/api/3/user?accountId=${encodeURIComponent(account)}`,
    accountId: account,
    accountType: 'app',
    displayName: name,
    active: true,
  }) satisfies DashboardUser;

/** A user or app by account id; `undefined` for neither. */
export const accountBean = ({ site, apps }: Pick<Context, 'site' | 'apps'>, accountId: string) => {
  const person = personOf(accountId);
  if (person) return personBean(site, person);
  const foundApp = apps().find(({ account }) => account === accountId);
  return foundApp && appBean(site, foundApp);
};

/** A page of a list by offset; `url` is the requested path and query. */
export const pageBean = <T, Bean>(
  site: Site,
  url: string,
  all: readonly T[],
  { startAt, maxResults }: { startAt: number; maxResults: number },
  bean: (entry: T) => Bean,
) => ({
  self: `${site.url}${url}`,
  maxResults,
  startAt,
  total: all.length,
  isLast: startAt + maxResults >= all.length,
  values: all.slice(startAt, startAt + maxResults).map(bean),
});

export const typeBean = (site: Site, id: string) => {
  const { name, icon, subtask, hierarchyLevel } = typeOf(id);
  return {
    self: `${site.url}/rest/api/3/issuetype/${id}`,
    id,
    name,
    description: '',
    iconUrl: `${site.url}/images/types/${icon}.svg`,
    subtask,
    hierarchyLevel,
  } satisfies IssueTypeDetails;
};

export const statusBean = (site: Site, id: string) => {
  const { name, category } = statusOf(id);
  return {
    self: `${site.url}/rest/api/3/status/${id}`,
    id,
    name,
    description: '',
    iconUrl: `${site.url}/images/statuses/${category.key}.svg`,
    statusCategory: { self: `${site.url}/rest/api/3/statuscategory/${category.id}`, ...category },
  } satisfies StatusDetails;
};

const securityBean = (site: Site, levelId: string | null) => {
  const level = securityLevels.find(({ id }) => id === levelId);
  if (!level) return null;
  const { id, name } = level;
  return { self: `${site.url}/rest/api/3/securitylevel/${id}`, id, name, description: '' };
};

export const priorityBean = (site: Site, id: string) => {
  const { name, icon, color } = priorityOf(id);
  return {
    self: `${site.url}/rest/api/3/priority/${id}`,
    id,
    name,
    iconUrl: `${site.url}/images/priorities/${icon}.svg`,
    statusColor: color,
  } satisfies Priority;
};

export const projectLine = (site: Site, project: Project) =>
  ({
    self: `${site.url}/rest/api/3/project/${project.id}`,
    id: project.id,
    key: project.key,
    name: project.name,
    projectTypeKey: project.kind === 'service' ? 'service_desk' : 'software',
    simplified: project.isTeamManaged,
    style: project.isTeamManaged ? 'next-gen' : 'classic',
    isPrivate: false,
    avatarUrls: avatars(`${site.url}/images/projects/${project.key}.svg`),
  }) satisfies VendorProject;

export const projectBean = (site: Site, project: Project) => {
  const lead = personOf(project.leadId);
  return {
    ...projectLine(site, project),
    description: '',
    ...(lead && { lead: personBean(site, lead) }),
    issueTypes: issueTypes.filter(({ id }) => project.issueTypeIds.includes(id)).map(({ id }) => typeBean(site, id)),
  } satisfies VendorProject;
};

const CUSTOM_TYPES: Record<CustomField['type'], string> = {
  string: 'string-issue-field',
  text: 'text-issue-field',
  rich_text: 'rich-text-issue-field',
  read_only: 'read-only-issue-field',
};

export const fieldBean = ({ id, key, name, custom, type, editable }: Field) =>
  ({
    id,
    key,
    name,
    custom: custom !== undefined,
    orderable: editable,
    navigable: true,
    searchable: true,
    clauseNames: custom ? [`cf[${id.replace(/\D/g, '')}]`, name] : [id],
    schema: custom
      ? {
          type,
          custom: `com.atlassian.plugins.atlassian-connect-plugin:${CUSTOM_TYPES[custom.type]}`,
          customId: Number(id.replace(/\D/g, '')),
        }
      : { type, system: id },
  }) satisfies FieldDetails;

/** The summary of an issue in others: its parent, its sub-tasks. */
const issueLine = (site: Site, issue: Issue) => ({
  id: issue.id,
  key: issue.key,
  self: `${site.url}/rest/api/3/issue/${issue.id}`,
  fields: {
    summary: issue.summary,
    status: statusBean(site, issue.statusId),
    priority: priorityBean(site, issue.priorityId),
    issuetype: typeBean(site, issue.typeId),
  },
});

const personOrNull = (site: Site, accountId: string | null) => {
  const person = accountId === null ? undefined : personOf(accountId);
  return person ? personBean(site, person) : null;
};

/** A link is the same one from either end. */
export const linkId = (one: string, other: string, typeId: string): string =>
  `${[one, other].sort((a, b) => Number(a) - Number(b)).join('-')}-${typeId}`;

/** The site's time zone, west of Greenwich. */
const SITE_ZONE = { minutes: -8 * 60, text: '-0800' };

/** `2026-09-01T01:30:00.000-0800`, as the tracker writes times: in the time zone of the site. */
export const timeBean = (iso: string): string =>
  new Date(Date.parse(iso) + SITE_ZONE.minutes * 60_000).toISOString().replace('Z', SITE_ZONE.text);

/** Whether the user can see an issue named in another. */
export type Sees = (issue: Issue) => boolean;

/** The value of an issue's field for a user; `undefined` if the issue has no such field. */
export function fieldValue(site: Site, issue: Issue, field: Field, version: Version, sees: Sees = () => true): unknown {
  switch (field.id) {
    case 'summary':
      return issue.summary;
    case 'issuetype':
      return typeBean(site, issue.typeId);
    case 'project':
      return projectLine(site, projectOf(site, issue));
    case 'parent': {
      const parent = issue.parentId === null ? undefined : site.issues.get(issue.parentId);
      return parent && sees(parent) ? issueLine(site, parent) : undefined;
    }
    case 'subtasks':
      return childrenOf(site, issue)
        .filter(child => typeOf(child.typeId).subtask && sees(child))
        .map(child => issueLine(site, child));
    case 'issuelinks':
      return issue.links.flatMap(({ issueId, typeId, outward }) => {
        const [type, other] = [linkTypes.find(({ id }) => id === typeId), site.issues.get(issueId)];
        if (!type || !other || !sees(other)) return [];
        const end = outward ? 'outwardIssue' : 'inwardIssue';
        return { id: linkId(issue.id, other.id, typeId), type, [end]: issueLine(site, other) };
      });
    case 'status':
      return statusBean(site, issue.statusId);
    case 'priority':
      return priorityBean(site, issue.priorityId);
    case 'assignee':
      return personOrNull(site, issue.assigneeId);
    case 'reporter':
    case 'creator':
      return personOrNull(site, issue.reporterId);
    case 'security':
      return securityBean(site, issue.securityId);
    case 'labels':
      return issue.labels;
    case 'created':
    case 'updated':
      return timeBean(issue[field.id]);
    default: {
      if (field.custom?.value) return readOnlyValue(site, issue, field.custom.value);
      const text = textOf(issue, field);
      if (text === '') return null;
      return field.rich && version === 3 ? toDocument(text) : text;
    }
  }
}
