import { noPermissions, type PermissionFlags } from './permissions.ts';

/** The user of a screen. `id` is the tracker's account id. */
export interface User extends PermissionFlags {
  id: string;
  key: string;
  name: string;
  domain: string;
  isAnonymous: boolean;
}

/** The user if the tracker names no account. `displayName` is shown on screens. */
export const anonymous = {
  id: 'anonymous',
  key: 'anonymous',
  name: 'anonymous',
  displayName: 'Anonymous',
  domain: '',
  isAnonymous: true,
  ...noPermissions,
  canViewChecklist: true,
} as const;

/** Path of a person's profile in the tracker. */
export const profilePath = (accountId: string): string => `/jira/people/${encodeURIComponent(accountId)}`;
