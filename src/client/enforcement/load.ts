import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import type { GraphqlClient } from '../graphql.ts';
import { graphql, operation } from '../operation.ts';
import { getIssue } from '../tracker/issues.ts';
import type { Enforcement, EnforcementStore } from './store.ts';

const getEnforcement = operation(
  graphql(`query getEnforcement($issueId: ID!, $issueType: ID) {
    enforcement(issueId: $issueId, issueType: $issueType) { gates mandatory hasPortal portal }
  }`),
);

const typed = v.object({ issuetype: v.object({ id: v.string() }) });

/** A project can have a workflow for each type. Read as the user, which costs none of the quota. */
const readType = (bridge: HostBridge, issueId: string): Promise<string | null> =>
  getIssue(bridge, issueId, ['issuetype'])
    .then(({ fields }) => v.parse(typed, fields).issuetype.id)
    .catch(() => null);

/** The state before an answer, or after a failure. */
const unknown: Enforcement = { gates: null, mandatory: null, hasPortal: null, portal: 'SECTIONS' };

/**
 * Asks our server, which asks the tracker at most once each quarter of an hour for a site and for a project.
 * An earlier answer stays until the new one is there, and after a failure.
 */
export async function loadEnforcement(
  store: EnforcementStore,
  { graphql: client, bridge }: { graphql: GraphqlClient; bridge: HostBridge },
  issueId: string,
): Promise<void> {
  const issueType = await readType(bridge, issueId);
  const loadedEnforcement = await client.query(getEnforcement, { issueId, issueType }).then(
    ({ enforcement }): Enforcement => enforcement,
    () => store.get().get(issueId) ?? unknown,
  );
  store.set(new Map(store.get()).set(issueId, loadedEnforcement));
}
