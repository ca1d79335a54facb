import { graphql, operation, type ResultOf } from '../operation.ts';
import { jobFields } from './inherit.ts';
import { answerFields } from './selections.ts';

/** Copies of the site or a project that Jira refuses, and the last jobs there. */
export const getStoredData = operation(
  graphql(`query getStoredData($projectId: ID) {
    storedData(projectId: $projectId) { refused { copy reason issues projects projectKeys } mailedProjects }
    jobs(scope: { projectId: $projectId }) { kind ${jobFields} }
  }`),
);

export type RefusedCopies = ResultOf<typeof getStoredData>['storedData']['refused'][number];

export const checkStoredData = operation(
  graphql(`mutation checkStoredData($projectId: ID) {
    checkStoredData(input: { projectId: $projectId }) { job { ${jobFields} } ${answerFields} } }`),
);

/** The last jobs of the site or a project, of which one repairs the copies in Jira. */
export const getRepair = operation(
  graphql(`query getRepair($projectId: ID) { jobs(scope: { projectId: $projectId }) { kind ${jobFields} } }`),
);

export const repairCopies = operation(
  graphql(`mutation repairCopies($projectId: ID) {
    synchronizeStorages(input: { projectId: $projectId }) { job { ${jobFields} } ${answerFields} } }`),
);

export const cancelJob = operation(
  graphql(`mutation cancelJob($id: ID!) { cancelJob(id: $id) { job { ${jobFields} } ${answerFields} } }`),
);
