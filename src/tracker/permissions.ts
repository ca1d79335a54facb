import type { App } from './apps.ts';
import { securityLevels } from './site/catalogue.ts';
import type { Issue, Person, Project, Role } from './site/model.ts';

/** The caller: anonymous, a user (perhaps through an app's frame or server), or an app. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'person'; person: Person; through?: { app: App; by: 'frame' | 'server' } }
  | { kind: 'app'; app: App };

/** The app whose server makes the call, for itself or a user. */
export function callingApp(caller: Caller): App | undefined {
  if (caller.kind === 'app') return caller.app;
  return caller.kind === 'person' && caller.through?.by === 'server' ? caller.through.app : undefined;
}

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

const sitePermissions: readonly Permission[] = [
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

/**
 * The site's permissions: its own and those of the installed apps. A key of both frameworks occurs once, as Connect's.
 */
export function knownPermissions(apps: readonly App[]): Permission[] {
  const brought = new Map<string, Permission>();
  for (const { key, name, description } of apps.filter(app => app.isPermitted()).flatMap(app => app.permissions))
    if (!brought.has(key)) brought.set(key, ofProject(key, name, description));
  return [...sitePermissions, ...brought.values()];
}

/** The module of a permission: after the add-on's key, or at the end of Forge's identifier. */
const moduleOf = (permission: string): string | undefined => permission.split(/__|\/static\//)[1];

const everything = { own: sitePermissions.map(({ key }) => key), app: 'all' } as const;

/** The permission scheme of both projects. Of an app's permissions, viewers and customers have the reading ones. */
const scheme: Record<Role, { own: readonly string[]; app: 'all' | 'view' }> = {
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
    app: 'all',
  },
  editor: {
    own: ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'EDIT_ISSUES', 'TRANSITION_ISSUES', 'USER_PICKER'],
    app: 'all',
  },
  viewer: { own: ['BROWSE_PROJECTS', 'USER_PICKER'], app: 'view' },
  customer: { own: [], app: 'view' },
};

/** The scope of a permission check; neither means the site. */
export interface Where {
  project?: Project | undefined;
  issue?: Issue | undefined;
}

/**
 * Whether the caller has a permission there. A customer has no licence: portal requests only, none of the tracker's own
 * permissions.
 */
export function holds(caller: Caller, permission: string, where: Where = {}): boolean {
  if (caller.kind === 'anonymous') return false;
  if (caller.kind === 'app') {
    if (!caller.app.isPermitted()) return false;
    if (permission === 'ADMINISTER') return caller.app.grants('ADMIN');
    return permission !== 'SYSTEM_ADMIN' && !isDenied(permission, where.project);
  }
  const { person } = caller;
  if (person.role === 'customer' && !isOwnRequest(person, where)) return false;
  if (where.issue && isSecret(person, where.issue)) return false;
  const { own: granted, app } = scheme[person.role];
  const module = moduleOf(permission);
  if (module === undefined) return granted.includes(permission);
  return app === 'all' || module.startsWith('view');
}

/** Permissions that a scheme takes from apps by leaving out their role. */
const administration = ['ADMINISTER_PROJECTS', 'DELETE_ISSUES'];

/** Whether a project denies a permission to apps. */
const isDenied = (permission: string, project: Project | undefined): boolean =>
  project?.apps === 'blocked' || (project?.apps === 'restricted' && administration.includes(permission));

/** Whether the caller may edit without mail to watchers. A scope is no permission: an app needs the project's. */
export const maySuppressMail = (caller: Caller, project: Project): boolean =>
  holds(caller, 'ADMINISTER_PROJECTS', { project }) || (caller.kind === 'person' && holds(caller, 'ADMINISTER'));

/** Whether the call is an app's, for its own purposes or for a user. */
export const isByApp = (caller: Caller): boolean =>
  caller.kind === 'app' || (caller.kind === 'person' && caller.through !== undefined);

/** Whether the issue's security level hides it from this user. */
const isSecret = ({ accountId, role }: Person, { securityId, reporterId }: Issue): boolean =>
  securityId !== null &&
  reporterId !== accountId &&
  !securityLevels.find(({ id }) => id === securityId)?.roles.includes(role);

/** Whether the portal shows the issue to this user: an own request. */
export const isOwnRequest = (person: Person, { project, issue }: Where): boolean =>
  project?.kind === 'service' && issue?.reporterId === person.accountId;
