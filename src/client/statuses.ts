import * as v from 'valibot';
import type { HostBridge } from '../bridge/bridge.ts';
import { statusColors } from '../domain/colors.ts';
import { parseRegistry } from '../domain/registry.ts';
import type { RegistryStatus } from '../domain/statuses.ts';
import { storageKey } from '../domain/storage.ts';
import { registryOf } from '../text/registry.ts';
import type { StatusRegistry } from '../text/statuses.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql as document, operation } from './operation.ts';
import { createStore, type Store } from './store.ts';
import { getProject } from './tracker/projects.ts';

export const getStatuses = operation(
  document(`query getStatuses($projectId: ID, $issueId: ID) {
    statuses(projectId: $projectId, issueId: $issueId) { slug name color checked former going }
  }`),
  v.object({
    statuses: v.array(
      v.object({
        slug: v.string(),
        name: v.string(),
        color: v.picklist(statusColors),
        checked: v.boolean(),
        former: v.array(v.string()),
        going: v.boolean(),
      }),
    ),
  }),
);

/** Where statuses are wanted: in a project, or on an issue of one that is not known by itself. */
export interface StatusPlace {
  projectId?: string | undefined;
  issueId?: string | undefined;
}

const PROPERTY = storageKey('statuses');

/** What the project's property says; `undefined` where it says nothing, or somebody may not read it. */
async function held(bridge: HostBridge, projectId: string): Promise<RegistryStatus[] | undefined> {
  try {
    return parseRegistry((await getProject(bridge, projectId, [PROPERTY])).properties?.[PROPERTY]);
  } catch {
    return undefined;
  }
}

/** The statuses of a place in their order: from the tracker, unless they have changed just now, else from our server. */
async function readStatuses(
  bridge: HostBridge,
  graphql: GraphqlClient,
  { projectId, issueId }: StatusPlace,
  changed: boolean,
): Promise<readonly RegistryStatus[]> {
  const kept = changed || projectId === undefined ? undefined : await held(bridge, projectId);
  if (kept) return kept;
  // A portal's customer sees his request only.
  const place = issueId === undefined ? { projectId: projectId ?? null } : { issueId };
  return (await graphql.query(getStatuses, place)).statuses;
}

/** The statuses that a checklist is read by; `undefined` until they are known. The same ones stay the same object. */
export interface StatusStore extends Store<StatusRegistry | undefined> {
  /** Reads them anew. What cannot be read stays as it was. `changed`: our server said so, and the tracker says it later. */
  refresh(changed?: boolean): Promise<void>;
}

export function createStatuses(bridge: HostBridge, graphql: GraphqlClient, place: StatusPlace): StatusStore {
  const store = createStore<StatusRegistry | undefined>(undefined);
  let known = '';
  let asked = 0;
  return {
    get: store.get,
    subscribe: store.subscribe,
    async refresh(changed = false) {
      asked += 1;
      const mine = asked;
      const statuses = await readStatuses(bridge, graphql, place, changed).catch(() => undefined);
      const said = JSON.stringify(statuses);
      // Two readings may overtake each other.
      if (!statuses || mine !== asked || said === known) return;
      known = said;
      store.set(registryOf(statuses));
    },
  };
}
