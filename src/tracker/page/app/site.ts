import { createContext, use } from 'react';
import type { HostState, HostUser } from '../../wire.ts';

type Installed = Extract<HostState['addons'][number], { state: 'installed' }>;

export const SiteContext = createContext<HostState | undefined>(undefined);

/** What the server said of the site, the visitor and the add-on. */
/** The add-ons that are there, in their order. */
export const installedIn = ({ addons }: HostState): Installed[] =>
  addons.flatMap(addon => (addon.state === 'installed' ? addon : []));

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
