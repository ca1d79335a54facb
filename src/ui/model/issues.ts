import type { HostBridge } from '../../bridge/bridge.ts';
import { createIssues, type Issues } from '../../client/issues.ts';

const known = new WeakMap<HostBridge, Issues>();

/** The issues that a page's texts name: each is asked for once. */
export function issuesOf(bridge: HostBridge): Issues {
  const issues = known.get(bridge) ?? createIssues(bridge);
  known.set(bridge, issues);
  return issues;
}
