import { graphql, operation } from '../operation.ts';

/** The open text editors and row fields of a subject (`domain/subjects.ts`): account and position. */

export const getEditors = operation(
  graphql('query getEditors($subjectId: ID!) { editors(subjectId: $subjectId) { account row mark } }'),
);

export const placeEditor = operation(
  graphql(`mutation placeEditor($subjectId: ID!, $row: Int!, $mark: String!) {
    placeEditor(subjectId: $subjectId, row: $row, mark: $mark)
  }`),
);

/** Names the row that this page edits, for less than a minute; without a row it has stopped. */
export const editRow = operation(
  graphql(`mutation editRow($issueId: ID!, $row: Int, $mark: String) {
    editRow(issueId: $issueId, row: $row, mark: $mark)
  }`),
);
