import { type Descriptor, hasScope } from './connect/descriptor.ts';
import { securityLevels } from './site/catalogue.ts';
import type { Issue, Person, Project, Role } from './site/model.ts';

/** Who calls: nobody, a person (perhaps through the add-on's frame), or the add-on itself. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'person'; person: Person; through?: Descriptor }
  | { kind: 'addon'; descriptor: Descriptor };

export interface Permission {
  key: string;
  name: string;
  description: string;
  scope: 'GLOBAL' | 'PROJECT';
}

const ofProject = (key: string, name: string, description: string): Permission => ({
  key,
  name,
  description,
  scope: 'PROJECT',
});
const ofSite = (key: string, name: string, description: string): Permission => ({
  key,
  name,
  description,
  scope: 'GLOBAL',
});

const own: readonly Permission[] = [
  ofProject('BROWSE_PROJECTS', 'Browse Projects', 'Ability to browse projects and the issues within them.'),
  ofProject('CREATE_ISSUES', 'Create Issues', 'Ability to create issues.'),
  ofProject('EDIT_ISSUES', 'Edit Issues', 'Ability to edit issues.'),
  ofProject('TRANSITION_ISSUES', 'Transition Issues', 'Ability to transition issues.'),
  ofProject('DELETE_ISSUES', 'Delete Issues', 'Ability to delete issues.'),
  ofProject('ADMINISTER_PROJECTS', 'Administer Projects', 'Ability to administer a project.'),
  ofSite('ADMINISTER', 'Administer Jira', 'Ability to perform most administration functions.'),
  ofSite('SYSTEM_ADMIN', 'Jira System Administrators', 'Ability to perform all administration functions.'),
  ofSite('USER_PICKER', 'Browse users and groups', 'Ability to select a user or group from a list.'),
];

/** The permissions that the site knows: its own and those of the installed add-on. */
export const knownPermissions = (descriptors: readonly Descriptor[]): Permission[] => [
  ...own,
  ...descriptors.flatMap(({ key, modules }) =>
    modules.jiraProjectPermissions.map(module =>
      ofProject(`${key}__${module.key}`, module.name.value, module.description.value),
    ),
  ),
];

const everything = { own: own.map(({ key }) => key), addon: 'all' } as const;

/** The permission scheme of both projects. Of the add-on's own permissions viewers and customers hold the reading ones. */
const scheme: Record<Role, { own: readonly string[]; addon: 'all' | 'view' }> = {
  'site-admin': everything,
  'project-admin': {
    own: [
      'BROWSE_PROJECTS',
      'CREATE_ISSUES',
      'EDIT_ISSUES',
      'TRANSITION_ISSUES',
      'DELETE_ISSUES',
      'ADMINISTER_PROJECTS',
      'USER_PICKER',
    ],
    addon: 'all',
  },
  editor: {
    own: ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'EDIT_ISSUES', 'TRANSITION_ISSUES', 'USER_PICKER'],
    addon: 'all',
  },
  viewer: { own: ['BROWSE_PROJECTS', 'USER_PICKER'], addon: 'view' },
  customer: { own: [], addon: 'view' },
};

/** Where a permission is asked for; nothing of both: on the site. */
export interface Where {
  project?: Project | undefined;
  issue?: Issue | undefined;
}

/**
 * Whether the caller holds a permission there. A customer has no licence: he sees his requests in the portal, and holds
 * none of the tracker's own permissions.
 */
export function holds(caller: Caller, permission: string, where: Where = {}): boolean {
  if (caller.kind === 'anonymous') return false;
  if (caller.kind === 'addon') {
    return permission === 'ADMINISTER' ? hasScope(caller.descriptor, 'ADMIN') : permission !== 'SYSTEM_ADMIN';
  }
  const { person } = caller;
  if (person.role === 'customer' && !isOwnRequest(person, where)) return false;
  if (where.issue && isSecret(person, where.issue)) return false;
  const { own: granted, addon } = scheme[person.role];
  if (!permission.includes('__')) return granted.includes(permission);
  return addon === 'all' || permission.split('__')[1]?.startsWith('view') === true;
}

/** Whether the issue's security level keeps it from this person. */
const isSecret = ({ accountId, role }: Person, { securityId, reporterId }: Issue): boolean =>
  securityId !== null &&
  reporterId !== accountId &&
  !securityLevels.find(({ id }) => id === securityId)?.roles.includes(role);

/** Whether the portal shows the issue to this person: a request that he reported. */
export const isOwnRequest = (person: Person, { project, issue }: Where): boolean =>
  project?.kind === 'service' && issue?.reporterId === person.accountId;
