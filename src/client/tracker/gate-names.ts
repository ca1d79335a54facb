import type { HostBridge } from '../../bridge/bridge.ts';
import { distinctGates } from '../../text/header/marks.ts';
import { createStore, type Store } from '../store.ts';
import { readWorkflow } from './workflow.ts';

/** Names of the statuses that issues of a frame's project can have: `undefined` while unknown, `null` after a failure. */
export interface GateNames extends Store<readonly string[] | null | undefined> {
  /** Loads them once; a failed request is repeated after a pause. */
  request(): void;
}

/** A failed request may be repeated after this time. */
const RETRY_AFTER_MS = 30_000;

/** Without a project, as on a page of the whole site, the names stay unknown. */
export function createGateNames(bridge: HostBridge, now: () => number = Date.now): GateNames {
  const names = createStore<readonly string[] | null | undefined>(undefined);
  let loading = false;
  let failed = Number.NEGATIVE_INFINITY;

  const load = async () => {
    const { projectKey, projectId, issueKey } = await bridge.context();
    const project = projectKey ?? projectId ?? issueKey?.replace(/-\d+$/, '');
    if (project === undefined) return;
    const { statuses } = await readWorkflow(bridge, project);
    names.set(distinctGates(statuses.map(({ name }) => name)));
  };

  return {
    get: names.get,
    subscribe: names.subscribe,
    request: () => {
      if (loading || now() - failed < RETRY_AFTER_MS) return;
      loading = true;
      load().catch(() => {
        loading = false;
        failed = now();
        names.set(null);
      });
    },
  };
}
