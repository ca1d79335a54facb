import { graphql, operation, type ResultOf } from '../operation.ts';

/** Maximum number of issues in one request. */
export const MAX_SUMMARIES = 100;

export const getSummaries = operation(
  graphql(`query checklistSummaries($issueIds: [ID!]!) {
    checklistSummaries(issueIds: $issueIds) {
      issueId total checked mandatoryOpen
      permissions {
        canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist canImportTemplate
      }
    }
  }`),
);

/** The progress of an issue's checklist, and the user's permissions on it. */
export type Summary = ResultOf<typeof getSummaries>['checklistSummaries'][number];
