import type { GraphqlClient } from '../graphql.ts';
import { graphql, operation } from '../operation.ts';
import type { Enforcement, EnforcementStore } from './store.ts';

const getEnforcement = operation(
  graphql(`query getEnforcement($issueId: ID!) {
    enforcement(issueId: $issueId) { gates mandatory hasPortal portal }
  }`),
);

/** Nothing is known, as after a failure. */
const unknown: Enforcement = { gates: null, mandatory: null, hasPortal: null, portal: 'SECTIONS' };

/**
 * Asks our server, which has it without a call of the tracker or at most one each quarter of an hour for all of the site.
 * An earlier answer stays until the new one is there, and after a failure.
 */
export async function loadEnforcement(store: EnforcementStore, client: GraphqlClient, issueId: string): Promise<void> {
  const known = await client.query(getEnforcement, { issueId }).then(
    ({ enforcement }): Enforcement => enforcement,
    () => store.get().get(issueId) ?? unknown,
  );
  store.set(new Map(store.get()).set(issueId, known));
}
