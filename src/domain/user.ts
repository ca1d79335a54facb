import { noPermissions, type PermissionFlags } from './permissions.ts';

/** Somebody who looks at a screen of ours. `id` is the tracker's account id. */
export interface User extends PermissionFlags {
  id: string;
  key: string;
  name: string;
  domain: string;
  isAnonymous: boolean;
}

/** Who looks when the tracker does not say (spec §3, §4). `displayName` is what a screen shows. */
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

/** Where the tracker shows a person. */
export const profilePath = (accountId: string): string => `/jira/people/${encodeURIComponent(accountId)}`;
