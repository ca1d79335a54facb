import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';

/** The open text editors and row fields of a subject (`domain/subjects.ts`): account and position. */

export const getEditors = operation(
  graphql('query getEditors($subjectId: ID!) { editors(subjectId: $subjectId) { account row mark } }'),
  v.object({
    editors: v.array(v.object({ account: v.string(), row: v.nullable(v.number()), mark: v.nullable(v.string()) })),
  }),
);

export const placeEditor = operation(
  graphql(`mutation placeEditor($subjectId: ID!, $row: Int!, $mark: String!) {
    placeEditor(subjectId: $subjectId, row: $row, mark: $mark)
  }`),
  v.object({ placeEditor: v.boolean() }),
);

/** Names the row that this page edits, for less than a minute; without a row it has stopped. */
export const editRow = operation(
  graphql(`mutation editRow($issueId: ID!, $row: Int, $mark: String) {
    editRow(issueId: $issueId, row: $row, mark: $mark)
  }`),
  v.object({ editRow: v.boolean() }),
);
