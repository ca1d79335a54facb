import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';

const summaryShape = v.object({
  issueId: v.string(),
  total: v.number(),
  checked: v.number(),
  mandatoryOpen: v.number(),
  permissions: v.object({
    canAddChecklistItems: v.boolean(),
    canChangeItemStatuses: v.boolean(),
    canDeleteChecklistItems: v.boolean(),
    canEditChecklist: v.boolean(),
    canImportTemplate: v.boolean(),
  }),
});
/** How far the checklist of an issue is, and what I may do there. */
export type Summary = v.InferOutput<typeof summaryShape>;

/** Most issues that are asked about at once. */
export const MOST_SUMMARIES = 100;

export const getSummaries = operation(
  graphql(`query checklistSummaries($issueIds: [ID!]!) {
    checklistSummaries(issueIds: $issueIds) {
      issueId total checked mandatoryOpen
      permissions {
        canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist canImportTemplate
      }
    }
  }`),
  v.object({ checklistSummaries: v.array(summaryShape) }),
);
