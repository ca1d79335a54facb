import { createContext, use } from 'react';
import type { Framework } from '../../wire/modules.ts';
import type { HostState, HostUser } from '../../wire/site.ts';

type Installed = Extract<HostState['addons'][number], { state: 'installed' }>;

export const SiteContext = createContext<HostState | undefined>(undefined);

/** The apps installed by a framework, in order. */
export const installedIn = ({ addons, forge }: HostState, framework: Framework): Installed[] =>
  (framework === 'forge' ? [forge ?? []].flat() : addons).flatMap(app => (app.state === 'installed' ? app : []));

/** The server's state of the site, the visitor and the apps. */
export function useSite(): HostState {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite must be used within the site');
  return site;
}

/** Portal customers see only their requests in the portal. */
export const isCustomer = (user: HostUser): boolean => user.role === 'Portal customer';

/** The page of an issue for this visitor. */
export const issueAddress = (user: HostUser, issueKey: string): string =>
  `/${isCustomer(user) ? 'portal' : 'browse'}/${encodeURIComponent(issueKey)}`;
