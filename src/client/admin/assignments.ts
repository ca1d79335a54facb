import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields, ruleFields } from './selections.ts';

export const getAssignments = operation(
  graphql(`query getAssignments($projectId: ID) { templateAssignments(projectId: $projectId) { ${ruleFields} } }`),
);

/** A rule that applies a template automatically. */
export type Assignment = ResultOf<typeof getAssignments>['templateAssignments'][number];

export const previewAssignment = operation(
  graphql(`query previewAssignment($input: TemplateAssignmentPreviewInput!) {
    templateAssignmentPreview(input: $input) { jql count issues { id key summary } }
  }`),
);

export const createTemplateAssignment = operation(
  graphql(`mutation createTemplateAssignment($input: TemplateAssignmentInput!) {
    createTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`),
);

export const updateTemplateAssignment = operation(
  graphql(`mutation updateTemplateAssignment($input: UpdateTemplateAssignmentInput!) {
    updateTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`),
);

export const deleteTemplateAssignment = operation(
  graphql(`mutation deleteTemplateAssignment($id: ID!) {
    deleteTemplateAssignment(id: $id) { assignments { ${ruleFields} } ${answerFields} }
  }`),
);

/** Moves a rule before another one; to the end without one. */
export const moveTemplateAssignment = operation(
  graphql(`mutation moveTemplateAssignment($input: MoveTemplateAssignmentInput!) {
    moveTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`),
);
