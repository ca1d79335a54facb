import { FIELD_NAME } from '../../domain/storage.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { isShown, mayEdit } from '../rest/access.ts';
import { avatarOf, fieldValue, priorityBean, statusBean, typeBean } from '../rest/beans.ts';
import { transitionsOf } from '../rest/transitions.ts';
import { type Field, fieldsOf, textOf } from '../site/fields.ts';
import type { Issue, Person } from '../site/model.ts';
import { people, personOf } from '../site/people.ts';
import { childrenOf, projectOf } from '../site/site.ts';
import type { HostIssue, HostIssueLine, HostState, HostUser } from '../wire/site.ts';

/** The page's views of the site, for one user. */

export function hostState(context: Context, visitor: Person): HostState {
  const { site, addons, forge } = context;
  const caller: Caller = { kind: 'person', person: visitor };
  const issues = site.issues
    .list()
    .map(({ value }) => value)
    .filter(issue => isShown(context, caller, issue));
  const projects = site.projects.list().map(({ value: { id, key, name, kind } }) => ({
    id,
    key,
    name,
    kind,
    issues: issues.filter(({ projectId }) => projectId === id).map(issue => issueLine(context, issue)),
  }));
  return {
    site: site.name,
    user: userOf(context, visitor),
    users: people.map(person => userOf(context, person)),
    // A customer sees only projects with an own request.
    projects: visitor.role === 'customer' ? projects.filter(project => project.issues.length > 0) : projects,
    addons: addons.map(addon => addon.state()),
    ...(forge && { forge: forge.app.state() }),
  };
}

export function hostIssue(context: Context, caller: Caller, issue: Issue): HostIssue {
  const { site } = context;
  const { id, key, name, kind } = projectOf(site, issue);
  const [assignee, reporter] = [issue.assigneeId, issue.reporterId].map(account => personOf(account ?? ''));
  const { name: priority, iconUrl } = priorityBean(site, issue.priorityId);
  const field = checklistField(context);
  return {
    ...issueLine(context, issue),
    project: { id, key, name, kind },
    description: issue.description,
    ...(assignee && { assignee: userOf(context, assignee) }),
    ...(reporter && { reporter: userOf(context, reporter) }),
    priority: { name: priority, icon: iconUrl },
    children: childrenOf(site, issue).map(child => issueLine(context, child)),
    checklistText: field ? textOf(issue, field) : '',
    mayEdit: mayEdit(context, caller, issue),
    updated: issue.updated,
    updatedBy: issue.history[0]?.author ?? issue.reporterId,
    transitions: transitionsOf(context, caller, issue).map(({ id, name }) => ({ id, name })),
  };
}

/** The text field of the first installed app. */
export const checklistField = ({ site, apps }: Context): Field | undefined =>
  fieldsOf(site, apps()).find(({ custom }) => custom?.name === FIELD_NAME);

function issueLine({ site, apps }: Context, issue: Issue): HostIssueLine {
  const { name, iconUrl } = typeBean(site, issue.typeId);
  const status = statusBean(site, issue.statusId);
  const parent = issue.parentId === null ? undefined : site.issues.get(issue.parentId);
  return {
    id: issue.id,
    key: issue.key,
    summary: issue.summary,
    type: { name, icon: iconUrl },
    status: { name: status.name, color: status.statusCategory.colorName },
    fields: fieldsOf(site, apps())
      .filter(({ custom }) => custom?.type === 'read_only')
      .flatMap(field => {
        const value = fieldValue(site, issue, field, 2);
        return value === null ? [] : { name: field.name, value: String(value) };
      }),
    ...(parent && { parentKey: parent.key }),
  };
}

const userOf = ({ site }: Context, person: Person): HostUser => ({
  accountId: person.accountId,
  displayName: person.displayName,
  avatar: avatarOf(site, person),
  role: person.roleName,
});
