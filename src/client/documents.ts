import * as v from 'valibot';
import { checklistFields, checklistShape, graphql, operation } from './operation.ts';

export const getFeatureFlags = operation(
  graphql('query getFeatureFlags { featureFlags }'),
  v.object({ featureFlags: v.unknown() }),
);

export const getChecklist = operation(
  graphql(`query getChecklist($issueId: ID!) { checklist(issueId: $issueId) { ${checklistFields} } }`),
  v.object({ checklist: checklistShape }),
);

export const getEditors = operation(
  graphql('query getEditors($issueId: ID!) { editors(issueId: $issueId) { account row mark } }'),
  v.object({
    editors: v.array(v.object({ account: v.string(), row: v.nullable(v.number()), mark: v.nullable(v.string()) })),
  }),
);

export const placeEditor = operation(
  graphql(`mutation placeEditor($issueId: ID!, $row: Int!, $mark: String!) {
    placeEditor(issueId: $issueId, row: $row, mark: $mark)
  }`),
  v.object({ placeEditor: v.boolean() }),
);
