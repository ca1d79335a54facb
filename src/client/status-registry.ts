import type { HostBridge } from '../bridge/bridge.ts';
import { parseRegistry } from '../domain/registry.ts';
import type { RegistryStatus } from '../domain/statuses.ts';
import { storageKey } from '../domain/storage.ts';
import { registryOf } from '../text/registry.ts';
import type { StatusRegistry } from '../text/status-registry.ts';
import { ignoreAnswer } from './errors.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql as document, operation } from './operation.ts';
import { createStore, type Store } from './store.ts';
import { getProject } from './tracker/projects.ts';

export const getStatuses = operation(
  document(`query getStatuses($projectId: ID, $issueId: ID) {
    statuses(projectId: $projectId, issueId: $issueId) { slug name color checked former going }
  }`),
);

/** The scope of a list of statuses: a project, or an issue whose project is unknown. */
export interface StatusPlace {
  projectId?: string | undefined;
  issueId?: string | undefined;
}

const STATUSES_PROPERTY = storageKey('statuses');

/** The registry in the project's property; `undefined` if it is absent or invalid. Rejects if the tracker gives no project. */
async function readStoredStatuses(bridge: HostBridge, projectId: string): Promise<RegistryStatus[] | undefined> {
  return parseRegistry((await getProject(bridge, projectId, [STATUSES_PROPERTY])).properties?.[STATUSES_PROPERTY]);
}

/**
 * The statuses of a project or issue in order: from the tracker, unless they have just changed, else from our server.
 */
async function readStatuses(
  bridge: HostBridge,
  graphql: GraphqlClient,
  { projectId, issueId }: StatusPlace,
  changed: boolean,
): Promise<readonly RegistryStatus[]> {
  const storedStatuses =
    changed || projectId === undefined ? undefined : await readStoredStatuses(bridge, projectId).catch(() => undefined);
  if (storedStatuses) return storedStatuses;
  // A portal customer can read only the request.
  const place = issueId === undefined ? { projectId: projectId ?? null } : { issueId };
  return (await graphql.query(getStatuses, place)).statuses;
}

/**
 * Returns a reader of projects' statuses for one pass over many issues. Reads each project once, as the user; the site's
 * statuses stand in for a project without its own or hidden from the user. Rejects if the tracker or our server fails.
 */
export function createRegistries(bridge: HostBridge, graphql: GraphqlClient) {
  const registryOfProject = new Map<string, Promise<StatusRegistry>>();
  let site: Promise<readonly RegistryStatus[]> | undefined;
  const siteStatuses = () => {
    site ??= graphql.query(getStatuses, {}).then(({ statuses }) => statuses);
    return site;
  };
  return (projectId: string): Promise<StatusRegistry> => {
    const registry =
      registryOfProject.get(projectId) ??
      readStoredStatuses(bridge, projectId)
        .catch(ignoreAnswer)
        .then(async kept => registryOf(kept ?? (await siteStatuses())));
    registryOfProject.set(projectId, registry);
    return registry;
  };
}

/**
 * The statuses that a checklist is parsed with; `undefined` until loaded. Equal statuses keep their object identity.
 */
export interface StatusStore extends Store<StatusRegistry | undefined> {
  /**
   * Reloads; resolves with whether it could. Keeps the previous statuses on failure. `changed`: notified by our server; the
   * tracker's copy may be stale.
   */
  refresh(changed?: boolean): Promise<boolean>;
}

export function createStatuses(bridge: HostBridge, graphql: GraphqlClient, place: StatusPlace): StatusStore {
  const store = createStore<StatusRegistry | undefined>(undefined);
  let lastJson = '';
  let requestCount = 0;
  return {
    get: store.get,
    subscribe: store.subscribe,
    async refresh(changed = false) {
      requestCount += 1;
      const requestNumber = requestCount;
      const statuses = await readStatuses(bridge, graphql, place, changed).catch(() => undefined);
      const statusesJson = JSON.stringify(statuses);
      // A later request may be answered first.
      if (!statuses || requestNumber !== requestCount || statusesJson === lastJson) return statuses !== undefined;
      lastJson = statusesJson;
      store.set(registryOf(statuses));
      return true;
    },
  };
}
