import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';
import { jobFields, jobShape } from './inherit.ts';

const refusedShape = v.object({
  copy: v.string(),
  reason: v.string(),
  issues: v.number(),
  projects: v.number(),
  projectKeys: v.array(v.string()),
});
export type RefusedCopies = v.InferOutput<typeof refusedShape>;

/** Copies of the site or a project that Jira refuses, and the last jobs there. */
export const getStoredData = operation(
  graphql(`query getStoredData($projectId: ID) {
    storedData(projectId: $projectId) { refused { copy reason issues projects projectKeys } }
    jobs(scope: { projectId: $projectId }) { kind ${jobFields} }
  }`),
  v.object({
    storedData: v.object({ refused: v.array(refusedShape) }),
    jobs: v.array(v.object({ kind: v.string(), ...jobShape.entries })),
  }),
);

export const checkStoredData = operation(
  graphql(`mutation checkStoredData($projectId: ID) {
    checkStoredData(input: { projectId: $projectId }) { job { ${jobFields} } ${answerFields} } }`),
  v.object({ checkStoredData: v.object({ job: v.nullable(jobShape), ...answerShape }) }),
);
