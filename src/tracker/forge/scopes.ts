import type { Scope } from '../connect/descriptor.ts';

/** The OAuth scope that a call needs on Forge, by what it needs on Connect, unless its documentation names another. */
export const oauthScope: Record<Scope, string> = {
  READ: 'read:jira-work',
  WRITE: 'write:jira-work',
  DELETE: 'write:jira-work',
  PROJECT_ADMIN: 'manage:jira-project',
  ADMIN: 'manage:jira-configuration',
};
