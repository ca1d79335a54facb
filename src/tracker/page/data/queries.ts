import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { type Badge, badgeKey, badgeShape } from '../../../domain/badge.ts';
import { faultsShape } from '../../wire/faults.ts';
import { gadgetsShape } from '../../wire/gadgets.ts';
import { connectModules, type Framework, forgeModules, type HostModule, type ModulePlace } from '../../wire/modules.ts';
import { outboxShape } from '../../wire/outbox.ts';
import { quotaShape } from '../../wire/quota.ts';
import { type HostState, issueShape, stateShape } from '../../wire/site.ts';
import { workflowShape } from '../../wire/workflow.ts';
import { getJson } from './fetch.ts';

const ISSUE_INTERVAL_MS = 4_000;
/** Shorter than `ISSUE_INTERVAL_MS`, as Forge frames learn of changes by these refetches. */
const WATCHED_INTERVAL_MS = 1_000;
const ADDON_INTERVAL_MS = 2_000;
const FAULTS_INTERVAL_MS = 2_000;
const QUOTA_INTERVAL_MS = 2_000;
const OUTBOX_INTERVAL_MS = 1_000;

export const stateQuery = queryOptions({
  queryKey: ['state'],
  queryFn: ({ signal }) => getJson('/host/state', stateShape, { signal }),
  // An add-on may start after the tracker.
  refetchInterval: ({ state }) =>
    state.data && [...state.data.addons, state.data.forge].every(app => !app || app.state === 'installed')
      ? false
      : ADDON_INTERVAL_MS,
});

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: ({ signal }) => getJson('/host/faults', faultsShape, { signal }),
  // Faults strike and end over time.
  refetchInterval: FAULTS_INTERVAL_MS,
});

export const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: ({ signal }) => getJson('/host/quota', quotaShape, { signal }),
  // Apps spend points, and windows end.
  refetchInterval: QUOTA_INTERVAL_MS,
});

export const outboxQuery = queryOptions({
  queryKey: ['outbox'],
  queryFn: ({ signal }) => getJson('/host/outbox', outboxShape, { signal }),
  // Apps send at times of their own.
  refetchInterval: OUTBOX_INTERVAL_MS,
});

export const issueQuery = (user: string, issueKey: string, framework: Framework) =>
  queryOptions({
    queryKey: ['issue', user, issueKey],
    queryFn: ({ signal }) => getJson(`/host/issues/${encodeURIComponent(issueKey)}`, issueShape, { signal }),
    refetchInterval: ({ state }) => state.data && (framework === 'forge' ? WATCHED_INTERVAL_MS : ISSUE_INTERVAL_MS),
  });

export const gadgetsQuery = (user: string) =>
  queryOptions({
    queryKey: ['gadgets', user],
    queryFn: ({ signal }) => getJson('/host/gadgets', gadgetsShape, { signal }),
  });

export const workflowQuery = (user: string, projectKey: string) =>
  queryOptions({
    queryKey: ['workflow', user, projectKey],
    queryFn: ({ signal }) =>
      getJson(`/host/projects/${encodeURIComponent(projectKey)}/workflow`, workflowShape, { signal }),
  });

const badgeAnswer = v.object({ properties: v.optional(v.record(v.string(), v.unknown()), {}) });

/** Fetches the badge that a Connect module set beside the name of its context panel; `null` for no valid badge. */
export const badgeQuery = (user: string, issueId: string, module: Pick<HostModule, 'addonKey' | 'key'>) => {
  const key = badgeKey(module.key, module.addonKey);
  return queryOptions({
    queryKey: ['badge', user, issueId, key],
    queryFn: async ({ signal }): Promise<Badge | null> => {
      const searchParams = new URLSearchParams({ fields: 'summary', properties: key });
      const { properties } = await getJson(`/rest/api/3/issue/${issueId}?${searchParams}`, badgeAnswer, { signal });
      const parsed = v.safeParse(badgeShape, properties[key]);
      return parsed.success ? parsed.output : null;
    },
    refetchInterval: ISSUE_INTERVAL_MS,
  });
};

/** The subject of a frame or page. */
export interface About {
  /** Its add-on; the first matching one unless given. */
  addonKey?: string;
  issueKey?: string;
  projectKey?: string;
  /** Id of a workflow rule. */
  rule?: string;
  /** Id of a gadget. */
  gadget?: string;
}

/** As the parameters of a query: `issueKey=WEB-1&projectKey=WEB`. */
export const aboutQuery = (about: About): string => new URLSearchParams({ ...about }).toString();

/**
 * The modules of a place, their addresses freshly signed. An address is good for one mount only: it is not fetched
 * again on its own, and not cached when the place is left.
 */
export const modulesQuery = (
  state: HostState,
  framework: Framework,
  { place, about, key }: { place: ModulePlace; about: About; key?: string | undefined },
) => {
  const parameters = new URLSearchParams({ place, framework, ...about, ...(key !== undefined && { key }) });
  const address = `/host/modules?${parameters}`;
  return queryOptions({
    queryKey: ['modules', state.user.accountId, state.addons, state.forge, parameters.toString()],
    queryFn: ({ signal }): Promise<readonly HostModule[]> =>
      framework === 'connect'
        ? getJson(address, connectModules, { signal })
        : getJson(address, forgeModules, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
};

/** The places of a descriptor with pages of the site's administration. */
export const adminPlaces = ['admin', 'configure', 'post-install'] as const satisfies readonly ModulePlace[];
