import { createContext, use } from 'react';
import type { Framework, HostState, HostUser } from '../../wire.ts';

type Installed = Extract<HostState['addons'][number], { state: 'installed' }>;

export const SiteContext = createContext<HostState | undefined>(undefined);

/** The apps that are there by a framework, in their order. */
export const installedIn = ({ addons, forge }: HostState, framework: Framework): Installed[] =>
  (framework === 'forge' ? [forge ?? []].flat() : addons).flatMap(app => (app.state === 'installed' ? app : []));

/** What the server said of the site, the visitor and the apps. */
export function useSite(): HostState {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite must be used within the site');
  return site;
}

/** Portal customers see their requests in the portal and nothing else. */
export const isCustomer = (user: HostUser): boolean => user.role === 'Portal customer';

/** Where an issue is shown to this visitor. */
export const issueAddress = (user: HostUser, issueKey: string): string =>
  `/${isCustomer(user) ? 'portal' : 'browse'}/${encodeURIComponent(issueKey)}`;
