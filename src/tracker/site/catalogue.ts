import type { IssueType, Named, Priority, Project, Role, Status, StatusCategory } from './model.ts';
import { projectAdmin, siteAdmin } from './people.ts';

/** The site's lists: issue types, statuses, priorities, projects. */

const toDo: StatusCategory = { id: 2, key: 'new', name: 'To Do', colorName: 'blue-gray' };
const inProgress: StatusCategory = { id: 4, key: 'indeterminate', name: 'In Progress', colorName: 'yellow' };
const done: StatusCategory = { id: 3, key: 'done', name: 'Done', colorName: 'green' };

export const statuses: readonly Status[] = [
  { id: '10000', name: 'To Do', category: toDo },
  { id: '10001', name: 'In Progress', category: inProgress },
  { id: '10002', name: 'Done', category: done },
  { id: '10003', name: 'Waiting for support', category: toDo },
  { id: '10004', name: 'Waiting for customer', category: inProgress },
  { id: '10005', name: 'Resolved', category: done },
];

/** Status ids of a project kind. A new issue has the first; each leads to each. */
export const workflows: Record<Project['kind'], readonly [string, ...string[]]> = {
  software: ['10000', '10001', '10002'],
  service: ['10003', '10004', '10005'],
};

/** Types of links between issues, as the API tells them. */
export const linkTypes = [
  { id: '10003', name: 'Relates', inward: 'relates to', outward: 'relates to' },
  { id: '10000', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
] as const;

/** Roles that may see an issue of a level, besides its reporter. */
export const securityLevels: readonly (Named & { roles: readonly Role[] })[] = [
  { id: '10000', name: 'Administrators', roles: ['site-admin', 'project-admin'] },
];

export const issueTypes: readonly IssueType[] = [
  { id: '10000', name: 'Epic', icon: 'epic', subtask: false, hierarchyLevel: 1 },
  { id: '10001', name: 'Story', icon: 'story', subtask: false, hierarchyLevel: 0 },
  { id: '10002', name: 'Bug', icon: 'bug', subtask: false, hierarchyLevel: 0 },
  { id: '10003', name: 'Sub-task', icon: 'subtask', subtask: true, hierarchyLevel: -1 },
  { id: '10004', name: 'Service request', icon: 'request', subtask: false, hierarchyLevel: 0 },
  { id: '10005', name: 'Incident', icon: 'incident', subtask: false, hierarchyLevel: 0 },
];

export const priorities: readonly Priority[] = [
  { id: '1', name: 'Highest', icon: 'highest', color: '#cd1317' },
  { id: '2', name: 'High', icon: 'high', color: '#e9494a' },
  { id: '3', name: 'Medium', icon: 'medium', color: '#e97f33' },
  { id: '4', name: 'Low', icon: 'low', color: '#2d8738' },
  { id: '5', name: 'Lowest', icon: 'lowest', color: '#57a55a' },
];

export const seedProjects: readonly Project[] = [
  {
    id: '10000',
    key: 'WEB',
    name: 'Web shop',
    kind: 'software',
    leadId: projectAdmin.accountId,
    issueTypeIds: ['10000', '10001', '10002', '10003'],
    nextNumber: 1,
    offScreen: [],
    apps: 'administrator',
    isTeamManaged: false,
  },
  {
    id: '10001',
    key: 'HELP',
    name: 'Help desk',
    kind: 'service',
    leadId: siteAdmin.accountId,
    issueTypeIds: ['10004', '10005'],
    nextNumber: 1,
    offScreen: [],
    apps: 'administrator',
    isTeamManaged: false,
  },
];
