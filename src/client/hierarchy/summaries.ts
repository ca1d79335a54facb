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
/** The progress of an issue's checklist, and the user's permissions on it. */
export type Summary = v.InferOutput<typeof summaryShape>;

/** Maximum number of issues in one request. */
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
