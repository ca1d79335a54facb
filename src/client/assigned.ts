import * as v from 'valibot';
import type { HostBridge } from '../bridge/bridge.ts';
import { statusColors } from '../domain/colors.ts';
import type { IssueLine } from '../domain/issue.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql, type Operation, operation } from './operation.ts';
import { getLines } from './tracker/lines.ts';

const statusShape = v.object({
  slug: v.string(),
  name: v.string(),
  color: v.picklist(statusColors),
  checked: v.boolean(),
});

const itemShape = v.object({
  id: v.string(),
  issueId: v.string(),
  index: v.number(),
  /** The text of the header above it. */
  section: v.nullable(v.string()),
  text: v.string(),
  status: statusShape,
  mandatory: v.boolean(),
  /** ISO day. */
  dueDate: v.nullable(v.string()),
});
/** An assigned item: its issue, its row and its text. */
export type AssignedItem = v.InferOutput<typeof itemShape>;

const permissionsShape = v.object({
  canAddChecklistItems: v.boolean(),
  canChangeItemStatuses: v.boolean(),
  canDeleteChecklistItems: v.boolean(),
  canEditChecklist: v.boolean(),
});

const issueShape = v.object({
  id: v.string(),
  permissions: permissionsShape,
  /** Number of its items that match the filter. */
  count: v.number(),
});
/** An issue with assigned items as the tracker has it, and the user's permissions on it. */
export type AssignedIssue = IssueLine & v.InferOutput<typeof issueShape>;

const pageShape = v.object({
  next: v.nullable(v.string()),
  items: v.array(itemShape),
  issues: v.array(issueShape),
});

const countsShape = v.object({
  /** There are more issues than were counted. */
  partial: v.boolean(),
  all: v.number(),
  overdue: v.number(),
  due: v.object({ past: v.number(), today: v.number(), week: v.number(), later: v.number(), none: v.number() }),
  projects: v.array(v.object({ id: v.string(), count: v.number() })),
  statuses: v.array(v.object({ ...statusShape.entries, count: v.nullable(v.number()) })),
});
export type AssignedCounts = v.InferOutput<typeof countsShape>;

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
  v.object({ assignedItems: pageShape }),
);

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
  const known = issues.flatMap(issue => {
    const line = lines.get(issue.id);
    return line ? [{ ...line, ...issue }] : [];
  });
  return { items: items.filter(({ issueId }) => lines.has(issueId)), issues: known, next };
}

/** The variables of an operation. */
type VariablesOf<Of> = Of extends Operation<unknown, infer Variables> ? Variables : never;

export const getAssignedCounts = operation(
  graphql(`query getAssignedCounts($today: String!, $who: AssignedWhoInput, $filter: AssignedFilterInput) {
    assignedCounts(today: $today, who: $who, filter: $filter) {
      partial all overdue
      due { past today week later none }
      projects { id count }
      statuses { slug name color checked count }
    }
  }`),
  v.object({ assignedCounts: countsShape }),
);
