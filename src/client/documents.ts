import * as v from 'valibot';
import { checklistFields, checklistShape, graphql, operation } from './operation.ts';

export const getFeatureFlags = operation(
  graphql('query getFeatureFlags { featureFlags }'),
  v.object({ featureFlags: v.unknown() }),
);

export const getChecklist = operation(
  graphql(`query getChecklist($issueId: ID!, $stored: StoredChecklistInput) {
    checklist(issueId: $issueId, stored: $stored) { ${checklistFields} copyPending }
  }`),
  v.object({ checklist: v.object({ ...checklistShape.entries, copyPending: v.optional(v.boolean(), false) }) }),
);
