import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';
import { ruleFields, ruleShape } from './shapes.ts';

/** A rule that applies a template automatically. */
export type Assignment = v.InferOutput<typeof ruleShape>;

const payloadShape = v.object({ assignments: v.nullable(v.array(ruleShape)), ...answerShape });

export const getAssignments = operation(
  graphql(`query getAssignments($projectId: ID) { templateAssignments(projectId: $projectId) { ${ruleFields} } }`),
  v.object({ templateAssignments: v.array(ruleShape) }),
);

export const previewAssignment = operation(
  graphql(`query previewAssignment($input: TemplateAssignmentPreviewInput!) {
    templateAssignmentPreview(input: $input) { count issues { id key summary } }
  }`),
  v.object({
    templateAssignmentPreview: v.object({
      count: v.nullable(v.number()),
      issues: v.array(v.object({ id: v.string(), key: v.string(), summary: v.string() })),
    }),
  }),
);

export const createTemplateAssignment = operation(
  graphql(`mutation createTemplateAssignment($input: TemplateAssignmentInput!) {
    createTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`),
  v.object({ createTemplateAssignment: payloadShape }),
);

export const updateTemplateAssignment = operation(
  graphql(`mutation updateTemplateAssignment($input: UpdateTemplateAssignmentInput!) {
    updateTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`),
  v.object({ updateTemplateAssignment: payloadShape }),
);

export const deleteTemplateAssignment = operation(
  graphql(`mutation deleteTemplateAssignment($id: ID!) {
    deleteTemplateAssignment(id: $id) { assignments { ${ruleFields} } ${answerFields} }
  }`),
  v.object({ deleteTemplateAssignment: payloadShape }),
);

/** Moves a rule before another one; to the end without one. */
export const moveTemplateAssignment = operation(
  graphql(`mutation moveTemplateAssignment($input: MoveTemplateAssignmentInput!) {
    moveTemplateAssignment(input: $input) { assignments { ${ruleFields} } ${answerFields} }
  }`),
  v.object({ moveTemplateAssignment: payloadShape }),
);
