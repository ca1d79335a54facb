import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields } from './selections.ts';

const statusFields = 'slug name color checked projectId builtIn going' as const;

/** The statuses of a project; without one, the site's. */
export const getStatuses = operation(
  graphql(`query getStatuses($projectId: ID) { statuses(projectId: $projectId) { ${statusFields} } }`),
);

export type ManagedStatus = ResultOf<typeof getStatuses>['statuses'][number];

/** The last status jobs of a project, or without one of the site. */
export const getStatusJobs = operation(
  graphql('query getStatusJobs($scope: JobScopeInput!) { jobs(scope: $scope) { id kind total seen ended } }'),
);

export const getStatusUse = operation(
  graphql('query getStatusUse($slug: ID!) { statusUse(slug: $slug) { items issues templates } }'),
);

export const createStatus = operation(
  graphql(`mutation createStatus($input: CreateStatusInput!) {
    createStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
);

export const updateStatus = operation(
  graphql(`mutation updateStatus($input: UpdateStatusInput!) {
    updateStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
);

export const deleteStatus = operation(
  graphql(`mutation deleteStatus($input: DeleteStatusInput!) {
    deleteStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
);

export const reorderStatuses = operation(
  graphql(`mutation reorderStatuses($input: ReorderStatusesInput!) {
    reorderStatuses(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
);
