import type { HostBridge } from '../bridge/bridge.ts';
import type { IssueLine } from '../domain/issue.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql, operation, type ResultOf, type VariablesOf } from './operation.ts';
import { getLines } from './tracker/lines.ts';

const getPage = operation(
  graphql(`query getAssignedItems($today: String!, $who: AssignedWhoInput, $order: AssignedOrder, $filter: AssignedFilterInput, $after: String) {
    assignedItems(today: $today, who: $who, order: $order, filter: $filter, after: $after, first: 100) {
      next
      items { id issueId index section text mandatory dueDate status { slug name color checked } }
      issues {
        id count
        permissions { canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist }
      }
    }
  }`),
);

type ServerPage = ResultOf<typeof getPage>['assignedItems'];
/** An assigned item: its issue, its row and its text. */
export type AssignedItem = ServerPage['items'][number];
/** An issue with assigned items as the tracker has it, and the user's permissions on it. */
export type AssignedIssue = IssueLine & ServerPage['issues'][number];

export interface AssignedPage {
  items: readonly AssignedItem[];
  issues: readonly AssignedIssue[];
  next: string | null;
}

/**
 * A page of assigned items. Its issues are read as the user: that costs the app no points, and hides issues that the
 * tracker does not show, with their items.
 */
export async function getAssignedPage(
  client: GraphqlClient,
  bridge: HostBridge,
  variables: VariablesOf<typeof getPage>,
  signal: AbortSignal,
): Promise<AssignedPage> {
  const { items, issues, next } = (await client.query(getPage, variables, signal)).assignedItems;
  const ids = issues.map(({ id }) => id);
  const lines = await getLines(bridge, ids, signal);
  const visibleIssues = issues.flatMap(issue => {
    const line = lines.get(issue.id);
    return line ? [{ ...line, ...issue }] : [];
  });
  return { items: items.filter(({ issueId }) => lines.has(issueId)), issues: visibleIssues, next };
}

export const getAssignedCounts = operation(
  graphql(`query getAssignedCounts($today: String!, $who: AssignedWhoInput, $filter: AssignedFilterInput) {
    assignedCounts(today: $today, who: $who, filter: $filter) {
      partial all overdue
      due { past today week later none }
      projects { id count }
      statuses { slug name color checked count }
    }
  }`),
);

export type AssignedCounts = ResultOf<typeof getAssignedCounts>['assignedCounts'];
