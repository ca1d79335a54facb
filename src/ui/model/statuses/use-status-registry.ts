import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { createStatuses } from '../../../client/statuses.ts';
import { builtIn, type StatusRegistry } from '../../../text/statuses.ts';
import { useBridge, useGraphql, useHostContext } from '../../shell/hooks.ts';

/** The statuses that a text is read by where one looks from; the built-in ones until they are known. */
export function useStatusRegistry(): StatusRegistry {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { projectId } = useHostContext();
  const statuses = useMemo(() => createStatuses(bridge, graphql, { projectId }), [bridge, graphql, projectId]);
  useEffect(() => void statuses.refresh(), [statuses]);
  return useSyncExternalStore(statuses.subscribe, statuses.get) ?? builtIn;
}
