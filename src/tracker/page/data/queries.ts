import { queryOptions } from '@tanstack/react-query';
import type { HostState, Place } from '../../wire.ts';
import { getJson } from './fetch.ts';
import { type About, faultsShape, issueShape, modulesShape, quotaShape, stateShape } from './shapes.ts';

/** Milliseconds between two looks at what others may have changed. */
const ISSUE_INTERVAL = 4_000;
const ADDON_INTERVAL = 2_000;
const FAULTS_INTERVAL = 2_000;
const QUOTA_INTERVAL = 2_000;

export const stateQuery = queryOptions({
  queryKey: ['state'],
  queryFn: ({ signal }) => getJson('/host/state', stateShape, { signal }),
  // An add-on may come up after the tracker.
  refetchInterval: ({ state }) =>
    state.data?.addons.every(addon => addon.state === 'installed') ? false : ADDON_INTERVAL,
});

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: ({ signal }) => getJson('/host/faults', faultsShape, { signal }),
  // They strike and end by themselves.
  refetchInterval: FAULTS_INTERVAL,
});

export const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: ({ signal }) => getJson('/host/quota', quotaShape, { signal }),
  // Apps spend, and windows end.
  refetchInterval: QUOTA_INTERVAL,
});

export const issueQuery = (user: string, issueKey: string) =>
  queryOptions({
    queryKey: ['issue', user, issueKey],
    queryFn: ({ signal }) => getJson(`/host/issues/${encodeURIComponent(issueKey)}`, issueShape, { signal }),
    refetchInterval: ({ state }) => (state.data ? ISSUE_INTERVAL : false),
  });

/** As the parameters of a query: `issueKey=WEB-1&projectKey=WEB`. */
export const aboutQuery = (about: About): string => new URLSearchParams({ ...about }).toString();

/**
 * The modules of a place, their addresses freshly signed. An address is good for one mount only: it is not fetched
 * again on its own, and not kept when the place is left.
 */
export const modulesQuery = (state: HostState, place: Place, about: About, key?: string) => {
  const parameters = new URLSearchParams({ place, ...about, ...(key !== undefined && { key }) });
  return queryOptions({
    queryKey: ['modules', state.user.accountId, state.addons, parameters.toString()],
    queryFn: ({ signal }) => getJson(`/host/modules?${parameters}`, modulesShape, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
};

/** Where pages of the site's administration stand in a descriptor. */
export const adminPlaces = ['admin', 'configure', 'post-install'] as const satisfies readonly Place[];
